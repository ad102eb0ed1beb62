package org.fibnuma.fibnic.verify;

import org.agrona.collections.LongArrayList;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** All addresses of a family divided into ranges, each with one decision or none. */
final class AddressRanges
{
    private static final IpPrefix ALL_IPV4 = IpPrefix.of(0, 0);
    private static final IpPrefix ALL_IPV6 = IpPrefix.of(0, 0, 0);

    private final IpPrefix all;
    private final LongArrayList highStarts = new LongArrayList();
    private final LongArrayList lowStarts = new LongArrayList();
    private final List<Decision> decisions = new ArrayList<>();

    private AddressRanges(final IpPrefix all)
    {
        this.all = all;
    }

    /**
     * Returns the ranges of longest-prefix match. It visits the prefixes in order, with a stack of those that contain
     * the current one.
     *
     * @param isIpv6     family of all prefixes.
     * @param prefixes   in any order, none of them twice.
     * @param decisionOf returns the decision of a prefix.
     */
    static AddressRanges sweep(
        final boolean isIpv6, final Collection<IpPrefix> prefixes, final Function<IpPrefix, Decision> decisionOf)
    {
        final IpPrefix[] sorted = prefixes.toArray(IpPrefix[]::new);
        Arrays.sort(sorted);
        final AddressRanges ranges = new AddressRanges(isIpv6 ? ALL_IPV6 : ALL_IPV4);
        if (sorted.length == 0 || !sorted[0].first().equals(ranges.all.first()))
        {
            ranges.append(ranges.all.first(), null);
        }
        final Deque<Open> around = new ArrayDeque<>();
        for (final IpPrefix prefix : sorted)
        {
            while (!around.isEmpty() && around.peek().last.compareTo(prefix.first()) < 0)
            {
                ranges.close(around);
            }
            ranges.append(prefix.first(), decisionOf.apply(prefix));
            around.push(new Open(prefix.last(), decisionOf.apply(prefix)));
        }
        while (!around.isEmpty())
        {
            ranges.close(around);
        }
        return ranges;
    }

    /** Returns the address after one that is not the last. */
    static IpAddress after(final IpAddress address)
    {
        final long low = address.low() + 1;
        return new IpAddress(low == 0 ? address.high() + 1 : address.high(), low);
    }

    /** Returns the address before one that is not the first. */
    static IpAddress before(final IpAddress address)
    {
        return new IpAddress(address.low() == 0 ? address.high() - 1 : address.high(), address.low() - 1);
    }

    /** Returns the decisions of other ranges, and those of this where the others have none. */
    AddressRanges under(final AddressRanges over)
    {
        final AddressRanges both = new AddressRanges(all);
        int mine = 0;
        int theirs = 0;
        IpAddress at = all.first();
        while (true)
        {
            both.append(at, over.decision(theirs) != null ? over.decision(theirs) : decision(mine));
            final IpAddress myLast = last(mine);
            final IpAddress theirLast = over.last(theirs);
            final IpAddress last = myLast.compareTo(theirLast) < 0 ? myLast : theirLast;
            if (last.equals(all.last()))
            {
                return both;
            }
            at = after(last);
            mine += myLast.equals(last) ? 1 : 0;
            theirs += theirLast.equals(last) ? 1 : 0;
        }
    }

    int size()
    {
        return decisions.size();
    }

    /** Returns the last address of a range. */
    IpAddress last(final int range)
    {
        return range + 1 < decisions.size() ? before(start(range + 1)) : all.last();
    }

    /** Returns the decision of a range, or null. */
    Decision decision(final int range)
    {
        return decisions.get(range);
    }

    Decision at(final IpAddress wanted)
    {
        int low = 0;
        int high = decisions.size() - 1;
        while (low < high)
        {
            final int middle = low + high + 1 >>> 1;
            if (start(middle).compareTo(wanted) <= 0)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }
        return decisions.get(low);
    }

    private IpAddress start(final int range)
    {
        return new IpAddress(highStarts.getLong(range), lowStarts.getLong(range));
    }

    private void close(final Deque<Open> around)
    {
        final IpAddress last = around.pop().last;
        if (!last.equals(all.last()))
        {
            append(after(last), around.isEmpty() ? null : around.peek().decision);
        }
    }

    private void append(final IpAddress start, final Decision decision)
    {
        final int last = decisions.size() - 1;
        if (last >= 0 && start(last).equals(start))
        {
            decisions.set(last, decision);
        }
        else if (last < 0 || decisions.get(last) != decision)
        {
            highStarts.addLong(start.high());
            lowStarts.addLong(start.low());
            decisions.add(decision);
        }
    }

    private record Open(IpAddress last, Decision decision)
    {
    }
}
