package org.fibnuma.bench.fib;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

/** The network in which generated tables have their next hops: the first 16 bits of RFC 2544's 198.18.0.0/15. */
public final class NextHopNetwork
{
    /** Bits that are the same in all its addresses. */
    public static final int LENGTH = 16;
    /** The router's own address in it. */
    public static final String ROUTER = "198.18.255.254";

    private NextHopNetwork()
    {
    }

    /**
     * Whether an address is in it.
     *
     * @param address IPv4.
     * @return true for next hops and the router.
     */
    public static boolean contains(final int address)
    {
        return ((address ^ RouteTableGenerator.FIRST_NEXT_HOP) & Ipv4Address.mask(LENGTH)) == 0;
    }
}
