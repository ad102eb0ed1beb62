package org.fibnuma.fibnic.verify;

import org.agrona.collections.LongArrayList;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.rib.RouteKey;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;

/**
 * All addresses divided into ranges, each with one decision or none. Addresses are 0 to 2^32 - 1 here, so that they
 * sort.
 */
final class AddressRanges
{
    static final long ADDRESS_LIMIT = 1L << 32;

    private final LongArrayList starts = new LongArrayList();
    private final List<Decision> decisions = new ArrayList<>();

    private AddressRanges()
    {
    }

    /**
     * Longest-prefix match as ranges: visits the prefixes in order with a stack of those that contain the current one.
     *
     * @param keys       prefixes, see {@link RouteKey}; sorted by this method.
     * @param decisionOf of a key.
     */
    static AddressRanges sweep(final long[] keys, final LongFunction<Decision> decisionOf)
    {
        Arrays.sort(keys);
        final AddressRanges ranges = new AddressRanges();
        final Deque<Open> around = new ArrayDeque<>();
        for (final long key : keys)
        {
            final long first = RouteKey.prefix(key) & 0xFFFF_FFFFL;
            ranges.closeBefore(first, around);
            ranges.append(first, decisionOf.apply(key));
            around.push(new Open(
                first + (~Ipv4Address.mask(RouteKey.length(key)) & 0xFFFF_FFFFL), decisionOf.apply(key)));
        }
        ranges.closeBefore(ADDRESS_LIMIT, around);
        if (ranges.starts.isEmpty() || ranges.starts.getLong(0) != 0)
        {
            ranges.starts.addLong(0, 0);
            ranges.decisions.add(0, null);
        }
        return ranges;
    }

    /** Returns the decisions of other ranges, and those of this where the others have none. */
    AddressRanges under(final AddressRanges over)
    {
        final AddressRanges both = new AddressRanges();
        int mine = 0;
        int theirs = 0;
        long at = 0;
        while (at < ADDRESS_LIMIT)
        {
            both.append(at, over.decision(theirs) != null ? over.decision(theirs) : decision(mine));
            final long mineEnd = end(mine);
            final long theirsEnd = over.end(theirs);
            at = Math.min(mineEnd, theirsEnd);
            mine += mineEnd == at ? 1 : 0;
            theirs += theirsEnd == at ? 1 : 0;
        }
        return both;
    }

    int size()
    {
        return decisions.size();
    }

    long start(final int range)
    {
        return starts.getLong(range);
    }

    /** First address after a range. */
    long end(final int range)
    {
        return range + 1 < starts.size() ? starts.getLong(range + 1) : ADDRESS_LIMIT;
    }

    /** Decision of a range, or null where it has none. */
    Decision decision(final int range)
    {
        return decisions.get(range);
    }

    Decision at(final int address)
    {
        final long wanted = address & 0xFFFF_FFFFL;
        int low = 0;
        int high = starts.size() - 1;
        while (low < high)
        {
            final int middle = low + high + 1 >>> 1;
            if (starts.getLong(middle) <= wanted)
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

    private void closeBefore(final long first, final Deque<Open> around)
    {
        while (!around.isEmpty() && around.peek().last < first)
        {
            final long behind = around.pop().last + 1;
            if (behind < ADDRESS_LIMIT)
            {
                append(behind, around.isEmpty() ? null : around.peek().decision);
            }
        }
    }

    private void append(final long start, final Decision decision)
    {
        final int last = starts.size() - 1;
        if (last >= 0 && starts.getLong(last) == start)
        {
            decisions.set(last, decision);
        }
        else if (last < 0 || decisions.get(last) != decision)
        {
            starts.addLong(start);
            decisions.add(decision);
        }
    }

    private record Open(long last, Decision decision)
    {
    }
}
