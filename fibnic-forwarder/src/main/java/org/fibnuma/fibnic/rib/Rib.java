package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * The routing information base of one family: all routes of all sources, each a row. The rows of a prefix are chained
 * from best to worst. The rows of each block of addresses are chained too, in no order, so that a part of the address
 * space can be read without the rest. A million IPv4 routes take 28 MB, and the map from prefix to best row 8 MB.
 * Control thread only.
 */
final class Rib
{
    static final int NONE = -1;

    private static final int BYTE_MASK = 0xFF;

    private static final int BLOCK_BITS = 16;
    private static final int BLOCKS = 1 << BLOCK_BITS;
    /** Global unicast addresses are in {@code 2000::/3} (RFC 4291 section 2.4, IANA). */
    private static final int GLOBAL_UNICAST_BITS = 3;
    private static final int GLOBAL_UNICAST = 1;

    private final RouteRows rows;
    private final RouteHeads heads;
    private final int[] firstOfBlock = new int[BLOCKS];
    private final int[] prefixesByBits = new int[Ipv6Address.BITS + 1];
    private int size;
    private final int[] generations = new int[RouteSource.values().length];

    Rib(final boolean isIpv6)
    {
        rows = new RouteRows(isIpv6);
        heads = new RouteHeads(rows);
        Arrays.fill(firstOfBlock, NONE);
    }

    /** Returns the prefix of all addresses of the family. */
    IpPrefix all()
    {
        return rows.isIpv6() ? IpPrefix.of(0, 0, 0) : IpPrefix.of(0, 0);
    }

    int size()
    {
        return size;
    }

    int prefixCount()
    {
        return heads.size();
    }

    /** Returns the memory of rows and maps in bytes, with the part that is free for more routes. */
    long bytes()
    {
        return rows.bytes() + (long)BLOCKS * Integer.BYTES + heads.bytes();
    }

    /** Returns the highest row number plus 1; rows below may be free. */
    int rowLimit()
    {
        return rows.limit();
    }

    boolean isFree(final int row)
    {
        return rows.isFree(row);
    }

    IpPrefix prefix(final int row)
    {
        return rows.prefix(row);
    }

    int metric(final int row)
    {
        return rows.get(row, RouteRows.METRIC);
    }

    int nextHop(final int row)
    {
        return rows.get(row, RouteRows.NEXT_HOP);
    }

    RouteSource source(final int row)
    {
        return RouteSource.of(rows.sourceOrdinal(row));
    }

    /** Returns the row of the best route of a prefix, or {@link #NONE}. */
    int head(final IpPrefix prefix)
    {
        return heads.get(prefix.high(), prefix.low(), prefix.bits());
    }

    /** Returns the only row of a prefix, source and metric, or {@link #NONE}. */
    int find(final IpPrefix prefix, final RouteSource source, final int metric)
    {
        return find(prefix.high(), prefix.low(), prefix.bits(), source, metric);
    }

    /** As {@link #find(IpPrefix, RouteSource, int)}, without an object; the address bits below the length are 0. */
    int find(final long high, final long low, final int bits, final RouteSource source, final int metric)
    {
        int row = heads.get(high, low, bits);
        while (row != NONE && !(rows.sourceOrdinal(row) == source.ordinal() && metric(row) == metric))
        {
            row = next(row);
        }
        return row;
    }

    /** Adds a row for a prefix, source and metric that have none; returns the row. */
    int add(final IpPrefix prefix, final RouteSource source, final int metric, final int nextHop)
    {
        final int row = rows.take(prefix, source, generations[source.ordinal()]);
        rows.set(row, RouteRows.METRIC, metric);
        rows.set(row, RouteRows.NEXT_HOP, nextHop);
        int previous = NONE;
        int next = head(prefix);
        while (next != NONE && !worse(next, source, metric))
        {
            previous = next;
            next = next(next);
        }
        rows.set(row, RouteRows.NEXT, next);
        if (previous == NONE)
        {
            prefixesByBits[prefix.bits()] += next == NONE ? 1 : 0;
            heads.put(row);
        }
        else
        {
            rows.set(previous, RouteRows.NEXT, row);
        }
        linkInBlock(row, blockOf(prefix));
        size++;
        return row;
    }

    /** Changes the next hop of a row and marks the row. */
    void replaceNextHop(final int row, final int nextHop)
    {
        rows.set(row, RouteRows.NEXT_HOP, nextHop);
        mark(row);
    }

    void remove(final int row)
    {
        final IpPrefix prefix = prefix(row);
        final int head = head(prefix);
        if (head != row)
        {
            int previous = head;
            while (next(previous) != row)
            {
                previous = next(previous);
            }
            rows.set(previous, RouteRows.NEXT, next(row));
        }
        else if (next(row) == NONE)
        {
            heads.remove(row);
            prefixesByBits[rows.bits(row)]--;
        }
        else
        {
            heads.put(next(row));
        }
        unlinkFromBlock(row, blockOf(prefix));
        rows.free(row);
        size--;
    }

    /** Makes all rows of a source stale until they are marked. */
    void nextGeneration(final RouteSource source)
    {
        generations[source.ordinal()] = generations[source.ordinal()] + 1 & BYTE_MASK;
    }

    void mark(final int row)
    {
        rows.generation(row, generations[rows.sourceOrdinal(row)]);
    }

    boolean isStale(final int row)
    {
        return rows.generation(row) != generations[rows.sourceOrdinal(row)];
    }

    /** Returns the row of the best route of the longest prefix that contains an address, or {@link #NONE}. */
    int longestMatch(final IpAddress address)
    {
        final int shortest = rows.isIpv6() ? 0 : IpPrefix.IPV4_BITS;
        for (int bits = Ipv6Address.BITS; bits >= shortest; bits--)
        {
            if (prefixesByBits[bits] > 0)
            {
                final int row = heads.get(
                    address.high() & Ipv6Address.maskHigh(bits), address.low() & Ipv6Address.maskLow(bits), bits);
                if (row != NONE)
                {
                    return row;
                }
            }
        }
        return NONE;
    }

    /**
     * Returns the first prefixes that a prefix covers, in order; fewer than the limit where there are no more.
     *
     * @param after the prefix before the first one, or null.
     */
    List<IpPrefix> prefixesIn(final IpPrefix outer, final IpPrefix after, final int limit)
    {
        final List<IpPrefix> found = new ArrayList<>();
        final int lastBlock = blockOf(IpPrefix.host(outer.last()));
        for (int block = blockOf(after == null ? outer : after); block <= lastBlock && found.size() < limit; block++)
        {
            final int firstOfThisBlock = found.size();
            for (int row = firstOfBlock[block]; row != NONE; row = rows.get(row, RouteRows.NEXT_OF_BLOCK))
            {
                final IpPrefix prefix = prefix(row);
                if (outer.covers(prefix) && (after == null || prefix.compareTo(after) > 0) && head(prefix) == row)
                {
                    found.add(prefix);
                }
            }
            Collections.sort(found.subList(firstOfThisBlock, found.size()));
        }
        return found.subList(0, Math.min(found.size(), limit));
    }

    /** Passes every prefix that a prefix covers to a consumer, which must not change the routes. */
    void forEachHeadIn(final IpPrefix outer, final Consumer<IpPrefix> consumer)
    {
        final int lastBlock = blockOf(IpPrefix.host(outer.last()));
        for (int block = blockOf(outer); block <= lastBlock; block++)
        {
            for (int row = firstOfBlock[block]; row != NONE; row = rows.get(row, RouteRows.NEXT_OF_BLOCK))
            {
                final IpPrefix prefix = prefix(row);
                if (outer.covers(prefix) && head(prefix) == row)
                {
                    consumer.accept(prefix);
                }
            }
        }
    }

    /** Returns a number in the order of addresses: of the /16 of IPv4, of the /19 of global unicast IPv6. */
    private int blockOf(final IpPrefix prefix)
    {
        if (!rows.isIpv6())
        {
            return prefix.ipv4() >>> Integer.SIZE - BLOCK_BITS;
        }
        final int format = (int)(prefix.high() >>> Long.SIZE - GLOBAL_UNICAST_BITS);
        return format < GLOBAL_UNICAST ? 0 : format > GLOBAL_UNICAST ? BLOCKS - 1 :
            (int)(prefix.high() << GLOBAL_UNICAST_BITS >>> Long.SIZE - BLOCK_BITS);
    }

    private void linkInBlock(final int row, final int block)
    {
        final int next = firstOfBlock[block];
        rows.set(row, RouteRows.NEXT_OF_BLOCK, next);
        rows.set(row, RouteRows.PREVIOUS_OF_BLOCK, NONE);
        firstOfBlock[block] = row;
        if (next != NONE)
        {
            rows.set(next, RouteRows.PREVIOUS_OF_BLOCK, row);
        }
    }

    private void unlinkFromBlock(final int row, final int block)
    {
        final int previous = rows.get(row, RouteRows.PREVIOUS_OF_BLOCK);
        final int next = rows.get(row, RouteRows.NEXT_OF_BLOCK);
        if (previous == NONE)
        {
            firstOfBlock[block] = next;
        }
        else
        {
            rows.set(previous, RouteRows.NEXT_OF_BLOCK, next);
        }
        if (next != NONE)
        {
            rows.set(next, RouteRows.PREVIOUS_OF_BLOCK, previous);
        }
    }

    private boolean worse(final int row, final RouteSource source, final int metric)
    {
        return rows.sourceOrdinal(row) > source.ordinal() ||
            rows.sourceOrdinal(row) == source.ordinal() && Integer.compareUnsigned(metric(row), metric) > 0;
    }

    private int next(final int row)
    {
        return rows.get(row, RouteRows.NEXT);
    }
}
