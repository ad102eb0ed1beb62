package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.EgressLinks;
import org.fibnuma.fibnic.multipath.FlowHash;

import java.util.concurrent.TimeUnit;

/**
 * Replaces a group of adjacencies by the member that the flow of the frame takes, so that no later stage gets a group.
 * It sets no disposition. While no route has several next hops it costs one load for each call.
 * <p>
 * With the hash by addresses, an ICMP error takes the way of the flow that it reports on, as in the kernel
 * (ip_multipath_l3_keys and ip6_multipath_l3_keys). The flow in that direction begins at the destination of the packet
 * that the error quotes. So the error reaches the same one of several servers of an address as the flow.
 */
final class MultipathSelection
{
    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Set in every fragment. An error that is a fragment is hashed as its other fragments are, without its quote. */
    private static final int FRAGMENT_BITS =
        Ipv4HeaderFlyweight.FLAG_MF | Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK;

    private final AdjacencyTable adjacencies;
    private final FlowHash flows;
    private final NanoClock clock;
    private final AccessKeys keys = new AccessKeys();
    private final FrameList grouped = new FrameList();

    MultipathSelection(final AdjacencyTable adjacencies, final FlowHash flows, final NanoClock clock)
    {
        this.adjacencies = adjacencies;
        this.flows = flows;
        this.clock = clock;
    }

    /** Selects a member for the looked-up frames of one family whose disposition is FORWARD. */
    void process(
        final FrameBatch batch, final FrameList ordinary, final FrameList exceptions, final boolean isIpv6)
    {
        if (adjacencies.hasGroups())
        {
            select(batch, ordinary, isIpv6);
            select(batch, exceptions, isIpv6);
        }
    }

    /** Selects a member for the looked-up frames of one list whose disposition is FORWARD. */
    void process(final FrameBatch batch, final FrameList frames, final boolean isIpv6)
    {
        if (adjacencies.hasGroups())
        {
            select(batch, frames, isIpv6);
        }
    }

    private void select(final FrameBatch batch, final FrameList frames, final boolean isIpv6)
    {
        grouped.clear();
        final int count = frames.size();
        for (int k = 0; k < count; k++)
        {
            final int i = frames.get(k);
            if (batch.isForward(i) && EgressLinks.isGroup(adjacencies.rewrite(batch.adjacency(i))))
            {
                grouped.add(i);
            }
        }
        if (grouped.size() > 0)
        {
            if (isIpv6)
            {
                selectIpv6(batch);
            }
            else
            {
                selectIpv4(batch);
            }
        }
    }

    private void selectIpv4(final FrameBatch batch)
    {
        keys.readIpv4(batch, grouped);
        final boolean byPorts = flows.isByPorts(false);
        for (int k = 0; k < grouped.size(); k++)
        {
            if (!byPorts)
            {
                useQuotedIpv4(batch, k);
            }
            select(batch, grouped.get(k), flows.ofIpv4(keys, k, byPorts));
        }
    }

    /** Gives an ICMP error the addresses of the flow that it reports on, in the direction in which it goes. */
    private void useQuotedIpv4(final FrameBatch batch, final int k)
    {
        final long quoted = quotedIpv4(batch, grouped.get(k));
        if (quoted != 0)
        {
            final long addresses = FrameMemory.getLongBE(quoted + Ipv4HeaderFlyweight.SOURCE_OFFSET);
            keys.addresses(k, addresses << Integer.SIZE, 0, addresses & ~0L << Integer.SIZE, 0);
        }
    }

    /**
     * Returns the native address of the IPv4 header that a validated packet quotes, of at least
     * {@link Ipv4HeaderFlyweight#MIN_LENGTH} bytes; 0 if the packet is no ICMP error, a fragment, or too short.
     */
    private static long quotedIpv4(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        if (FrameMemory.getByte(header + Ipv4HeaderFlyweight.PROTOCOL_OFFSET) != IpProtocol.ICMP ||
            (FrameMemory.getShortBE(header + Ipv4HeaderFlyweight.FRAGMENT_OFFSET) & FRAGMENT_BITS) != 0)
        {
            return 0;
        }
        final int length = (FrameMemory.getByte(header + Ipv4HeaderFlyweight.VERSION_IHL_OFFSET) & 0xF) << 2;
        final long icmp = header + length;
        final long quoted = icmp + IcmpHeaderFlyweight.LENGTH;
        return quoted + Ipv4HeaderFlyweight.MIN_LENGTH <= batch.address(i) + batch.length(i) &&
            IcmpHeaderFlyweight.isError(FrameMemory.getByte(icmp + IcmpHeaderFlyweight.TYPE_OFFSET) & 0xFF) ?
            quoted : 0;
    }

    private void selectIpv6(final FrameBatch batch)
    {
        keys.readIpv6(batch, grouped);
        final boolean byPorts = flows.isByPorts(true);
        for (int k = 0; k < grouped.size(); k++)
        {
            final int i = grouped.get(k);
            final long quoted = byPorts ? 0 : quotedIpv6(batch, i);
            final long header = quoted == 0 ? batch.address(i) + EthernetHeaderFlyweight.LENGTH : quoted;
            if (quoted != 0)
            {
                useQuotedIpv6(quoted, k);
            }
            final int flowLabel = FrameMemory.getIntBE(header + Ipv6HeaderFlyweight.VERSION_CLASS_FLOW_OFFSET) &
                Ipv6HeaderFlyweight.FLOW_LABEL_MASK;
            final int nextHeader = FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) & 0xFF;
            select(batch, i, flows.ofIpv6(keys, k, flowLabel, nextHeader, byPorts));
        }
    }

    /**
     * Returns the native address of the IPv6 header that a validated packet without extension headers quotes, of
     * {@link Ipv6HeaderFlyweight#LENGTH} bytes; 0 if the packet is no ICMPv6 error or too short.
     */
    private static long quotedIpv6(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        final long icmp = header + Ipv6HeaderFlyweight.LENGTH;
        final long quoted = icmp + Icmpv6HeaderFlyweight.LENGTH;
        return FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) == IpProtocol.ICMPV6 &&
            quoted + Ipv6HeaderFlyweight.LENGTH <= batch.address(i) + batch.length(i) &&
            isError(FrameMemory.getByte(icmp + Icmpv6HeaderFlyweight.TYPE_OFFSET) & 0xFF) ? quoted : 0;
    }

    /** Redirects quote a packet too, behind options, and are never forwarded. */
    private static boolean isError(final int type)
    {
        return type != Icmpv6HeaderFlyweight.TYPE_REDIRECT && Icmpv6HeaderFlyweight.isError(type);
    }

    private void useQuotedIpv6(final long quoted, final int k)
    {
        final long source = quoted + Ipv6HeaderFlyweight.SOURCE_OFFSET;
        final long destination = quoted + Ipv6HeaderFlyweight.DESTINATION_OFFSET;
        keys.addresses(
            k, FrameMemory.getLongBE(destination), FrameMemory.getLongBE(destination + Long.BYTES),
            FrameMemory.getLongBE(source), FrameMemory.getLongBE(source + Long.BYTES));
    }

    private void select(final FrameBatch batch, final int i, final int hash)
    {
        final AdjacencyGroup group = adjacencies.get(batch.adjacency(i)).group();
        // Null if the adjacency has become another one since its word was read.
        if (group != null)
        {
            final int bucket = group.bucket(hash);
            batch.adjacency(i, group.adjacency(bucket));
            if (group.recordsUse())
            {
                group.onUse(bucket, (int)(clock.nanoTime() / NS_PER_MS));
            }
        }
    }
}
