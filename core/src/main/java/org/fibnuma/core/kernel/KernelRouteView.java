package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;

/**
 * The properties of a {@link KernelRoute}, or of a route in a netlink message that is parsed without allocation. A view
 * that is passed to a method is valid until the method returns; {@link #copy()} makes a permanent object. Addresses are
 * in two halves in the format of {@link IpAddress}: IPv4 addresses are IPv4-mapped.
 */
public interface KernelRouteView
{
    /** Returns whether the destinations are IPv6. The next hop of an IPv4 route may be IPv6 too. */
    boolean isIpv6();

    /** Returns the high half of the network address; 0 if it is IPv4. */
    long prefixHigh();

    /** Returns the low half of the network address. */
    long prefixLow();

    /** Returns the network address of an IPv4 route in the format of {@link org.fibnuma.core.wire.Ipv4Address}. */
    default int prefix()
    {
        return (int)prefixLow();
    }

    /** Returns the length of the prefix in bits, 0 to 32, or 0 to 128 if it is IPv6. */
    int prefixLength();

    /** Returns the routing table, such as {@link KernelRoute#TABLE_MAIN}. */
    int table();

    /** Returns the metric, unsigned; the lowest is preferred among routes of a table for one prefix. */
    int metric();

    /** Returns the route type, never null. */
    KernelRoute.Kind kind();

    /** Returns the high half of the next hop; both halves are 0 if the destination is on the link. */
    long gatewayHigh();

    /** Returns the low half of the next hop. */
    long gatewayLow();

    /** Returns whether there is a next hop and it is IPv6. */
    default boolean hasIpv6Gateway()
    {
        return !Ipv6Address.isUnspecified(gatewayHigh(), gatewayLow()) &&
            !Ipv6Address.isIpv4Mapped(gatewayHigh(), gatewayLow());
    }

    /** Returns the index of the egress interface, or 0 if there is none. */
    int interfaceIndex();

    /**
     * Returns the next hops of a route that has several; gateway and interface of the route are those of one of them.
     * Null for other routes.
     */
    default KernelMultipath multipath()
    {
        return null;
    }

    /** Returns MTU, source and scope of the route, never null. */
    default RouteOptions options()
    {
        return RouteOptions.NONE;
    }

    /** Returns a permanent object with the same properties. */
    default KernelRoute copy()
    {
        return new KernelRoute(isIpv6(), new IpAddress(prefixHigh(), prefixLow()), prefixLength(), table(), metric(),
            kind(), new IpAddress(gatewayHigh(), gatewayLow()), interfaceIndex(), multipath(), options());
    }
}
