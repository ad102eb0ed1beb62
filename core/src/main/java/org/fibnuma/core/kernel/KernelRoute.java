package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/**
 * IPv4 or IPv6 route.
 *
 * @param isIpv6         family of the destinations. The next hop of an IPv4 route may be IPv6 (RFC 8950).
 * @param network        network address of the prefix.
 * @param prefixLength   0 to 32, or 0 to 128 if it is IPv6.
 * @param table          routing table: 254 main, 255 local.
 * @param metric         unsigned; the lowest is preferred among routes for one prefix.
 * @param kind           route type.
 * @param gateway        next hop, or {@link IpAddress#NONE} if the destination is on the link.
 * @param interfaceIndex index of the egress interface, or 0 if there is none (blackhole and similar types).
 * @param multipath      the next hops of a route that has several; gateway and interface are those of one of them. Null
 *                       for other routes.
 * @param options        MTU, source and scope; {@link RouteOptions#NONE} unless the kind is {@link Kind#UNICAST}.
 */
public record KernelRoute(
    boolean isIpv6,
    IpAddress network,
    int prefixLength,
    int table,
    int metric,
    Kind kind,
    IpAddress gateway,
    int interfaceIndex,
    KernelMultipath multipath,
    RouteOptions options)
    implements KernelRouteView
{
    /** The main routing table (RT_TABLE_MAIN). */
    public static final int TABLE_MAIN = 254;
    /** The table of local and broadcast addresses (RT_TABLE_LOCAL). */
    public static final int TABLE_LOCAL = 255;

    /** Creates a route without options. */
    public KernelRoute(
        final boolean isIpv6,
        final IpAddress network,
        final int prefixLength,
        final int table,
        final int metric,
        final Kind kind,
        final IpAddress gateway,
        final int interfaceIndex,
        final KernelMultipath multipath)
    {
        this(isIpv6, network, prefixLength, table, metric, kind, gateway, interfaceIndex, multipath,
            RouteOptions.NONE);
    }

    /** Creates a route with at most one next hop and without options. */
    public KernelRoute(
        final boolean isIpv6,
        final IpAddress network,
        final int prefixLength,
        final int table,
        final int metric,
        final Kind kind,
        final IpAddress gateway,
        final int interfaceIndex)
    {
        this(isIpv6, network, prefixLength, table, metric, kind, gateway, interfaceIndex, null);
    }

    /**
     * Creates an IPv4 route with at most one IPv4 next hop and without options. Network address and gateway are in the
     * format of {@link org.fibnuma.core.wire.Ipv4Address}; gateway 0 means that the destination is on the link.
     */
    public KernelRoute(
        final int prefix,
        final int prefixLength,
        final int table,
        final int metric,
        final Kind kind,
        final int gateway,
        final int interfaceIndex)
    {
        this(false, IpAddress.of(prefix), prefixLength, table, metric, kind,
            gateway == 0 ? IpAddress.NONE : IpAddress.of(gateway), interfaceIndex, null);
    }

    @Override
    public long prefixHigh()
    {
        return network.high();
    }

    @Override
    public long prefixLow()
    {
        return network.low();
    }

    @Override
    public long gatewayHigh()
    {
        return gateway.high();
    }

    @Override
    public long gatewayLow()
    {
        return gateway.low();
    }

    @Override
    public KernelRoute copy()
    {
        return this;
    }

    /** Route types (RTN_*, linux/rtnetlink.h). */
    public enum Kind
    {
        /** Forward to the gateway or on the link. */
        UNICAST,
        /** The destination is an address of this host, in IPv6 also an anycast address. */
        LOCAL,
        BROADCAST,
        /** Drop silently. */
        BLACKHOLE,
        /** Drop, answer host unreachable. */
        UNREACHABLE,
        /** Drop, answer administratively prohibited. */
        PROHIBIT,
        /**
         * All IPv6 routes to the prefix, of any metric, of which some are for packets from some sources only. The
         * kernel receives all packets to the prefix.
         */
        SOURCE_SPECIFIC,
        /**
         * All IPv4 routes of this table to the prefix that are for packets with one TOS only, of any metric; this one
         * has metric 0. The kernel prefers them to the other routes of the prefix and table, and receives all packets
         * to the prefix.
         */
        TOS_SPECIFIC,
        /** Any other type: the kernel receives the packets. */
        OTHER
    }
}
