package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.wire.IpAddress;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * One next hop, immutable: a change is a new object in the {@link AdjacencyTable}, so that no worker sees half of a
 * change. Stores the first twelve bytes of a frame that leaves by it, ready to copy. Ordinary frames are rewritten from
 * {@link AdjacencyTable#rewrite}, which has the same bytes in numbers.
 */
public final class Adjacency
{
    private static final int NO_PORT = -1;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final AdjacencyKind kind;
    private final int egressPort;
    private final IpAddress nextHop;
    private final int mtu;
    private final long macsHigh;
    private final int macsLow;

    private Adjacency(
        final AdjacencyKind kind,
        final int egressPort,
        final IpAddress nextHop,
        final int mtu,
        final long destinationMac,
        final long sourceMac)
    {
        this.kind = kind;
        this.egressPort = egressPort;
        this.nextHop = nextHop;
        this.mtu = mtu;
        this.macsHigh = networkOrder(destinationMac << Short.SIZE | sourceMac >>> Integer.SIZE);
        this.macsLow = networkOrder((int)sourceMac);
    }

    /**
     * A next hop that frames can be sent to.
     *
     * @param egressPort     index of the port.
     * @param nextHop        its address, of either family for packets of either family (RFC 8950);
     *                       {@link IpAddress#NONE} where it is the destination itself.
     * @param mtu            of the egress link in bytes.
     * @param destinationMac its link-layer address.
     * @param sourceMac      the egress port's link-layer address.
     * @return the adjacency.
     */
    public static Adjacency forward(
        final int egressPort,
        final IpAddress nextHop,
        final int mtu,
        final long destinationMac,
        final long sourceMac)
    {
        return new Adjacency(AdjacencyKind.FORWARD, egressPort, nextHop, mtu, destinationMac, sourceMac);
    }

    /**
     * A gateway whose link-layer address is not known yet.
     *
     * @param egressPort index of the port.
     * @param nextHop    the gateway's address.
     * @param mtu        of the egress link in bytes.
     * @return the adjacency.
     */
    public static Adjacency unresolved(final int egressPort, final IpAddress nextHop, final int mtu)
    {
        return new Adjacency(AdjacencyKind.UNRESOLVED, egressPort, nextHop, mtu, 0, 0);
    }

    /**
     * A connected network.
     *
     * @param egressPort index of the port.
     * @param mtu        of the link in bytes.
     * @return the adjacency.
     */
    public static Adjacency glean(final int egressPort, final int mtu)
    {
        return new Adjacency(AdjacencyKind.GLEAN, egressPort, IpAddress.NONE, mtu, 0, 0);
    }

    /**
     * An adjacency that sends nothing.
     *
     * @param kind other than FORWARD, UNRESOLVED and GLEAN.
     * @return the adjacency.
     */
    public static Adjacency of(final AdjacencyKind kind)
    {
        return new Adjacency(kind, NO_PORT, IpAddress.NONE, 0, 0, 0);
    }

    /** Returns what is done with a frame. */
    public AdjacencyKind kind()
    {
        return kind;
    }

    /** Returns the index of the port that frames leave by, or -1 where nothing is sent. */
    public int egressPort()
    {
        return egressPort;
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

    /** Returns the longest IP packet on the egress link in bytes. */
    public int mtu()
    {
        return mtu;
    }

    /** Returns the neighbour's link-layer address, as in {@link org.fibnuma.core.wire.MacAddress}; 0 where unknown. */
    public long destinationMac()
    {
        return networkOrder(macsHigh) >>> Short.SIZE;
    }

    /** Returns the egress port's link-layer address, as in {@link org.fibnuma.core.wire.MacAddress}. */
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
        return other instanceof Adjacency && equals((Adjacency)other);
    }

    private boolean equals(final Adjacency other)
    {
        return kind == other.kind && egressPort == other.egressPort && nextHop.equals(other.nextHop) &&
            mtu == other.mtu && macsHigh == other.macsHigh && macsLow == other.macsLow;
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(kind, egressPort, nextHop, mtu, macsHigh, macsLow);
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
