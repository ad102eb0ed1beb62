package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * One next hop, immutable: a change is a new object in the {@link AdjacencyTable}, so that no worker sees half of a
 * change. Stores the first twelve bytes of a frame that leaves by it, ready to copy. Ordinary frames are rewritten from
 * {@link AdjacencyTable#rewrite}, which has the same bytes in numbers.
 */
public final class Adjacency
{
    private static final int NO_INTERFACE = -1;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final AdjacencyKind kind;
    private final int egressInterface;
    private final IpAddress nextHop;
    private final int mtu;
    private final int ipv6Mtu;
    private final int ipv6InputMtu;
    private final long macsHigh;
    private final int macsLow;
    private final AdjacencyGroup group;
    private final RouteOptions options;

    private Adjacency(
        final AdjacencyKind kind,
        final int egressInterface,
        final IpAddress nextHop,
        final int mtu,
        final long destinationMac,
        final long sourceMac,
        final AdjacencyGroup group)
    {
        this.kind = kind;
        this.egressInterface = egressInterface;
        this.nextHop = nextHop;
        this.mtu = mtu;
        this.ipv6Mtu = mtu;
        this.ipv6InputMtu = mtu;
        this.options = RouteOptions.NONE;
        this.macsHigh = networkOrder(destinationMac << Short.SIZE | sourceMac >>> Integer.SIZE);
        this.macsLow = networkOrder((int)sourceMac);
        this.group = group;
    }

    private Adjacency(final Adjacency of, final RouteOptions options, final int ipv6Mtu)
    {
        this.kind = of.kind;
        this.egressInterface = of.egressInterface;
        this.nextHop = of.nextHop;
        this.mtu = Math.max(RouterInterface.MIN_MTU, options.ipv4Mtu(of.mtu));
        this.ipv6Mtu = Math.max(RouterInterface.MIN_MTU, options.ipv6Mtu(of.mtu, ipv6Mtu));
        this.ipv6InputMtu =
            Math.max(Ipv6HeaderFlyweight.MIN_MTU, options.mtuLocked() ? options.ipv6Mtu(of.mtu, ipv6Mtu) : ipv6Mtu);
        this.macsHigh = of.macsHigh;
        this.macsLow = of.macsLow;
        this.group = of.group;
        this.options = options;
    }

    /**
     * Returns a copy for routes with options.
     *
     * @param linkIpv6Mtu longest IPv6 packet on the egress link in bytes, at most its MTU.
     */
    public Adjacency with(final RouteOptions routeOptions, final int linkIpv6Mtu)
    {
        return routeOptions == RouteOptions.NONE && linkIpv6Mtu == mtu ? this :
            new Adjacency(this, routeOptions, linkIpv6Mtu);
    }

    /**
     * Creates the adjacency of a next hop that frames can be sent to.
     *
     * @param egressInterface number of the interface, see {@link InterfaceNumber}.
     * @param nextHop         its address, of either family for packets of either family (RFC 8950);
     *                        {@link IpAddress#NONE} where it is the destination itself.
     * @param mtu             of the egress interface in bytes.
     * @param destinationMac  its link-layer address.
     * @param sourceMac       the egress interface's link-layer address.
     */
    public static Adjacency forward(
        final int egressInterface,
        final IpAddress nextHop,
        final int mtu,
        final long destinationMac,
        final long sourceMac)
    {
        return new Adjacency(AdjacencyKind.FORWARD, egressInterface, nextHop, mtu, destinationMac, sourceMac, null);
    }

    /**
     * Creates the adjacency of a gateway whose link-layer address is not resolved yet, with the same parameters as
     * {@link #forward}.
     */
    public static Adjacency unresolved(final int egressInterface, final IpAddress nextHop, final int mtu)
    {
        return new Adjacency(AdjacencyKind.UNRESOLVED, egressInterface, nextHop, mtu, 0, 0, null);
    }

    /** Creates the adjacency of a connected network, with the same parameters as {@link #forward}. */
    public static Adjacency glean(final int egressInterface, final int mtu)
    {
        return new Adjacency(AdjacencyKind.GLEAN, egressInterface, IpAddress.NONE, mtu, 0, 0, null);
    }

    /** Creates an adjacency that sends nothing, of a kind other than FORWARD, UNRESOLVED, GLEAN and GROUP. */
    public static Adjacency of(final AdjacencyKind kind)
    {
        return new Adjacency(kind, NO_INTERFACE, IpAddress.NONE, 0, 0, 0, null);
    }

    /** Creates the adjacency of several next hops, of which one is selected by the flow of a frame. */
    public static Adjacency group(final AdjacencyGroup group)
    {
        return new Adjacency(AdjacencyKind.GROUP, NO_INTERFACE, IpAddress.NONE, 0, 0, 0, group);
    }

    /** Returns what is done with a frame. */
    public AdjacencyKind kind()
    {
        return kind;
    }

    /** Returns the members of an adjacency of kind GROUP; null for all others. */
    public AdjacencyGroup group()
    {
        return group;
    }

    /** Returns the index of the port by which frames leave, or -1 where nothing is sent. */
    public int egressPort()
    {
        return egressInterface == NO_INTERFACE ? NO_INTERFACE : InterfaceNumber.portOf(egressInterface);
    }

    /** Returns the number, as in {@link InterfaceNumber}, of the interface by which frames leave, or -1 for none. */
    public int egressInterface()
    {
        return egressInterface;
    }

    /** Returns the address of the neighbour, {@link IpAddress#NONE} where the destination itself is the next hop. */
    public IpAddress nextHop()
    {
        return nextHop;
    }

    /**
     * Returns the IPv4 address on the egress link that represents the next hop of a packet.
     *
     * @param destination of the IPv4 packet.
     * @return the neighbour's address; the destination where that is the next hop or the neighbour has an IPv6 address.
     */
    public int ipv4NextHop(final int destination)
    {
        return nextHop.isIpv4() ? nextHop.ipv4() : destination;
    }

    /** Returns the longest IPv4 packet that is sent in bytes: of the egress link or, if that is shorter, the route. */
    public int mtu()
    {
        return mtu;
    }

    /** Returns the longest IPv6 packet that is sent in bytes. */
    public int ipv6Mtu()
    {
        return ipv6Mtu;
    }

    /**
     * Returns the longest IPv6 packet, in bytes, for which Linux lowers the hop limit before it finds that the packet
     * exceeds {@link #ipv6Mtu} (ip6_forward in net/ipv6/ip6_output.c, Linux 6.1): the MTU of the route counts there
     * only if it is locked. The ICMPv6 error about a longer packet has this MTU.
     */
    public int ipv6InputMtu()
    {
        return ipv6InputMtu;
    }

    /** Returns the options of the routes by this next hop. */
    public RouteOptions options()
    {
        return options;
    }

    /** Returns the neighbour's link-layer address, as in {@link org.fibnuma.core.wire.MacAddress}; 0 where unknown. */
    public long destinationMac()
    {
        return networkOrder(macsHigh) >>> Short.SIZE;
    }

    /** Returns the egress interface's link-layer address, as in {@link org.fibnuma.core.wire.MacAddress}. */
    public long sourceMac()
    {
        return (networkOrder(macsHigh) & 0xFFFF) << Integer.SIZE | networkOrder(macsLow) & 0xFFFF_FFFFL;
    }

    /** Returns bytes 0 to 7 of a frame that leaves by this adjacency, in machine order. */
    public long macsHigh()
    {
        return macsHigh;
    }

    /** Returns bytes 8 to 11 of a frame that leaves by this adjacency, in machine order. */
    public int macsLow()
    {
        return macsLow;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final Adjacency that &&
            kind == that.kind && egressInterface == that.egressInterface && nextHop.equals(that.nextHop) &&
            mtu == that.mtu && ipv6Mtu == that.ipv6Mtu && ipv6InputMtu == that.ipv6InputMtu &&
            macsHigh == that.macsHigh && macsLow == that.macsLow &&
            Objects.equals(group, that.group) && options.equals(that.options);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(kind, egressInterface, nextHop, mtu, macsHigh, macsLow, group);
    }

    private static long networkOrder(final long value)
    {
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }

    private static int networkOrder(final int value)
    {
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }
}
