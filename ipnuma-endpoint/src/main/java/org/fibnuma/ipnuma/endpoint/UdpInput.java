package org.fibnuma.ipnuma.endpoint;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.PartialChecksum;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;

/**
 * Checks IPv4 packets to this port's MAC address and passes UDP datagrams of peers to their channels. Everything else
 * is dropped: malformed headers, wrong checksums, fragments, other addresses or UDP ports, unknown sources.
 */
final class UdpInput
{
    private static final int IPV4 = EthernetHeaderFlyweight.LENGTH;
    private static final int VERSION_4 = 4;
    private static final int VERSION_SHIFT = 4;
    private static final int FRAGMENT_MASK = Ipv4HeaderFlyweight.FLAG_MF | Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK;
    private static final int ECN_MASK = 3;
    private static final int ECN_CONGESTION_EXPERIENCED = 3;

    private final int ownIpv4;
    private final boolean acceptsPartialChecksums;
    private final EndpointCounters counters;
    private final Int2ObjectHashMap<PeerChannel> channels = new Int2ObjectHashMap<>();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();
    /** The peer of the latest datagram, which usually sends the next one too. */
    private int lastIpv4;
    private PeerChannel lastChannel;

    UdpInput(final int ownIpv4, final boolean acceptsPartialChecksums, final EndpointCounters counters)
    {
        this.ownIpv4 = ownIpv4;
        this.acceptsPartialChecksums = acceptsPartialChecksums;
        this.counters = counters;
    }

    void add(final int peerIpv4, final PeerChannel channel)
    {
        channels.put(peerIpv4, channel);
        lastIpv4 = 0;
        lastChannel = null;
    }

    /** Removes the channel of a peer. Its datagrams are dropped from now on. */
    void remove(final int peerIpv4)
    {
        channels.remove(peerIpv4);
        lastIpv4 = 0;
        lastChannel = null;
    }

    void process(final long frame, final int length, final long nowNs)
    {
        final DropReason reason = deliver(frame + IPV4, length - IPV4, nowNs);
        if (reason == null)
        {
            counters.add(EndpointCounter.DELIVERED, 1);
        }
        else
        {
            counters.dropped(reason);
        }
    }

    private DropReason deliver(final long packet, final int room, final long nowNs)
    {
        if (room < Ipv4HeaderFlyweight.MIN_LENGTH + UdpHeaderFlyweight.LENGTH)
        {
            return DropReason.TOO_SHORT;
        }
        ipv4.wrap(packet);
        final int headerLength = ipv4.headerLength();
        final int totalLength = ipv4.totalLength();
        if (ipv4.versionAndIhl() >>> VERSION_SHIFT != VERSION_4 || headerLength < Ipv4HeaderFlyweight.MIN_LENGTH ||
            totalLength > room || totalLength < headerLength)
        {
            return DropReason.IPV4_MALFORMED;
        }
        if (headerLength == Ipv4HeaderFlyweight.MIN_LENGTH ?
            !InternetChecksum.isRightOver20(packet) : InternetChecksum.of(packet, headerLength) != 0)
        {
            return DropReason.IPV4_BAD_CHECKSUM;
        }
        if ((ipv4.flagsAndFragmentOffset() & FRAGMENT_MASK) != 0)
        {
            return DropReason.IPV4_FRAGMENT;
        }
        if (ipv4.destination() != ownIpv4)
        {
            return DropReason.OTHER_ADDRESS;
        }
        if (ipv4.protocol() != IpProtocol.UDP)
        {
            return DropReason.NOT_UDP;
        }
        return deliverDatagram(packet, packet + headerLength, totalLength - headerLength, nowNs);
    }

    private DropReason deliverDatagram(final long packet, final long datagram, final int room, final long nowNs)
    {
        if (room < UdpHeaderFlyweight.LENGTH)
        {
            return DropReason.UDP_MALFORMED;
        }
        final int length = udp.wrap(datagram).length();
        if (length < UdpHeaderFlyweight.LENGTH || length > room)
        {
            return DropReason.UDP_MALFORMED;
        }
        if (udp.checksum() != 0 && !isIntact(packet, datagram, length))
        {
            return DropReason.UDP_BAD_CHECKSUM;
        }
        final PeerChannel channel = channel(ipv4.source());
        if (channel == null)
        {
            return DropReason.UNKNOWN_SOURCE;
        }
        final int port = udp.destinationPort();
        if (!channel.usesPort(port))
        {
            return DropReason.OTHER_PORT;
        }
        channel.onDatagram(
            datagram + UdpHeaderFlyweight.LENGTH, length - UdpHeaderFlyweight.LENGTH, port,
            (ipv4.trafficClass() & ECN_MASK) == ECN_CONGESTION_EXPERIENCED, nowNs);
        return null;
    }

    private PeerChannel channel(final int peerIpv4)
    {
        if (peerIpv4 != lastIpv4)
        {
            lastIpv4 = peerIpv4;
            lastChannel = channels.get(peerIpv4);
        }
        return lastChannel;
    }

    /** Returns whether the checksum is right, or partial: such a datagram has not left this machine. Not read again. */
    private boolean isIntact(final long packet, final long datagram, final int length)
    {
        final long pseudoHeaderSum = InternetChecksum.pseudoHeaderSum(packet, IpProtocol.UDP, length);
        if (InternetChecksum.finish(InternetChecksum.sum(datagram, length, pseudoHeaderSum)) == 0)
        {
            return true;
        }
        if (acceptsPartialChecksums && PartialChecksum.is(udp.checksum(), pseudoHeaderSum))
        {
            counters.add(EndpointCounter.PARTIAL_CHECKSUMS, 1);
            return true;
        }
        return false;
    }
}
