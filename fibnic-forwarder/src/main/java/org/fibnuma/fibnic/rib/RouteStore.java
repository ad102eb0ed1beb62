package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.Ipv4Address;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * All routes, also those that lose: rows of 30 bytes, chained from best to worst for each prefix. The rows of each /16
 * are chained too, in no order: a part of the address space and a page of the routes in order are found without looking
 * at the others. A million routes take 30 MB and 32 MB for the map from prefix to chain; an addition moves at most some
 * thousands of them.
 */
final class RouteStore
{
    /** No row. */
    static final int NONE = -1;

    private static final byte FREE = -1;
    private static final int BLOCK_BITS = 16;
    private static final int BLOCKS = 1 << BLOCK_BITS;

    private final int[] firstOfBlock = new int[BLOCKS];
    private final RouteHeads headByKey = new RouteHeads();
    private final int[] prefixesByLength = new int[Integer.SIZE + 1];
    private final RouteRows rows = new RouteRows();
    private int rowLimit;
    private int firstFree = NONE;
    private int size;
    private byte generation;

    RouteStore()
    {
        Arrays.fill(firstOfBlock, NONE);
    }

    /** Number of rows. */
    int size()
    {
        return size;
    }

    /** Number of distinct prefixes. */
    int prefixCount()
    {
        return headByKey.size();
    }

    /** One more than the highest row number; rows below may be free. */
    int rowLimit()
    {
        return rowLimit;
    }

    boolean isFree(final int row)
    {
        return rows.source(row) == FREE;
    }

    long key(final int row)
    {
        return rows.key(row);
    }

    int metric(final int row)
    {
        return rows.metric(row);
    }

    int nextHop(final int row)
    {
        return rows.nextHop(row);
    }

    RouteSource source(final int row)
    {
        return RouteSource.of(rows.source(row));
    }

    /** The best route of a prefix, or {@link #NONE}. */
    int head(final long key)
    {
        return headByKey.get(key);
    }

    /** The row of a source and metric, of which there is never more than one for a prefix, or {@link #NONE}. */
    int find(final long key, final RouteSource source, final int metric)
    {
        int row = head(key);
        while (row != NONE && !(rows.source(row) == source.ordinal() && rows.metric(row) == metric))
        {
            row = rows.next(row);
        }
        return row;
    }

    /** Adds a row for a prefix, source and metric that have none. */
    int add(final long key, final RouteSource source, final int metric, final int nextHop)
    {
        final int row = takeRow();
        rows.key(row, key);
        rows.metric(row, metric);
        rows.nextHop(row, nextHop);
        rows.source(row, (byte)source.ordinal());
        rows.generation(row, generation);
        int previous = NONE;
        int next = head(key);
        while (next != NONE && !worse(next, source, metric))
        {
            previous = next;
            next = rows.next(next);
        }
        rows.next(row, next);
        if (previous == NONE)
        {
            prefixesByLength[RouteKey.length(key)] += next == NONE ? 1 : 0;
            headByKey.put(key, row);
        }
        else
        {
            rows.next(previous, row);
        }
        linkInBlock(row);
        size++;
        return row;
    }

    /** Lets a row lead elsewhere. */
    void replaceNextHop(final int row, final int nextHop)
    {
        rows.nextHop(row, nextHop);
        mark(row);
    }

    void remove(final int row)
    {
        final long key = rows.key(row);
        final int head = head(key);
        if (head != row)
        {
            int previous = head;
            while (rows.next(previous) != row)
            {
                previous = rows.next(previous);
            }
            rows.next(previous, rows.next(row));
        }
        else if (rows.next(row) == NONE)
        {
            headByKey.remove(key);
            prefixesByLength[RouteKey.length(key)]--;
        }
        else
        {
            headByKey.put(key, rows.next(row));
        }
        unlinkFromBlock(row);
        rows.source(row, FREE);
        rows.next(row, firstFree);
        firstFree = row;
        size--;
    }

    /** From now on rows that are not added or marked are stale. */
    void nextGeneration()
    {
        generation++;
    }

    void mark(final int row)
    {
        rows.generation(row, generation);
    }

    boolean isStale(final int row)
    {
        return rows.generation(row) != generation;
    }

    /** The best route of the longest prefix up to a length that an address lies in, or {@link #NONE}. */
    int longestMatch(final int address, final int maxLength)
    {
        for (int length = maxLength; length >= 0; length--)
        {
            if (prefixesByLength[length] > 0)
            {
                final int row = head(RouteKey.of(address & Ipv4Address.mask(length), length));
                if (row != NONE)
                {
                    return row;
                }
            }
        }
        return NONE;
    }

    /** The first prefixes above one, in order; fewer than the limit where there are no more. */
    long[] keysAfter(final long after, final int limit)
    {
        long[] page = new long[limit];
        int count = 0;
        for (int block = after < 0 ? 0 : blockOf(after); block < BLOCKS && count < limit; block++)
        {
            final int firstInPage = count;
            for (int row = firstOfBlock[block]; row != NONE; row = rows.nextOfBlock(row))
            {
                final long key = rows.key(row);
                if (key > after && head(key) == row)
                {
                    page = count < page.length ? page : Arrays.copyOf(page, 2 * count);
                    page[count++] = key;
                }
            }
            Arrays.sort(page, firstInPage, count);
        }
        return Arrays.copyOf(page, Math.min(count, limit));
    }

    /** The best route of each prefix inside another, or the same; the routes must not be changed meanwhile. */
    void forEachHeadIn(final long outer, final LongConsumer consumer)
    {
        final int last = RouteKey.prefix(outer) | ~Ipv4Address.mask(RouteKey.length(outer));
        for (int block = blockOf(outer); block <= last >>> BLOCK_BITS; block++)
        {
            for (int row = firstOfBlock[block]; row != NONE; row = rows.nextOfBlock(row))
            {
                if (RouteKey.covers(outer, rows.key(row)) && head(rows.key(row)) == row)
                {
                    consumer.accept(rows.key(row));
                }
            }
        }
    }

    private static int blockOf(final long key)
    {
        return RouteKey.prefix(key) >>> BLOCK_BITS;
    }

    private void linkInBlock(final int row)
    {
        final int block = blockOf(rows.key(row));
        final int next = firstOfBlock[block];
        rows.nextOfBlock(row, next);
        rows.previousOfBlock(row, NONE);
        firstOfBlock[block] = row;
        if (next != NONE)
        {
            rows.previousOfBlock(next, row);
        }
    }

    private void unlinkFromBlock(final int row)
    {
        final int previous = rows.previousOfBlock(row);
        final int next = rows.nextOfBlock(row);
        if (previous == NONE)
        {
            firstOfBlock[blockOf(rows.key(row))] = next;
        }
        else
        {
            rows.nextOfBlock(previous, next);
        }
        if (next != NONE)
        {
            rows.previousOfBlock(next, previous);
        }
    }

    private boolean worse(final int row, final RouteSource source, final int metric)
    {
        return rows.source(row) > source.ordinal() ||
            rows.source(row) == source.ordinal() && Integer.compareUnsigned(rows.metric(row), metric) > 0;
    }

    private int takeRow()
    {
        if (firstFree != NONE)
        {
            final int row = firstFree;
            firstFree = rows.next(row);
            return row;
        }
        rows.ensure(rowLimit);
        return rowLimit++;
    }
}
