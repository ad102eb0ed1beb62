package org.fibnuma.core.kernel;

/**
 * IPv4 route.
 *
 * @param prefix         network address in the format of {@link org.fibnuma.core.wire.Ipv4Address}.
 * @param prefixLength   0 to 32.
 * @param table          routing table: 254 main, 255 local.
 * @param metric         unsigned; the lowest is preferred among routes for one prefix.
 * @param kind           route type.
 * @param gateway        next hop, or 0 if the destination is on the link.
 * @param interfaceIndex index of the egress interface, or 0 if there is none (blackhole and similar types).
 */
public record KernelRoute(
    int prefix, int prefixLength, int table, int metric, Kind kind, int gateway, int interfaceIndex)
    implements KernelRouteView
{
    /** The main routing table (RT_TABLE_MAIN). */
    public static final int TABLE_MAIN = 254;
    /** The table of local and broadcast addresses (RT_TABLE_LOCAL). */
    public static final int TABLE_LOCAL = 255;

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
        /** The destination is an address of this host. */
        LOCAL,
        /** A broadcast address. */
        BROADCAST,
        /** Drop silently. */
        BLACKHOLE,
        /** Drop, answer host unreachable. */
        UNREACHABLE,
        /** Drop, answer administratively prohibited. */
        PROHIBIT,
        /** Any other type: left to the kernel. */
        OTHER
    }
}
