package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fate.FateCounters;

/**
 * Writes the ICMP messages of {@link IcmpErrors} and {@link IcmpRedirects} about received datagrams into a batch, which
 * is then processed from {@link Ipv4Lookup} on.
 */
final class IcmpMessages
{
    /** RFC 1812 section 4.3.2.3: as much of the original as fits into a message of 576 bytes. */
    static final int MAX_DATAGRAM = 576;
    private static final int MAX_TTL = 255;
    private static final int HEADERS = Ipv4HeaderFlyweight.MIN_LENGTH + IcmpHeaderFlyweight.LENGTH;
    /** Precedence 6, RFC 1812 section 4.3.2.5. */
    private static final int INTERNETWORK_CONTROL = 6 << 5;

    private final RuleLookup ruleLookup;
    private final AdjacencyTable adjacencies;
    private final FramePool pool;
    private final FrameBatch messages;
    private final FateCounters counters;
    private final Ipv4HeaderFlyweight original = new Ipv4HeaderFlyweight();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();
    private int identification;

    IcmpMessages(
        final ForwarderContext context,
        final RuleLookup ruleLookup,
        final FrameBatch messages,
        final FateCounters counters)
    {
        this.ruleLookup = ruleLookup;
        this.adjacencies = context.adjacencies;
        this.pool = context.framePool;
        this.messages = messages;
        this.counters = counters;
    }

    /**
     * Returns whether a message about a datagram is permitted: not about an ICMP error or a fragment other than the
     * first (RFC 1812 section 4.3.2.7). Datagrams to groups and from sources that are not unicast have no message.
     */
    boolean mayBeAbout(final long header)
    {
        original.wrap(header);
        if ((original.flagsAndFragmentOffset() & Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK) != 0)
        {
            return false;
        }
        final int headerLength = original.headerLength();
        return original.protocol() != IpProtocol.ICMP || original.totalLength() > headerLength &&
            !IcmpHeaderFlyweight.isError(icmp.wrap(header + headerLength).type());
    }

    boolean hasRoom()
    {
        return messages.room() > 0 && pool.available() > 0;
    }

    /** Returns the adjacency of the route to a sender, of several next hops the first. */
    Adjacency routeTo(final int sender)
    {
        final Adjacency route = adjacencies.get(ruleLookup.ownRoute(sender));
        return route.group() == null ? route : adjacencies.get(route.group().member(0));
    }

    /**
     * Writes a message about the datagram at a header to its source, no longer than the MTU of the route to it. The
     * caller has checked {@link #hasRoom()}.
     *
     * @param ttl of the message on the wire, 1 to 255.
     */
    void write(
        final long quoted,
        final int source,
        final int ttl,
        final int type,
        final int code,
        final int rest)
    {
        original.wrap(quoted);
        final Adjacency back = routeTo(original.source());
        final int longest = back.egressInterface() < 0 ? MAX_DATAGRAM : Math.min(MAX_DATAGRAM, back.mtu());
        final int quotedLength = Math.min(original.totalLength(), longest - HEADERS);
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        ethernet.wrap(frame).destination(0).source(0).etherType(EtherType.IPV4);
        ip.wrap(header)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(INTERNETWORK_CONTROL | original.trafficClass() & Ipv4HeaderFlyweight.TOS_MASK)
            .totalLength(HEADERS + quotedLength)
            .identification(identification++)
            .flagsAndFragmentOffset(0)
            // Ipv4Rewrite decrements it.
            .ttl(Math.min(MAX_TTL, ttl + 1))
            .protocol(IpProtocol.ICMP)
            .source(source)
            .destination(original.source())
            .computeChecksum();
        FrameMemory.copy(quoted, header + HEADERS, quotedLength);
        icmp.wrap(header + Ipv4HeaderFlyweight.MIN_LENGTH)
            .type(type)
            .code(code)
            .rest(rest)
            .computeChecksum(IcmpHeaderFlyweight.LENGTH + quotedLength);
        messages.add(chunk, frame, EthernetHeaderFlyweight.LENGTH + HEADERS + quotedLength, counters.ownIngress());
    }
}
