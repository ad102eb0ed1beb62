package org.fibnuma.fibnic.verify;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.fib.TableFib;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Compares the adjacency of every address of a table with the expected one, by the lookup of the workers. The table is
 * one of IPv6, or one of IPv4 other than main, which has its prefixes in the first bits of an address. The address
 * space is divided where a prefix begins or ends, expected or in the FIB. Each part is checked at its first and last
 * address.
 */
public final class Ipv6FibComparison extends RangeComparison
{
    private final boolean isIpv6;
    private final ExpectedTable table;
    private final TableFib fib;
    private final AdjacencyTable adjacencies;
    private final List<IpAddress> lastAddresses;

    /**
     * Creates a comparison, to be run once.
     *
     * @param isIpv6        family of the addresses.
     * @param table         expected adjacencies.
     * @param fib           to compare.
     * @param adjacencies   of the FIB.
     * @param lastAddresses from {@link #addLastAddresses}, of the whole table; sorted in place.
     */
    public Ipv6FibComparison(
        final boolean isIpv6,
        final ExpectedTable table,
        final TableFib fib,
        final AdjacencyTable adjacencies,
        final List<IpAddress> lastAddresses)
    {
        super(isIpv6, table, adjacencies);
        this.isIpv6 = isIpv6;
        this.table = table;
        this.fib = fib;
        this.adjacencies = adjacencies;
        this.lastAddresses = lastAddresses;
        Collections.sort(lastAddresses);
    }

    /**
     * Adds the last addresses of the parts of the address space in which no prefix of a FIB begins or ends, in no
     * order. Control thread; one call takes a few milliseconds at most.
     *
     * @param isIpv6        family of the prefixes.
     * @param fib           to read.
     * @param position      0, or the result of the last call; see {@link Ipv6Fib#forEachFrom}.
     * @param lastAddresses gets two addresses for each prefix, some of them more than once.
     * @return position of the next call, or {@link Ipv6Fib#END}.
     */
    public static int addLastAddresses(
        final boolean isIpv6, final Ipv6Fib fib, final int position, final List<IpAddress> lastAddresses)
    {
        return fib.forEachFrom(position, FibComparison.PREFIXES_AT_ONCE, (high, low, length, adjacency) ->
        {
            final IpPrefix prefix = isIpv6 ?
                IpPrefix.of(high, low, length) : IpPrefix.of((int)(high >>> Integer.SIZE), length);
            lastAddresses.add(prefix.last());
            if (isIpv6 ? !prefix.first().isNone() : prefix.ipv4() != 0)
            {
                lastAddresses.add(AddressRanges.before(prefix.first()));
            }
        });
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
        final AddressRanges ranges = table.ranges(isIpv6);
        IpAddress first = isIpv6 ? IpAddress.NONE : IpAddress.of(0);
        int next = 0;
        for (int range = 0; range < ranges.size(); range++)
        {
            final IpAddress end = ranges.last(range);
            boolean inRange = true;
            while (inRange)
            {
                while (next < lastAddresses.size() && lastAddresses.get(next).compareTo(first) < 0)
                {
                    next++;
                }
                inRange = next < lastAddresses.size() && lastAddresses.get(next).compareTo(end) < 0;
                final IpAddress last = inRange ? lastAddresses.get(next) : end;
                compare(range, first, last);
                first = AddressRanges.after(last);
                onCompared(reader);
            }
        }
        return differences();
    }

    private void compare(final int range, final IpAddress first, final IpAddress last)
    {
        final Adjacency expected = table.expected(isIpv6, range);
        final Adjacency atFirst = adjacencies.get(fib.lookup(first));
        final Adjacency atLast = adjacencies.get(fib.lookup(last));
        if (atFirst.equals(atLast))
        {
            compare(first, last, expected, atFirst);
        }
        else
        {
            compare(first, first, expected, atFirst);
            compare(last, last, expected, atLast);
        }
    }
}
