package org.fibnuma.fibnic.verify;

import org.agrona.collections.LongArrayList;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.Arrays;

/** Where the prefixes of a FIB begin and end. */
public final class FibBoundaries
{
    private FibBoundaries()
    {
    }

    /**
     * Collects them; control thread, some 10 ms for a million routes.
     *
     * @param fib to read.
     * @return the first address of each prefix and the one behind its last, in no order, 0 to 2^32.
     */
    public static long[] of(final Ipv4Fib fib)
    {
        final LongArrayList boundaries = new LongArrayList(2 * fib.size() + 1, Long.MIN_VALUE);
        fib.forEach((prefix, length, adjacency) ->
        {
            final long first = prefix & 0xFFFF_FFFFL;
            boundaries.addLong(first);
            boundaries.addLong(first + (~Ipv4Address.mask(length) & 0xFFFF_FFFFL) + 1);
        });
        return boundaries.toLongArray();
    }

    /**
     * Puts them in order; any thread.
     *
     * @param boundaries as collected; sorted in place.
     * @return the same.
     */
    public static long[] sorted(final long[] boundaries)
    {
        Arrays.parallelSort(boundaries);
        return boundaries;
    }
}
