package org.fibnuma.fibnic.verify;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Compares ranges of addresses of one family. The differences are in the order of their addresses; adjacent ranges with
 * equal texts are joined. For one thread, except {@link #cancel}.
 */
abstract class RangeComparison
{
    /** Differences beyond this number are counted but not stored. */
    public static final int MAX_DIFFERENCES = 10_000;

    private static final int PARTS_BETWEEN_QUIESCES = 4096;

    private final boolean isIpv6;
    private final AdjacencyTexts texts;
    private final List<Difference> differences = new ArrayList<>();
    private BigInteger addresses = BigInteger.ZERO;
    private int parts;
    private volatile boolean cancelled;

    RangeComparison(final boolean isIpv6, final ExpectedTable table, final AdjacencyTable adjacencies)
    {
        this.isIpv6 = isIpv6;
        this.texts = new AdjacencyTexts(table, adjacencies);
    }

    /** Ends the current or next comparison; any thread. */
    public final void cancel()
    {
        cancelled = true;
    }

    /** Returns the number of addresses that differ, also of differences that were not stored. */
    public final BigInteger differingAddresses()
    {
        return addresses;
    }

    final List<Difference> differences()
    {
        return differences;
    }

    /** Quiesces the reader after each 4,096th compared part; throws a {@link CancellationException} if cancelled. */
    final void onCompared(final ReaderEpochs.Reader reader)
    {
        parts++;
        if (parts % PARTS_BETWEEN_QUIESCES == 0)
        {
            reader.quiesce();
            if (cancelled)
            {
                throw new CancellationException("the comparison was cancelled");
            }
        }
    }

    /** Adds a range behind all others unless expected and actual adjacency are equal; returns whether they are. */
    final boolean compare(final IpAddress first, final IpAddress last, final Adjacency expected, final Adjacency actual)
    {
        final boolean areEqual = texts.areEqual(expected, actual);
        if (!areEqual)
        {
            add(first, last, texts.ofExpected(expected), texts.ofActual(actual));
        }
        return areEqual;
    }

    private void add(final IpAddress first, final IpAddress last, final String expected, final String actual)
    {
        addresses = addresses.add(number(last)).subtract(number(first)).add(BigInteger.ONE);
        final Difference previous = differences.isEmpty() ? null : differences.get(differences.size() - 1);
        if (previous != null && AddressRanges.after(previous.last()).equals(first) &&
            previous.expected().equals(expected) && previous.actual().equals(actual))
        {
            differences.set(
                differences.size() - 1, new Difference(isIpv6, previous.first(), last, expected, actual));
        }
        else if (differences.size() < MAX_DIFFERENCES)
        {
            differences.add(new Difference(isIpv6, first, last, expected, actual));
        }
    }

    private static BigInteger number(final IpAddress address)
    {
        return unsigned(address.high()).shiftLeft(Long.SIZE).or(unsigned(address.low()));
    }

    private static BigInteger unsigned(final long half)
    {
        final BigInteger number = BigInteger.valueOf(half >>> 1).shiftLeft(1);
        return (half & 1) == 0 ? number : number.setBit(0);
    }
}
