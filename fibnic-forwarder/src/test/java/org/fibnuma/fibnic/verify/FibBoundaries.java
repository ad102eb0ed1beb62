package org.fibnuma.fibnic.verify;

import org.agrona.collections.LongArrayList;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;

import java.util.ArrayList;
import java.util.List;

/** Where the prefixes of a whole FIB begin and end. */
final class FibBoundaries
{
    private FibBoundaries()
    {
    }

    /** See {@link FibComparison#addBoundaries}. */
    static long[] of(final Ipv4Fib fib)
    {
        final LongArrayList boundaries = new LongArrayList();
        int position = 0;
        while (position != Ipv4Fib.END)
        {
            position = FibComparison.addBoundaries(fib, position, boundaries);
        }
        return boundaries.toLongArray();
    }

    /** See {@link Ipv6FibComparison#addLastAddresses}. */
    static List<IpAddress> of(final Ipv6Fib fib)
    {
        final List<IpAddress> lastAddresses = new ArrayList<>();
        int position = 0;
        while (position != Ipv6Fib.END)
        {
            position = Ipv6FibComparison.addLastAddresses(true, fib, position, lastAddresses);
        }
        return lastAddresses;
    }
}
