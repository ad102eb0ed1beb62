package org.fibnuma.fibnic.verify;

import org.agrona.collections.LongArrayList;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fib.FibRules;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Compares the adjacency of every IPv4 address in the FIB with the expected one, by the lookup of the workers. Of a /24
 * in which no prefix begins or ends, expected or in the FIB, the first and last address are looked up; of every other
 * /24 all addresses.
 */
public final class FibComparison extends RangeComparison
{
    /** Most prefixes that the control thread copies at once. */
    static final int PREFIXES_AT_ONCE = 8192;

    private static final long ADDRESS_LIMIT = 1L << Integer.SIZE;

    private static final int NONE = -1;
    private static final int SLOT = 256;

    private final ExpectedTable table;
    private final Ipv4Fib fib;
    private final Ipv6Fib shorter;
    private final AdjacencyTable adjacencies;
    private final long[] fibBoundaries;
    private int range;
    private long rangeEnd;
    private int boundary;
    /** Range and adjacency of the last /24 that was equal at both ends. */
    private int equalRange = NONE;
    private int equalIndex = NONE;
    private Adjacency equalAdjacency;

    /**
     * Creates a comparison, to be run once.
     *
     * @param table         expected adjacencies.
     * @param fib           to compare.
     * @param shorter       with the routes up to some prefix length, or null if all are in the other.
     * @param adjacencies   of the FIB.
     * @param fibBoundaries from {@link #addBoundaries}, of both FIBs; sorted in place.
     */
    public FibComparison(
        final ExpectedTable table,
        final Ipv4Fib fib,
        final Ipv6Fib shorter,
        final AdjacencyTable adjacencies,
        final long[] fibBoundaries)
    {
        super(false, table, adjacencies);
        this.table = table;
        this.fib = fib;
        this.shorter = shorter;
        this.adjacencies = adjacencies;
        this.fibBoundaries = fibBoundaries;
        this.rangeEnd = endOf(0);
        Arrays.parallelSort(fibBoundaries);
    }

    /**
     * Adds the first address of each prefix of a FIB and the address after its last, 0 to 2^32, in no order. Control
     * thread; one call reads a part of the FIB in about 1 ms.
     *
     * @param fib        to read.
     * @param position   0, or the result of the last call; see {@link Ipv4Fib#forEachFrom}.
     * @param boundaries gets two addresses for each prefix.
     * @return position of the next call, or {@link Ipv4Fib#END}.
     */
    public static int addBoundaries(final Ipv4Fib fib, final int position, final LongArrayList boundaries)
    {
        return fib.forEachFrom(position, PREFIXES_AT_ONCE, (prefix, length, adjacency) ->
            addBoundaries(prefix, length, boundaries));
    }

    /** Does the same for the FIB of the routes up to some prefix length. */
    public static int addBoundaries(final Ipv6Fib shorter, final int position, final LongArrayList boundaries)
    {
        return shorter.forEachFrom(position, PREFIXES_AT_ONCE, (high, low, length, adjacency) ->
            addBoundaries((int)(high >>> Integer.SIZE), length, boundaries));
    }

    private static void addBoundaries(final int prefix, final int length, final LongArrayList boundaries)
    {
        final long first = prefix & 0xFFFF_FFFFL;
        boundaries.addLong(first);
        boundaries.addLong(first + (~Ipv4Address.mask(length) & 0xFFFF_FFFFL) + 1);
    }

    /**
     * Compares every address.
     *
     * @param reader registration of the calling thread as a reader of the FIB.
     * @return the ranges that differ, in order, at most {@link #MAX_DIFFERENCES}.
     * @throws CancellationException after {@link #cancel()}, within milliseconds.
     */
    public List<Difference> run(final ReaderEpochs.Reader reader)
    {
        for (long base = 0; base < ADDRESS_LIMIT; base += SLOT)
        {
            compareSlot(base);
            onCompared(reader);
        }
        return differences();
    }

    private void compareSlot(final long base)
    {
        final long end = base + SLOT;
        moveTo(base);
        while (boundary < fibBoundaries.length && fibBoundaries[boundary] <= base)
        {
            boundary++;
        }
        final boolean uniform = rangeEnd >= end &&
            (boundary == fibBoundaries.length || fibBoundaries[boundary] >= end);
        if (uniform)
        {
            compareUniform((int)base, (int)(end - 1));
        }
        else
        {
            for (long address = base; address < end; address++)
            {
                moveTo(address);
                compare((int)address);
            }
        }
    }

    private void moveTo(final long address)
    {
        while (rangeEnd <= address)
        {
            range++;
            rangeEnd = endOf(range);
        }
    }

    private long endOf(final int someRange)
    {
        return (table.ranges(false).last(someRange).ipv4() & 0xFFFF_FFFFL) + 1;
    }

    /** Compares a /24 by its first and last address. The fast path is for one that is equal like the /24 before. */
    private void compareUniform(final int first, final int last)
    {
        final int atFirst = lookup(first);
        final int atLast = lookup(last);
        if (atFirst != atLast || atFirst != equalIndex || range != equalRange ||
            adjacencies.get(atFirst) != equalAdjacency)
        {
            compareEnds(first, atFirst, last, atLast);
        }
    }

    private void compareEnds(final int first, final int atFirst, final int last, final int atLast)
    {
        final Adjacency expected = table.expected(false, range);
        final Adjacency actual = adjacencies.get(atFirst);
        if (atFirst == atLast)
        {
            if (compare(IpAddress.of(first), IpAddress.of(last), expected, actual))
            {
                equalRange = range;
                equalIndex = atFirst;
                equalAdjacency = actual;
            }
        }
        else if (!expected.equals(actual))
        {
            compare(IpAddress.of(first), IpAddress.of(last), expected, actual);
        }
        else
        {
            final IpAddress lastAddress = IpAddress.of(last);
            compare(lastAddress, lastAddress, expected, adjacencies.get(atLast));
        }
    }

    private void compare(final int address)
    {
        final IpAddress only = IpAddress.of(address);
        compare(only, only, table.expected(false, range), adjacencies.get(lookup(address)));
    }

    private int lookup(final int address)
    {
        final int found = fib.lookup(address);
        return found != 0 || shorter == null ? found : shorter.lookup(FibRules.inHigh(address), 0);
    }
}
