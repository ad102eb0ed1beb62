package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.flow.FlowPacket;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTranslation;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceRules;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds the flows of packets that a host with packet filters receives, and translates addresses and ports of the
 * packets of translated flows. It is off for a family of an interface unless the policy is {@link Transit#FLOWS}; then
 * the disposition becomes PUNT for every packet without a flow, and for packets that only the kernel forwards: those
 * that may change the state of the connection, fragments, packets with options, and those whose TTL or hop limit
 * expires.
 * <p>
 * After the lookup, {@link #leaveExceptions} leaves packets to the kernel that cannot be forwarded as they are: too
 * long, without a route, or by another interface than their flow. They are restored first, so that the kernel receives
 * what was on the wire and translates it itself. So are translated packets whose neighbour is not resolved. The kernel
 * resolves it, and reports to the sender if that fails; a held packet has lost its flow. Other packets that wait for a
 * neighbour stay.
 */
final class FlowInput
{
    private static final int ETHERNET = EthernetHeaderFlyweight.LENGTH;
    /** More fragments, and the fragment offset. */
    private static final int FRAGMENT_MASK = 0x3FFF;

    private final AdjacencyTable adjacencies;
    private final RuleLookup ruleLookup;
    private final AtomicReference<FlowTable> tables;
    private final FateCounters counters;
    private FlowTable table;
    private FlowTranslation translation;
    private InterfaceRules rules = InterfaceRules.NONE;
    /** The batch of {@link #process} if it is on, otherwise null: other batches pass the later methods too. */
    private FrameBatch current;
    /** By frame: the direction of its flow, {@link FlowTable#NONE} without one. */
    private final int[] directions = new int[FrameBatch.CAPACITY];
    /** By frame: the checksums before the translation. */
    private final int[] checksums = new int[FrameBatch.CAPACITY];
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();

    FlowInput(final ForwarderContext context, final RuleLookup ruleLookup, final FateCounters counters)
    {
        this.adjacencies = context.adjacencies;
        this.ruleLookup = ruleLookup;
        this.tables = context.flows;
        this.counters = counters;
    }

    /**
     * Finds the flows of the packets of one interface.
     *
     * @param batch          frames of one port, at least one.
     * @param ingress        one of the interfaces that have received them, and receive alike.
     * @param ipv4           checked ordinary IPv4 packets; loses those that go to the kernel.
     * @param ipv6           checked ordinary IPv6 packets; loses those that go to the kernel.
     * @param ipv4Exceptions examined if their disposition is FORWARD; receives the ordinary packets for the kernel.
     * @param ipv6Exceptions examined if their disposition is FORWARD; receives the ordinary packets for the kernel.
     */
    void process(
        final FrameBatch batch,
        final RouterInterface ingress,
        final FrameList ipv4,
        final FrameList ipv6,
        final FrameList ipv4Exceptions,
        final FrameList ipv6Exceptions)
    {
        final InterfacePolicy policy = ingress.policy();
        current = policy.flowsOnly() ? batch : null;
        if (current != null)
        {
            refresh();
            rules = ingress.rules();
            for (int i = 0; i < batch.size(); i++)
            {
                directions[i] = FlowTable.NONE;
            }
            if (policy.ipv4() == Transit.FLOWS)
            {
                find(batch, ipv4, ipv4Exceptions, false);
            }
            if (policy.ipv6() == Transit.FLOWS)
            {
                find(batch, ipv6, ipv6Exceptions, true);
            }
        }
    }

    private void refresh()
    {
        final FlowTable now = tables.get();
        if (now != table)
        {
            table = now;
            translation = now == null ? null : new FlowTranslation(now);
        }
    }

    private void find(
        final FrameBatch batch, final FrameList ordinary, final FrameList exceptions, final boolean isIpv6)
    {
        for (int k = 0; k < exceptions.size(); k++)
        {
            final int i = exceptions.get(k);
            if (batch.isForward(i) && !take(batch, i, isIpv6))
            {
                batch.disposition(i, Disposition.PUNT);
            }
        }
        final int count = ordinary.size();
        ordinary.clear();
        for (int k = 0; k < count; k++)
        {
            final int i = ordinary.get(k);
            if (take(batch, i, isIpv6))
            {
                ordinary.add(i);
            }
            else
            {
                batch.disposition(i, Disposition.PUNT);
                exceptions.insert(i);
            }
        }
    }

    /** Translates a packet if it has a flow; returns whether the router forwards it. */
    private boolean take(final FrameBatch batch, final int i, final boolean isIpv6)
    {
        final int direction =
            table == null ? FlowTable.NONE : isIpv6 ? findIpv6(batch, i) : findIpv4(batch, i);
        if (direction == FlowTable.NONE)
        {
            return false;
        }
        if (table.isNat(direction) && rules.of(isIpv6) != null && rules.of(isIpv6).isBySource())
        {
            // The kernel applies the rules before it translates the source.
            return false;
        }
        directions[i] = direction;
        if (table.isNat(direction))
        {
            final long header = batch.address(i) + ETHERNET;
            if (isIpv6)
            {
                checksums[i] = translation.translateIpv6(direction, header);
                batch.destinationHigh(i, FrameMemory.getLongBE(header + Ipv6HeaderFlyweight.DESTINATION_OFFSET));
                batch.destinationLow(
                    i, FrameMemory.getLongBE(header + Ipv6HeaderFlyweight.DESTINATION_OFFSET + Long.BYTES));
            }
            else
            {
                checksums[i] = translation.translateIpv4(direction, header);
                batch.destination(i, FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET));
            }
        }
        return true;
    }

    private int findIpv4(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + ETHERNET;
        final int length = FrameMemory.getShortBE(header + Ipv4HeaderFlyweight.TOTAL_LENGTH_OFFSET) -
            Ipv4HeaderFlyweight.MIN_LENGTH;
        final boolean isPlain =
            FrameMemory.getByte(header) == Ipv4HeaderFlyweight.VERSION_4_IHL_5 &&
            (FrameMemory.getShortBE(header + Ipv4HeaderFlyweight.FRAGMENT_OFFSET) & FRAGMENT_MASK) == 0 &&
            (FrameMemory.getByte(header + Ipv4HeaderFlyweight.TTL_OFFSET) & 0xFF) > Ipv4HeaderFlyweight.LAST_TTL;
        if (!isPlain)
        {
            return FlowTable.NONE;
        }
        final int protocol = FrameMemory.getByte(header + Ipv4HeaderFlyweight.PROTOCOL_OFFSET) & 0xFF;
        final long transport = header + Ipv4HeaderFlyweight.MIN_LENGTH;
        final long ports = FlowPacket.ports(transport, length, protocol);
        return ports == FlowPacket.KERNEL ? FlowTable.NONE : unlessClosing(transport, protocol,
            table.findIpv4(header + Ipv4HeaderFlyweight.SOURCE_OFFSET, (int)ports, protocol, batch.ingressInterface(i),
            batch.flowHint(i)));
    }

    private int findIpv6(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + ETHERNET;
        final int length = FrameMemory.getShortBE(header + Ipv6HeaderFlyweight.PAYLOAD_LENGTH_OFFSET);
        if ((FrameMemory.getByte(header + Ipv6HeaderFlyweight.HOP_LIMIT_OFFSET) & 0xFF) <=
            Ipv6HeaderFlyweight.LAST_HOP_LIMIT)
        {
            return FlowTable.NONE;
        }
        final int protocol = FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) & 0xFF;
        final long transport = header + Ipv6HeaderFlyweight.LENGTH;
        final long ports = FlowPacket.ports(transport, length, protocol);
        return ports == FlowPacket.KERNEL ? FlowTable.NONE : unlessClosing(transport, protocol,
            table.findIpv6(header + Ipv6HeaderFlyweight.SOURCE_OFFSET, (int)ports, protocol, batch.ingressInterface(i),
            batch.flowHint(i)));
    }

    /** Ends the flow of a segment that closes its connection. */
    private int unlessClosing(final long transport, final int protocol, final int direction)
    {
        if (direction == FlowTable.NONE || !FlowPacket.isClosing(transport, protocol))
        {
            return direction;
        }
        table.invalidate(direction >> 1);
        return FlowTable.NONE;
    }

    /**
     * Leaves the packets of flows to the kernel that became exceptions in the rewrite of ordinary packets, unless they
     * only wait for a neighbour and are not translated. Ends a translated flow whose only egress is not that of the
     * route, as {@link #checkEgress} does.
     *
     * @param batch      batch of {@link #process} after the lookup.
     * @param exceptions that are not rewritten yet.
     */
    void leaveExceptions(final FrameBatch batch, final FrameList exceptions, final boolean isIpv6)
    {
        for (int k = 0; batch == current && k < exceptions.size(); k++)
        {
            final int i = exceptions.get(k);
            if (batch.isForward(i) && directions[i] != FlowTable.NONE)
            {
                if (!hasEgress(batch, i, isIpv6))
                {
                    leaveForever(batch, i, isIpv6);
                }
                else if (!mayStay(batch, i, adjacencies.get(batch.adjacency(i)), isIpv6))
                {
                    leave(batch, i, isIpv6);
                }
            }
        }
    }

    /** Returns whether a packet is forwarded now, or without translation as soon as its neighbour is resolved. */
    private boolean mayStay(final FrameBatch batch, final int i, final Adjacency adjacency, final boolean isIpv6)
    {
        final boolean isShort = batch.length(i) - ETHERNET <= (isIpv6 ? adjacency.ipv6Mtu() : adjacency.mtu());
        return switch (adjacency.kind())
        {
            case FORWARD -> isShort;
            case UNRESOLVED, GLEAN -> isShort && !table.isNat(directions[i]);
            default -> false;
        };
    }

    /**
     * Returns whether the route of a packet leaves by the only egress of its flow. Of several next hops the packet gets
     * one that does: the kernel has selected it by its own hash, before it translated the source.
     */
    private boolean hasEgress(final FrameBatch batch, final int i, final boolean isIpv6)
    {
        final int only = table.egress(directions[i]);
        return adjacencies.get(batch.adjacency(i)).egressInterface() == only ||
            selectEgress(batch, i, only, isIpv6);
    }

    private boolean selectEgress(final FrameBatch batch, final int i, final int only, final boolean isIpv6)
    {
        final int route = ruleLookup.route(batch.address(i), batch.ingressInterface(i), isIpv6);
        final AdjacencyGroup group = adjacencies.get(route).group();
        for (int member = 0; group != null && member < group.size(); member++)
        {
            if (adjacencies.get(group.member(member)).egressInterface() == only)
            {
                batch.adjacency(i, group.member(member));
                return true;
            }
        }
        return false;
    }

    private void leaveForever(final FrameBatch batch, final int i, final boolean isIpv6)
    {
        table.invalidate(directions[i] >> 1);
        leave(batch, i, isIpv6);
    }

    private void leave(final FrameBatch batch, final int i, final boolean isIpv6)
    {
        restore(batch, i, isIpv6);
        batch.disposition(i, Disposition.PUNT);
    }

    private void restore(final FrameBatch batch, final int i, final boolean isIpv6)
    {
        final int direction = directions[i];
        directions[i] = FlowTable.NONE;
        if (table.isNat(direction))
        {
            final long header = batch.address(i) + ETHERNET;
            if (isIpv6)
            {
                translation.restoreIpv6(direction, header, checksums[i]);
            }
            else
            {
                translation.restoreIpv4(direction, header, checksums[i]);
            }
        }
    }

    /**
     * Restores the packets of flows that an access list drops, so that the error to their sender quotes what it sent.
     * The TTL stays that of a rewritten packet, with its header checksum.
     *
     * @param exceptions of the batch, after the access lists.
     */
    void restoreDropped(final FrameBatch batch, final FrameList exceptions, final boolean isIpv6)
    {
        for (int k = 0; batch == current && k < exceptions.size(); k++)
        {
            final int i = exceptions.get(k);
            if (directions[i] != FlowTable.NONE && batch.disposition(i) == Disposition.DROP)
            {
                restore(batch, i, isIpv6);
                if (!isIpv6)
                {
                    ipv4.wrap(batch.address(i) + ETHERNET).computeChecksum();
                }
            }
        }
    }

    /**
     * Moves the ordinary packets whose route leads to another interface than that of their flow to the exceptions for
     * the kernel: the packet filters may not accept it, and the kernel ends a masqueraded connection. The flow ends.
     *
     * @param batch    batch of {@link #process} after the lookup and before the rewrite.
     * @param ordinary loses these packets.
     */
    void checkEgress(
        final FrameBatch batch, final FrameList ordinary, final FrameList exceptions, final boolean isIpv6)
    {
        if (batch != current)
        {
            return;
        }
        final int count = ordinary.size();
        ordinary.clear();
        for (int k = 0; k < count; k++)
        {
            final int i = ordinary.get(k);
            if (directions[i] == FlowTable.NONE || hasEgress(batch, i, isIpv6))
            {
                ordinary.add(i);
            }
            else
            {
                leaveForever(batch, i, isIpv6);
                exceptions.insert(i);
            }
        }
    }

    /** Counts the packets of flows that are sent now or when their neighbour is resolved. */
    void count(final FrameBatch batch)
    {
        if (batch != current)
        {
            return;
        }
        int count = 0;
        for (int i = 0; i < batch.size(); i++)
        {
            if (directions[i] != FlowTable.NONE)
            {
                table.count(directions[i], batch.length(i) - ETHERNET);
                count++;
            }
        }
        counters.add(ForwarderCounter.FLOWS, count);
    }

    /** Returns whether the addresses or ports of a packet were translated, which its sender does not know. */
    boolean isTranslated(final FrameBatch batch, final int i)
    {
        return batch == current && directions[i] != FlowTable.NONE && table.isNat(directions[i]);
    }

    /** Returns the direction of the flow of a packet of a batch, {@link FlowTable#NONE} without one. */
    int direction(final FrameBatch batch, final int i)
    {
        return batch == current ? directions[i] : FlowTable.NONE;
    }
}
