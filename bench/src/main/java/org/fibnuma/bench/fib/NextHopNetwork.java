package org.fibnuma.bench.fib;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.routes.Ipv6RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

/**
 * Networks of the next hops in generated tables: the first /16 of RFC 2544's 198.18.0.0/15, and RFC 5180's
 * 2001:2::/48.
 */
public final class NextHopNetwork
{
    /** Length of the IPv4 network's prefix. */
    public static final int LENGTH = 16;
    /** The router's own address in the IPv4 network. */
    public static final String ROUTER = "198.18.255.254";
    /** Length of the IPv6 network's prefix. */
    public static final int IPV6_LENGTH = 48;
    /** The router's own address in the IPv6 network. */
    public static final String IPV6_ROUTER = "2001:2::ffff:1";

    private NextHopNetwork()
    {
    }

    /** Returns whether an IPv4 address is in the network, like the next hops and the router. */
    public static boolean contains(final int address)
    {
        return ((address ^ RouteTableGenerator.FIRST_NEXT_HOP) & Ipv4Address.mask(LENGTH)) == 0;
    }

    /** Returns whether the IPv6 address with this high half is in the network, like the next hops and the router. */
    public static boolean contains(final long high)
    {
        return ((high ^ Ipv6RouteTableGenerator.FIRST_NEXT_HOP.high()) & Ipv6Address.maskHigh(IPV6_LENGTH)) == 0;
    }
}
