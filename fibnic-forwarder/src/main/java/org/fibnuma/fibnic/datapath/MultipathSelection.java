package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.EgressLinks;
import org.fibnuma.fibnic.multipath.FlowHash;

import java.util.concurrent.TimeUnit;

/**
 * Replaces the adjacency of a frame that is a group by the adjacency of the member that the frame's flow takes, so that
 * no later stage meets a group. It sets no disposition. While no route has several next hops it costs one load for each
 * call.
 */
final class MultipathSelection
{
    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AdjacencyTable adjacencies;
    private final FlowHash flows;
    private final NanoClock clock;
    private final AccessKeys keys = new AccessKeys();
    private final FrameList grouped = new FrameList();

    /**
     * Creates the stage of one worker.
     *
     * @param adjacencies of the router.
     * @param flows       of the router.
     * @param clock       read once for each batch with frames of a resilient group.
     */
    MultipathSelection(final AdjacencyTable adjacencies, final FlowHash flows, final NanoClock clock)
    {
        this.adjacencies = adjacencies;
        this.flows = flows;
        this.clock = clock;
    }

    /**
     * Selects a member for frames of one family, after their lookup.
     *
     * @param batch      batch with adjacencies.
     * @param ordinary   checked packets of the family.
     * @param exceptions of the family; those whose disposition is not FORWARD are not modified.
     * @param isIpv6     the family.
     */
    void process(
        final FrameBatch batch, final FrameList ordinary, final FrameList exceptions, final boolean isIpv6)
    {
        if (adjacencies.hasGroups())
        {
            select(batch, ordinary, isIpv6);
            select(batch, exceptions, isIpv6);
        }
    }

    /** Selects a member for the frames whose disposition is FORWARD, as {@link #process} does. */
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
        final long quoted = QuotedPacket.ofIpv4(batch, grouped.get(k));
        if (quoted != 0)
        {
            final long addresses = FrameMemory.getLongBE(quoted + Ipv4HeaderFlyweight.SOURCE_OFFSET);
            keys.addresses(k, addresses << Integer.SIZE, 0, addresses & ~0L << Integer.SIZE, 0);
        }
    }

    private void selectIpv6(final FrameBatch batch)
    {
        keys.readIpv6(batch, grouped);
        final boolean byPorts = flows.isByPorts(true);
        for (int k = 0; k < grouped.size(); k++)
        {
            final int i = grouped.get(k);
            final long quoted = byPorts ? 0 : QuotedPacket.ofIpv6(batch, i);
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
