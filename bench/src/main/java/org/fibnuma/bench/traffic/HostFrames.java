package org.fibnuma.bench.traffic;

import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;

/** Writes the link and network headers of the frames that a host sends to its router. For one thread. */
public final class HostFrames
{
    /** Where the payload of IPv4 starts. */
    public static final int PAYLOAD_OFFSET = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final long routerMac;
    private final long ownMac;
    private final int ownAddress;
    private final int frameLength;
    private int trafficClass;

    /**
     * For one end of a cable.
     *
     * @param routerMac   link-layer address at the other end, as in {@link org.fibnuma.core.wire.MacAddress}.
     * @param ownMac      link-layer address at this end.
     * @param ownAddress  IPv4 address at this end.
     * @param frameLength of every frame in bytes, without FCS.
     */
    public HostFrames(final long routerMac, final long ownMac, final int ownAddress, final int frameLength)
    {
        this.routerMac = routerMac;
        this.ownMac = ownMac;
        this.ownAddress = ownAddress;
        this.frameLength = frameLength;
    }

    /**
     * Sets the traffic class of the packets to come, 0 at first.
     *
     * @param trafficClass DSCP and ECN bits, 0 to 255.
     */
    public void trafficClass(final int trafficClass)
    {
        this.trafficClass = trafficClass;
    }

    /**
     * How long its frames are.
     *
     * @return bytes, without FCS.
     */
    public int frameLength()
    {
        return frameLength;
    }

    /**
     * Writes everything before the payload.
     *
     * @param frame       address of the first byte.
     * @param destination IPv4 address.
     * @param protocol    of {@link org.fibnuma.core.wire.IpProtocol}.
     * @param ttl         0 to 255.
     */
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
