package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6ExtensionHeader;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rate.TokenBucket;

/**
 * Writes ICMPv6 errors about IPv6 frames with disposition DROP whose reason has one, into a batch that is then
 * processed from {@link Ipv6Lookup} on. The frames stay dropped. The source is the preferred source of the route to the
 * sender. Without one RFC 6724 selects an address of the host, those of the ingress interface first (RFC 4443 section
 * 2.2).
 * <p>
 * There is no error about an ICMPv6 error or redirect (section 2.4 (e)). Packets and frames to a group and packets from
 * a source that is not one host are dropped for reasons without an error. Errors are limited by rate (section 2.4 (f)).
 * A link-local sender is on the ingress link: the error goes back to its MAC address without a lookup.
 */
final class Icmpv6Errors
{
    private static final int HEADERS = Ipv6HeaderFlyweight.LENGTH + Icmpv6HeaderFlyweight.LENGTH;
    /** RFC 4443 section 2.4 (c): as much of the packet as fits into a message of the smallest IPv6 MTU. */
    private static final int MAX_QUOTED = Ipv6HeaderFlyweight.MIN_MTU - HEADERS;
    private static final int HOP_LIMIT = 64;
    /**
     * First half of fe80::/64, the network of every link (RFC 4291 section 2.5.6). The other addresses of fe80::/10 are
     * reached by the kernel's routes only.
     */
    static final long LINK_LOCAL_NETWORK = 0xFE80L << 48;

    private static final int FRAGMENT_OFFSET = 2;
    private static final int FRAGMENT_OFFSET_MASK = 0xFFF8;

    private final RuleLookup ruleLookup;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final FramePool pool;
    private final IcmpSettings settings;
    private final TokenBucket limit;
    private final FrameBatch messages;
    private final EgressQueues egress;
    private final FateCounters counters;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv6HeaderFlyweight original = new Ipv6HeaderFlyweight();
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();
    private final Icmpv6HeaderFlyweight icmp = new Icmpv6HeaderFlyweight();

    Icmpv6Errors(
        final ForwarderContext context,
        final RuleLookup ruleLookup,
        final FrameBatch messages,
        final EgressQueues egress,
        final NanoClock clock,
        final FateCounters counters)
    {
        this.ruleLookup = ruleLookup;
        this.adjacencies = context.adjacencies;
        this.interfaces = context.interfaces;
        this.pool = context.framePool;
        this.settings = context.icmpSettings;
        this.limit = new TokenBucket(context.icmpErrors, clock);
        this.messages = messages;
        this.egress = egress;
        this.counters = counters;
    }

    /** Reports on the dropped frames of a list from one position to before another. */
    void process(final FrameBatch batch, final FrameList frames, final int from, final int to)
    {
        for (int k = from; k < to; k++)
        {
            final int i = frames.get(k);
            if (batch.disposition(i) == Disposition.DROP && batch.ingressInterface(i) != counters.ownIngress())
            {
                final DropReason reason = DropReason.of(batch.dropReason(i));
                if (reason.icmpv6Type() != DropReason.SILENT)
                {
                    reportOrPunt(batch, i, reason);
                }
            }
        }
    }

    /**
     * Leaves a frame to the kernel if its sender is behind an interface that is no port, as {@link IcmpErrors} does, or
     * has a link-local address outside fe80::/64.
     */
    private void reportOrPunt(final FrameBatch batch, final int i, final DropReason reason)
    {
        original.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        final boolean isKernels = Ipv6Address.isLinkLocal(original.sourceHigh()) ?
            original.sourceHigh() != LINK_LOCAL_NETWORK :
            adjacencies.mayBeKernels(ruleLookup.ownRoute(original.sourceHigh(), original.sourceLow()));
        if (isKernels && reason != DropReason.ACCESS_PROHIBITED)
        {
            batch.disposition(i, Disposition.PUNT);
        }
        else
        {
            report(batch, i, reason);
        }
    }

    private void report(final FrameBatch batch, final int i, final DropReason reason)
    {
        final long packet = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        original.wrap(packet);
        if (isIcmpv6Error(packet))
        {
            return;
        }
        final int ingress = batch.ingressInterface(i);
        final boolean isSenderOnLink = original.sourceHigh() == LINK_LOCAL_NETWORK;
        final IpAddress source = sourceOfAnswer(isSenderOnLink, ingress);
        final Adjacency egress = adjacencies.get(batch.adjacency(i));
        final boolean isTooBig = reason == DropReason.IPV6_TOO_BIG;
        final boolean exceedsLink = Ipv6HeaderFlyweight.LENGTH + original.payloadLength() > egress.ipv6InputMtu();
        final int mtu = !isTooBig ? 0 : exceedsLink ? egress.ipv6InputMtu() : egress.ipv6Mtu();
        // The MTU is 0 if the route has just changed.
        final boolean isComplete = !source.isNone() && (!isTooBig || mtu != 0);
        final boolean isLimited = settings.isIpv6Limited(reason.icmpv6Type(), isTooBig);
        if (!isComplete || messages.room() == 0 || pool.available() == 0 || isLimited && !limit.take())
        {
            counters.add(ForwarderCounter.ICMP_SUPPRESSED, 1);
            return;
        }
        // RFC 8201 section 4: no node sends packets below the smallest MTU. That of a route is reported as it is.
        final int rest = mtu == 0 || mtu == egress.options().mtu() ? mtu : Math.max(mtu, Ipv6HeaderFlyweight.MIN_MTU);
        final long chunk = pool.allocate();
        final int length = write(chunk + FramePool.HEADROOM, packet, source, reason, rest);
        if (isTooBig && !exceedsLink)
        {
            quoteLowered(chunk + FramePool.HEADROOM + EthernetHeaderFlyweight.LENGTH);
        }
        if (isSenderOnLink)
        {
            sendBack(batch.address(i), ingress, chunk, length);
        }
        else
        {
            messages.add(chunk, chunk + FramePool.HEADROOM, length, counters.ownIngress());
        }
    }

    /** Returns whether a packet is an ICMPv6 error or redirect, or a later fragment of an ICMPv6 message. */
    private boolean isIcmpv6Error(final long packet)
    {
        final int end = Ipv6HeaderFlyweight.LENGTH + original.payloadLength();
        int header = original.nextHeader();
        int at = Ipv6HeaderFlyweight.LENGTH;
        while (Ipv6ExtensionHeader.is(header) && at + Ipv6ExtensionHeader.MIN_LENGTH <= end)
        {
            final long extension = packet + at;
            final int next = FrameMemory.getByte(extension + Ipv6ExtensionHeader.NEXT_HEADER_OFFSET) & 0xFF;
            if (header == IpProtocol.FRAGMENT &&
                (FrameMemory.getShortBE(extension + FRAGMENT_OFFSET) & FRAGMENT_OFFSET_MASK) != 0)
            {
                return next == IpProtocol.ICMPV6;
            }
            at += Ipv6ExtensionHeader.length(header, extension);
            header = next;
        }
        return header == IpProtocol.ICMPV6 &&
            (at >= end || Icmpv6HeaderFlyweight.isError(icmp.wrap(packet + at).type()));
    }

    /**
     * Returns the preferred source of the route to the sender, else the address that is selected for the ingress
     * interface, as the kernel does (icmp6_send in net/ipv6/icmp.c, Linux 6.1).
     */
    private IpAddress sourceOfAnswer(final boolean isSenderOnLink, final int ingress)
    {
        final IpAddress preferred = isSenderOnLink ? IpAddress.NONE :
            adjacencies.get(ruleLookup.ownRoute(original.sourceHigh(), original.sourceLow())).options().source();
        return preferred.isNone() ?
            interfaces.ipv6SourceFor(ingress, original.sourceHigh(), original.sourceLow()) : preferred;
    }

    /** Writes an error to the source of a packet and returns the length of its frame. */
    private int write(
        final long frame, final long packet, final IpAddress source, final DropReason reason, final int rest)
    {
        final int quoted = Math.min(Ipv6HeaderFlyweight.LENGTH + original.payloadLength(), MAX_QUOTED);
        final int messageLength = Icmpv6HeaderFlyweight.LENGTH + quoted;
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        ethernet.wrap(frame).destination(0).source(0).etherType(EtherType.IPV6);
        ip.wrap(header)
            .versionClassFlow(0, 0)
            .payloadLength(messageLength)
            .nextHeader(IpProtocol.ICMPV6)
            // Ipv6Rewrite decrements it.
            .hopLimit(HOP_LIMIT + 1)
            .source(source.high(), source.low())
            .destination(original.sourceHigh(), original.sourceLow());
        FrameMemory.copy(packet, header + HEADERS, quoted);
        icmp.wrap(header + Ipv6HeaderFlyweight.LENGTH)
            .type(reason.icmpv6Type())
            .code(reason.icmpv6Code())
            .rest(rest)
            .computeChecksum(header, messageLength);
        return EthernetHeaderFlyweight.LENGTH + HEADERS + quoted;
    }

    /** Lowers the hop limit of the quoted packet: Linux does so before it compares the MTU of the route. */
    private void quoteLowered(final long header)
    {
        final int messageLength = ip.wrap(header).payloadLength();
        Ipv6HeaderFlyweight.decrementHopLimit(header + HEADERS);
        icmp.wrap(header + Ipv6HeaderFlyweight.LENGTH).computeChecksum(header, messageLength);
    }

    private void sendBack(final long received, final int number, final long chunk, final int length)
    {
        final long frame = chunk + FramePool.HEADROOM;
        final long sender = ethernet.wrap(received).source();
        ethernet.wrap(frame).destination(sender).source(interfaces.get(number).mac());
        Ipv6HeaderFlyweight.decrementHopLimit(frame + EthernetHeaderFlyweight.LENGTH);
        egress.sendOwn(number, chunk, length);
    }
}
