package org.fibnuma.bench.demo;

import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;

/** Writes the link and network headers of the left host's frames, all of the shortest length. For one thread. */
final class HostFrames
{
    /** Bytes of every frame, without FCS. */
    static final int FRAME_LENGTH = EthernetHeaderFlyweight.MIN_FRAME_LENGTH;
    /** Where the payload of IPv4 starts. */
    static final int PAYLOAD_OFFSET = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final long routerMac;
    private final long ownMac;
    private final int ownAddress;

    /**
     * For one end of a cable.
     *
     * @param routerMac  link-layer address at the other end.
     * @param ownMac     link-layer address at this end.
     * @param ownAddress IPv4 address at this end.
     */
    HostFrames(final long routerMac, final long ownMac, final int ownAddress)
    {
        this.routerMac = routerMac;
        this.ownMac = ownMac;
        this.ownAddress = ownAddress;
    }

    void write(final long frame, final int destination, final int protocol, final int ttl)
    {
        ethernet.wrap(frame).destination(routerMac).source(ownMac).etherType(EtherType.IPV4);
        ipv4.wrap(frame + EthernetHeaderFlyweight.LENGTH)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(0)
            .totalLength(FRAME_LENGTH - EthernetHeaderFlyweight.LENGTH)
            .identification(0)
            .flagsAndFragmentOffset(0)
            .ttl(ttl)
            .protocol(protocol)
            .source(ownAddress)
            .destination(destination)
            .computeChecksum();
    }
}
