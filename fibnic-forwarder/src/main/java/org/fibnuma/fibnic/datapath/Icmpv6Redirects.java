package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RedirectTimes;
import org.fibnuma.fibnic.rate.TokenBucket;

/**
 * Sends ICMPv6 redirects to the senders of rewritten IPv6 frames that leave by their ingress interface (RFC 4861
 * section 8.2). The sender is a neighbour on that interface and not the next hop itself. The target is the destination
 * if that is on the link, else the link-local address of the next hop. As in Linux there is no redirect if the route
 * has a global address as its next hop. The source is the link-local address of the interface; without one there is no
 * redirect.
 * <p>
 * Each pair of sender and destination gets at most one redirect per second, and all together are limited by rate. A
 * sender whose MAC address is not resolved is resolved first.
 */
final class Icmpv6Redirects
{
    private static final int HOP_LIMIT = 255;

    /** RFC 4861 section 4.5: target and destination address behind the ICMPv6 header. */
    private static final int TARGET_OFFSET = Icmpv6HeaderFlyweight.LENGTH;
    private static final int DESTINATION_OFFSET = TARGET_OFFSET + Ipv6Address.LENGTH;
    private static final int LINK_LAYER_OFFSET = DESTINATION_OFFSET + Ipv6Address.LENGTH;
    private static final int OPTION_UNIT = 8;
    private static final int REDIRECTED_OFFSET = LINK_LAYER_OFFSET + OPTION_UNIT;
    private static final int QUOTE_OFFSET = REDIRECTED_OFFSET + OPTION_UNIT;
    /** Section 4.6.1: type 2, one unit, MAC address. */
    private static final long LINK_LAYER_OPTION = 0x0201L << Long.SIZE - Short.SIZE;
    /** Section 4.6.3: type 4, length in units, six reserved bytes, the packet. */
    private static final int REDIRECTED_OPTION = 4 << Byte.SIZE;
    /** Section 4.6.3: the redirect does not exceed the smallest IPv6 MTU. */
    private static final int MAX_QUOTED = Ipv6HeaderFlyweight.MIN_MTU - Ipv6HeaderFlyweight.LENGTH - QUOTE_OFFSET;

    private final boolean enabled;
    private final RuleLookup ruleLookup;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final NeighborResolveProxy resolveProxy;
    private final FramePool pool;
    private final TokenBucket limit;
    private final RedirectTimes times;
    private final EgressQueues egress;
    private final FateCounters counters;
    private final Ipv6HeaderFlyweight original = new Ipv6HeaderFlyweight();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();
    private final Icmpv6HeaderFlyweight icmp = new Icmpv6HeaderFlyweight();

    Icmpv6Redirects(
        final ForwarderContext context,
        final RuleLookup ruleLookup,
        final EgressQueues egress,
        final FateCounters counters)
    {
        this.enabled = context.sendsIpv6Redirects;
        this.ruleLookup = ruleLookup;
        this.adjacencies = context.adjacencies;
        this.interfaces = context.interfaces;
        this.resolveProxy = context.neighborResolveProxy;
        this.pool = context.framePool;
        this.limit = new TokenBucket(context.icmpErrors, context.clock);
        this.times = new RedirectTimes(context.clock);
        this.egress = egress;
        this.counters = counters;
    }

    /** Sends a redirect about an IPv6 frame that was rewritten to leave by its ingress interface, if one is due. */
    void process(final FrameBatch batch, final int i)
    {
        if (!enabled)
        {
            return;
        }
        final int number = batch.ingressInterface(i);
        final Adjacency adjacency = adjacencies.get(batch.adjacency(i));
        final IpAddress own = interfaces.get(number).ipv6AddressTowards(Icmpv6Errors.LINK_LOCAL_NETWORK, 0);
        final long received = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        original.wrap(received);
        final long senderHigh = original.sourceHigh();
        final long senderLow = original.sourceLow();
        final long pair = RedirectTimes.pair(
            senderHigh, senderLow, original.destinationHigh(), original.destinationLow());
        if (own.isNone() || !hasTarget(adjacency) || times.wasSentLately(pair))
        {
            return;
        }
        final Adjacency back = adjacencies.get(ruleLookup.ownRoute(senderHigh, senderLow));
        if (back.egressInterface() != number)
        {
            return;
        }
        if (back.kind() == AdjacencyKind.GLEAN)
        {
            times.sent(pair);
            resolveProxy.resolve(number, senderHigh, senderLow);
        }
        else if (isNextHop(back, senderHigh, senderLow) && back.kind() == AdjacencyKind.FORWARD &&
            back.destinationMac() != adjacency.destinationMac())
        {
            if (pool.available() == 0 || !limit.take())
            {
                counters.add(ForwarderCounter.ICMP_SUPPRESSED, 1);
                return;
            }
            times.sent(pair);
            final long chunk = pool.allocate();
            egress.sendOwn(number, chunk, write(chunk + FramePool.HEADROOM, received, own, back, adjacency));
        }
    }

    private boolean hasTarget(final Adjacency adjacency)
    {
        return isNextHop(adjacency, original.destinationHigh(), original.destinationLow()) ||
            Ipv6Address.isLinkLocal(adjacency.nextHop().high());
    }

    /** Returns whether an address is itself the next hop of an adjacency for it. */
    private static boolean isNextHop(final Adjacency adjacency, final long high, final long low)
    {
        final IpAddress nextHop = adjacency.nextHop();
        return nextHop.isNone() || nextHop.high() == high && nextHop.low() == low;
    }

    /** Writes a redirect about the original packet and returns the length of its frame. */
    private int write(
        final long frame, final long received, final IpAddress own, final Adjacency back, final Adjacency adjacency)
    {
        final long packet = frame + EthernetHeaderFlyweight.LENGTH;
        final long message = packet + Ipv6HeaderFlyweight.LENGTH;
        final int packetLength = Ipv6HeaderFlyweight.LENGTH + original.payloadLength();
        // Whole units: the rest of a long packet is cut, a short one is filled up with zeros.
        final int units = Math.min((packetLength + OPTION_UNIT - 1) / OPTION_UNIT, MAX_QUOTED / OPTION_UNIT);
        final int messageLength = QUOTE_OFFSET + units * OPTION_UNIT;
        final boolean isOnLink = isNextHop(adjacency, original.destinationHigh(), original.destinationLow());
        ethernet.wrap(frame).destination(back.destinationMac()).source(back.sourceMac()).etherType(EtherType.IPV6);
        final int quotedLength = Math.min(packetLength, units * OPTION_UNIT);
        FrameMemory.copy(received, message + QUOTE_OFFSET, quotedLength);
        FrameMemory.zero(message + QUOTE_OFFSET + quotedLength, units * OPTION_UNIT - quotedLength);
        // As it was received: Ipv6Rewrite has decremented it.
        ip.wrap(message + QUOTE_OFFSET).hopLimit(original.hopLimit() + 1);
        ip.wrap(packet)
            .versionClassFlow(0, 0)
            .payloadLength(messageLength)
            .nextHeader(IpProtocol.ICMPV6)
            .hopLimit(HOP_LIMIT)
            .source(own.high(), own.low())
            .destination(original.sourceHigh(), original.sourceLow());
        putAddress(message + TARGET_OFFSET,
            isOnLink ? original.destinationHigh() : adjacency.nextHop().high(),
            isOnLink ? original.destinationLow() : adjacency.nextHop().low());
        putAddress(message + DESTINATION_OFFSET, original.destinationHigh(), original.destinationLow());
        FrameMemory.putLongBE(message + LINK_LAYER_OFFSET, LINK_LAYER_OPTION | adjacency.destinationMac());
        FrameMemory.putLongBE(
            message + REDIRECTED_OFFSET, (long)(REDIRECTED_OPTION | units + 1) << Long.SIZE - Short.SIZE);
        icmp.wrap(message)
            .type(Icmpv6HeaderFlyweight.TYPE_REDIRECT)
            .code(0)
            .rest(0)
            .computeChecksum(packet, messageLength);
        return EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH + messageLength;
    }

    private static void putAddress(final long to, final long high, final long low)
    {
        FrameMemory.putLongBE(to, high);
        FrameMemory.putLongBE(to + Long.BYTES, low);
    }
}
