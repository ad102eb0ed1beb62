package org.fibnuma.bench.forward;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

/** The network in which generated tables have their next hops: the first 16 bits of RFC 2544's 198.18.0.0/15. */
final class NextHopNetwork
{
    static final int LENGTH = 16;
    /** The router's own address in it. */
    static final String ROUTER = "198.18.255.254";

    private NextHopNetwork()
    {
    }

    static boolean contains(final int address)
    {
        return ((address ^ RouteTableGenerator.FIRST_NEXT_HOP) & Ipv4Address.mask(LENGTH)) == 0;
    }
}
