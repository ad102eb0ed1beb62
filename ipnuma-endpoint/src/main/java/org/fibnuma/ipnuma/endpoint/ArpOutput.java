package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.wire.ArpFlyweight;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.fate.EndpointCounter;

/** Sends ARP packets (RFC 826). Endpoint's thread. */
final class ArpOutput
{
    private final FrameOutput frames;
    private final long ownMac;
    private final int ownIpv4;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final ArpFlyweight arp = new ArpFlyweight();

    ArpOutput(final FrameOutput frames, final long ownMac, final int ownIpv4)
    {
        this.frames = frames;
        this.ownMac = ownMac;
        this.ownIpv4 = ownIpv4;
    }

    void request(final int ipv4)
    {
        send(ArpFlyweight.REQUEST, MacAddress.BROADCAST, 0, ipv4);
        frames.counters().add(EndpointCounter.ARP_REQUESTS, 1);
    }

    /** Announces the endpoint's addresses (RFC 5227 section 2.3). */
    void announce()
    {
        send(ArpFlyweight.REQUEST, MacAddress.BROADCAST, 0, ownIpv4);
    }

    void reply(final long mac, final int ipv4)
    {
        send(ArpFlyweight.REPLY, mac, mac, ipv4);
        frames.counters().add(EndpointCounter.ARP_REPLIES, 1);
    }

    private void send(final int operation, final long destination, final long targetMac, final int targetIpv4)
    {
        final long chunk = frames.allocate();
        if (chunk == FramePool.NONE)
        {
            return;
        }
        final long frame = chunk + FramePool.HEADROOM;
        ethernet.wrap(frame).destination(destination).source(ownMac).etherType(EtherType.ARP);
        arp.wrap(frame + EthernetHeaderFlyweight.LENGTH).start(operation)
            .sender(ownMac, ownIpv4).target(targetMac, targetIpv4);
        frames.send(chunk, frame, EthernetHeaderFlyweight.LENGTH + ArpFlyweight.LENGTH);
    }
}
