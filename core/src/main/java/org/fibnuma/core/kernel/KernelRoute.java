package org.fibnuma.core.kernel;

/**
 * An IPv4 route.
 *
 * @param prefix         its address, as in {@link org.fibnuma.core.wire.Ipv4Address}.
 * @param prefixLength   0 to 32.
 * @param table          routing table: 254 main, 255 local.
 * @param metric         the lower wins among routes for one prefix.
 * @param kind           what the route does.
 * @param gateway        next hop, or 0 where the destination is on the link itself.
 * @param interfaceIndex that it leaves by, or 0 where it names none (blackhole and its kin).
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
        /** Ours. */
        LOCAL,
        /** A broadcast address. */
        BROADCAST,
        /** Drop silently. */
        BLACKHOLE,
        /** Drop, answer host unreachable. */
        UNREACHABLE,
        /** Drop, answer administratively prohibited. */
        PROHIBIT,
        /** Anything else: left to the kernel. */
        OTHER
    }
}
