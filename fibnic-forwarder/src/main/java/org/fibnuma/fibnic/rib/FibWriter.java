package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.fib.FibRules;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;

/** Writes the prefixes of one family to its FIB. */
interface FibWriter
{
    /** Adds a prefix of the family or replaces its adjacency. */
    void announce(IpPrefix prefix, int adjacency);

    /** Removes a prefix of the family if the FIB has it. */
    void withdraw(IpPrefix prefix);

    static FibWriter of(final Ipv4Fib fib)
    {
        return new FibWriter()
        {
            @Override
            public void announce(final IpPrefix prefix, final int adjacency)
            {
                fib.announce(prefix.ipv4(), prefix.length(), adjacency);
            }

            @Override
            public void withdraw(final IpPrefix prefix)
            {
                fib.withdraw(prefix.ipv4(), prefix.length());
            }
        };
    }

    static FibWriter of(final Ipv6Fib fib)
    {
        return new FibWriter()
        {
            @Override
            public void announce(final IpPrefix prefix, final int adjacency)
            {
                fib.announce(prefix.high(), prefix.low(), prefix.length(), adjacency);
            }

            @Override
            public void withdraw(final IpPrefix prefix)
            {
                fib.withdraw(prefix.high(), prefix.low(), prefix.length());
            }
        };
    }

    /** Writes IPv4 prefixes to a FIB that has them in the first bits of an address, see {@link FibRules}. */
    static FibWriter ofIpv4(final Ipv6Fib fib)
    {
        return new FibWriter()
        {
            @Override
            public void announce(final IpPrefix prefix, final int adjacency)
            {
                fib.announce(FibRules.inHigh(prefix.ipv4()), 0, prefix.length(), adjacency);
            }

            @Override
            public void withdraw(final IpPrefix prefix)
            {
                fib.withdraw(FibRules.inHigh(prefix.ipv4()), 0, prefix.length());
            }
        };
    }
}
