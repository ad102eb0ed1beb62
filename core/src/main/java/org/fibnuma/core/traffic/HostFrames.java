package org.fibnuma.core.traffic;

import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

/** Writes the Ethernet and IP headers of the frames that a host sends to its router. For one thread. */
public final class HostFrames
{
    /** Offset of the IPv4 payload in a frame, in bytes. */
    public static final int PAYLOAD_OFFSET = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;

    public static final int IPV6_PAYLOAD_OFFSET = EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();
    private final long routerMac;
    private final long ownMac;
    private final int ownAddress;
    private final IpAddress ownIpv6;
    private final int frameLength;
    private int trafficClass;

    /** Creates the writer for one host that sends IPv4 only. */
    public HostFrames(final long routerMac, final long ownMac, final int ownAddress, final int frameLength)
    {
        this(routerMac, ownMac, ownAddress, IpAddress.NONE, frameLength);
    }

    /**
     * Creates the writer for one host.
     *
     * @param routerMac   MAC address of the router, in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @param ownMac      MAC address of the host.
     * @param ownAddress  IPv4 address of the host.
     * @param ownIpv6     IPv6 address of the host.
     * @param frameLength length of every frame in bytes, without FCS.
     */
    public HostFrames(
        final long routerMac, final long ownMac, final int ownAddress, final IpAddress ownIpv6, final int frameLength)
    {
        this.routerMac = routerMac;
        this.ownMac = ownMac;
        this.ownAddress = ownAddress;
        this.ownIpv6 = ownIpv6;
        this.frameLength = frameLength;
    }

    /** Sets the traffic class of later packets, at first 0: DSCP and ECN bits, 0 to 255. */
    public void trafficClass(final int trafficClass)
    {
        this.trafficClass = trafficClass;
    }

    /** Returns the length of every frame in bytes, without FCS. */
    public int frameLength()
    {
        return frameLength;
    }

    /**
     * Writes the Ethernet header and the IPv4 or IPv6 header.
     *
     * @param frame       native address of the first byte of the frame.
     * @param destination IPv4 or IPv6 destination address.
     * @param protocol    constant of {@link org.fibnuma.core.wire.IpProtocol}.
     * @param hopLimit    time to live or hop limit, 0 to 255.
     * @return offset of the payload in the frame, {@link #PAYLOAD_OFFSET} or {@link #IPV6_PAYLOAD_OFFSET}.
     */
    public int write(final long frame, final IpAddress destination, final int protocol, final int hopLimit)
    {
        if (destination.isIpv4())
        {
            write(frame, destination.ipv4(), protocol, hopLimit);
            return PAYLOAD_OFFSET;
        }
        ethernet.wrap(frame).destination(routerMac).source(ownMac).etherType(EtherType.IPV6);
        ipv6.wrap(frame + EthernetHeaderFlyweight.LENGTH)
            .versionClassFlow(trafficClass, 0)
            .payloadLength(frameLength - IPV6_PAYLOAD_OFFSET)
            .nextHeader(protocol)
            .hopLimit(hopLimit)
            .source(ownIpv6.high(), ownIpv6.low())
            .destination(destination.high(), destination.low());
        return IPV6_PAYLOAD_OFFSET;
    }

    /** Writes the Ethernet and IPv4 headers, as {@link #write(long, IpAddress, int, int)} does. */
    public void write(final long frame, final int destination, final int protocol, final int ttl)
    {
        ethernet.wrap(frame).destination(routerMac).source(ownMac).etherType(EtherType.IPV4);
        ipv4.wrap(frame + EthernetHeaderFlyweight.LENGTH)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(trafficClass)
            .totalLength(frameLength - EthernetHeaderFlyweight.LENGTH)
            .identification(0)
            .flagsAndFragmentOffset(0)
            .ttl(ttl)
            .protocol(protocol)
            .source(ownAddress)
            .destination(destination)
            .computeChecksum();
    }
}
