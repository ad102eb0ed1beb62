package org.fibnuma.core.kernel;

/**
 * The properties of an IPv4 route: of a {@link KernelRoute}, or of a message that is being read, which is not kept as
 * an object. Where a method receives one it is valid until the method returns; {@link #copy()} lasts.
 */
public interface KernelRouteView
{
    /**
     * The address of the destination.
     *
     * @return as in {@link org.fibnuma.core.wire.Ipv4Address}.
     */
    int prefix();

    /**
     * How many bits of {@link #prefix()} count.
     *
     * @return 0 to 32.
     */
    int prefixLength();

    /**
     * The routing table.
     *
     * @return such as {@link KernelRoute#TABLE_MAIN}.
     */
    int table();

    /**
     * The preference among routes of a table for one prefix.
     *
     * @return unsigned; the lowest wins.
     */
    int metric();

    /**
     * What the route does.
     *
     * @return never null.
     */
    KernelRoute.Kind kind();

    /**
     * The next hop.
     *
     * @return an address, or 0 where the destination is on the link itself.
     */
    int gateway();

    /**
     * The interface that it leaves by.
     *
     * @return the kernel's number, or 0 where it names none.
     */
    int interfaceIndex();

    /**
     * The same properties in an object that does not change.
     *
     * @return a route equal to this.
     */
    default KernelRoute copy()
    {
        return new KernelRoute(prefix(), prefixLength(), table(), metric(), kind(), gateway(), interfaceIndex());
    }
}
