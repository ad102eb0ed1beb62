package org.fibnuma.core.kernel;

/**
 * The properties of an IPv4 route: of a {@link KernelRoute}, or of a netlink message that is being parsed without
 * allocating an object. A view that is passed to a method is valid until the method returns; {@link #copy()} makes a
 * permanent object.
 */
public interface KernelRouteView
{
    /** Returns the network address in the format of {@link org.fibnuma.core.wire.Ipv4Address}. */
    int prefix();

    /** Returns the length of the prefix in bits, 0 to 32. */
    int prefixLength();

    /** Returns the routing table, such as {@link KernelRoute#TABLE_MAIN}. */
    int table();

    /** Returns the metric, unsigned; the lowest is preferred among routes of a table for one prefix. */
    int metric();

    /** Returns the route type, never null. */
    KernelRoute.Kind kind();

    /** Returns the next hop, or 0 if the destination is on the link. */
    int gateway();

    /** Returns the index of the egress interface, or 0 if there is none. */
    int interfaceIndex();

    /** Returns a permanent object with the same properties. */
    default KernelRoute copy()
    {
        return new KernelRoute(prefix(), prefixLength(), table(), metric(), kind(), gateway(), interfaceIndex());
    }
}
