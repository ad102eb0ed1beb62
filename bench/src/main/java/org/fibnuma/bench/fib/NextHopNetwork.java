package org.fibnuma.bench.fib;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

/** Network of the next hops in generated tables: the first /16 of RFC 2544's 198.18.0.0/15. */
public final class NextHopNetwork
{
    /** Length of the network's prefix. */
    public static final int LENGTH = 16;
    /** The router's own address in the network. */
    public static final String ROUTER = "198.18.255.254";

    private NextHopNetwork()
    {
    }

    /** Returns whether an IPv4 address is in the network, like the next hops and the router. */
    public static boolean contains(final int address)
    {
        return ((address ^ RouteTableGenerator.FIRST_NEXT_HOP) & Ipv4Address.mask(LENGTH)) == 0;
    }
}
