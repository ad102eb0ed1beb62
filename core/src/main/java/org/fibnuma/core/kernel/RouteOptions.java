package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/**
 * Properties of a route beside its next hop: the longest packet, and the source address of the host's own packets by
 * the route.
 *
 * @param mtu       longest packet in bytes (RTAX_MTU), 0 if the route states none.
 * @param mtuLocked whether the MTU replaces the one that IPv6 has on the interface (RTAX_LOCK).
 * @param source    preferred source address (RTA_PREFSRC), or {@link IpAddress#NONE}.
 * @param scope     of an IPv4 route ({@code RT_SCOPE_...}); 0 for IPv6. An address with a higher scope is not used as a
 *                  source.
 */
public record RouteOptions(int mtu, boolean mtuLocked, IpAddress source, int scope)
{
    /** Scope of most routes by a gateway: the whole Internet (RT_SCOPE_UNIVERSE, linux/rtnetlink.h). */
    public static final int SCOPE_UNIVERSE = 0;
    /** Scope of connected networks (RT_SCOPE_LINK). */
    public static final int SCOPE_LINK = 253;
    /** Scope of addresses of this host alone (RT_SCOPE_HOST). */
    public static final int SCOPE_HOST = 254;

    /** Options of a route without such properties. */
    public static final RouteOptions NONE = new RouteOptions(0, false, IpAddress.NONE, SCOPE_UNIVERSE);

    /**
     * Returns the length in bytes of the longest IPv4 packet by the route. A higher MTU of the route does not exceed
     * the MTU of the egress interface.
     */
    public int ipv4Mtu(final int linkMtu)
    {
        return mtu == 0 ? linkMtu : Math.min(linkMtu, mtu);
    }

    /**
     * Returns the length in bytes of the longest IPv6 packet by the route.
     *
     * @param linkMtu of the egress interface.
     * @param ipv6Mtu that IPv6 has on the interface, at most that of the link.
     */
    public int ipv6Mtu(final int linkMtu, final int ipv6Mtu)
    {
        return mtuLocked ? ipv4Mtu(linkMtu) : ipv4Mtu(ipv6Mtu);
    }
}
