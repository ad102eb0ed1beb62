package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;

/**
 * Longest-prefix match over the ranges that a set of routes cuts the address space into, found by one sweep with a
 * stack over the sorted routes; a lookup is a binary search. Good for full tables, and nothing in it is the FIB's.
 */
final class IntervalLpm
{
    private final long[] starts;
    private final int[] adjacencies;
    private int count;

    IntervalLpm(final Map<Ipv4Prefix, Integer> routes)
    {
        starts = new long[2 * routes.size() + 1];
        adjacencies = new int[starts.length];
        begin(0, 0);
        final Ipv4Prefix[] sorted = routes.keySet().toArray(new Ipv4Prefix[0]);
        Arrays.sort(sorted, Comparator.comparingLong(IntervalLpm::first).thenComparingInt(Ipv4Prefix::length));
        final Deque<Ipv4Prefix> open = new ArrayDeque<>();
        for (final Ipv4Prefix prefix : sorted)
        {
            closeBefore(first(prefix), open, routes);
            begin(first(prefix), routes.get(prefix));
            open.push(prefix);
        }
        closeBefore(1L << 32, open, routes);
    }

    int lookup(final int destination)
    {
        final int found = Arrays.binarySearch(starts, 0, count, destination & 0xFFFF_FFFFL);
        return adjacencies[found >= 0 ? found : -found - 2];
    }

    private void closeBefore(final long address, final Deque<Ipv4Prefix> open, final Map<Ipv4Prefix, Integer> routes)
    {
        while (!open.isEmpty() && end(open.peek()) <= address)
        {
            final long end = end(open.pop());
            begin(end, open.isEmpty() ? 0 : routes.get(open.peek()));
        }
    }

    private void begin(final long start, final int adjacency)
    {
        // Several ranges that begin at one address: the last one said is the innermost that goes on.
        count -= count > 0 && starts[count - 1] == start ? 1 : 0;
        starts[count] = start;
        adjacencies[count++] = adjacency;
    }

    private static long first(final Ipv4Prefix prefix)
    {
        return prefix.address() & 0xFFFF_FFFFL;
    }

    private static long end(final Ipv4Prefix prefix)
    {
        return (prefix.last() & 0xFFFF_FFFFL) + 1;
    }
}
