package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.EgressLinks;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * The part of the rewrite stages that both families share. It rewrites frames for the next link, as their adjacency
 * states: both MAC addresses, the TTL with the header checksum or the hop limit, and the egress interface.
 */
abstract class LinkRewrite
{
    private static final int MACS_LOW_OFFSET = Long.BYTES;

    final AdjacencyTable adjacencies;
    private final EgressLinks links;
    private final boolean isIpv6;

    LinkRewrite(final AdjacencyTable adjacencies, final boolean isIpv6)
    {
        this.adjacencies = adjacencies;
        this.links = adjacencies.links();
        this.isIpv6 = isIpv6;
    }

    /**
     * Rewrites the ordinary frames whose adjacency forwards and whose packet fits. The others become exceptions.
     *
     * @param batch      batch after the lookup.
     * @param ordinary   frames whose TTL or hop limit is above 1, without options, whose source is not link-local.
     * @param exceptions receives the frames that were not rewritten.
     */
    final void process(final FrameBatch batch, final FrameList ordinary, final FrameList exceptions)
    {
        final int count = ordinary.size();
        final int rewritten =
            count == batch.size() ? rewriteAll(batch) : count > 0 ? rewriteFirst(batch, ordinary) : 0;
        if (rewritten < count)
        {
            rewriteEach(batch, ordinary, rewritten, exceptions);
        }
    }

    /**
     * Rewrites frames of a batch without other frames, up to one that is an exception or leaves by another interface.
     * Most batches have neither, and this loop reads no indices, calls nothing and stores no egress interface.
     *
     * @return number of frames that were rewritten.
     */
    private int rewriteAll(final FrameBatch batch)
    {
        final int size = batch.size();
        final int link = EgressLinks.of(adjacencies.rewrite(batch.adjacency(0)));
        final int longestPacket = longestPacket(link);
        final long sourceHigh = links.sourceHigh(link);
        final int macsLow = links.macsLow(link);
        int i = 0;
        for (; i < size; i++)
        {
            final long word = adjacencies.rewrite(batch.adjacency(i));
            if (batch.packetLength(i) > longestPacket || EgressLinks.of(word) != link)
            {
                break;
            }
            rewrite(batch.address(i), EgressLinks.macsHigh(word, sourceHigh), macsLow);
        }
        if (i > 0)
        {
            batch.egressInterfaceOfAll(links.egressInterface(link));
            batch.addEgressPorts(InterfaceNumber.portBit(links.egressInterface(link)));
        }
        return i;
    }

    /**
     * Rewrites the frames of a list up to one that is an exception or leaves by another interface, as
     * {@link #rewriteAll} does for a whole batch.
     *
     * @return number of frames that were rewritten.
     */
    private int rewriteFirst(final FrameBatch batch, final FrameList ordinary)
    {
        final int count = ordinary.size();
        final int link = EgressLinks.of(adjacencies.rewrite(batch.adjacency(ordinary.get(0))));
        final int longestPacket = longestPacket(link);
        final long sourceHigh = links.sourceHigh(link);
        final int macsLow = links.macsLow(link);
        int k = 0;
        for (; k < count; k++)
        {
            final int i = FrameBatch.index(ordinary.get(k));
            final long word = adjacencies.rewrite(batch.adjacency(i));
            if (batch.packetLength(i) > longestPacket || EgressLinks.of(word) != link)
            {
                break;
            }
            rewrite(batch.address(i), EgressLinks.macsHigh(word, sourceHigh), macsLow);
        }
        if (k > 0)
        {
            batch.egressInterfaceOfFirst(ordinary, k, links.egressInterface(link));
            batch.addEgressPorts(InterfaceNumber.portBit(links.egressInterface(link)));
        }
        return k;
    }

    private void rewriteEach(
        final FrameBatch batch, final FrameList ordinary, final int from, final FrameList exceptions)
    {
        final int count = ordinary.size();
        int link = EgressLinks.NONE;
        int longestPacket = 0;
        long sourceHigh = 0;
        int macsLow = 0;
        int egress = 0;
        long egressPorts = 0;
        for (int k = from; k < count; k++)
        {
            final int i = FrameBatch.index(ordinary.get(k));
            final long word = adjacencies.rewrite(batch.adjacency(i));
            if (EgressLinks.of(word) != link)
            {
                link = EgressLinks.of(word);
                longestPacket = longestPacket(link);
                sourceHigh = links.sourceHigh(link);
                macsLow = links.macsLow(link);
                egress = links.egressInterface(link);
            }
            if (batch.packetLength(i) <= longestPacket)
            {
                rewrite(batch.address(i), EgressLinks.macsHigh(word, sourceHigh), macsLow);
                batch.egressInterface(i, egress);
                egressPorts |= InterfaceNumber.portBit(egress);
            }
            else
            {
                exceptions.insert(i);
            }
        }
        batch.addEgressPorts(egressPorts);
    }

    /** Rewrites an exception, whose adjacency forwards. */
    final void rewrite(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        rewrite(batch.address(i), adjacency.macsHigh(), adjacency.macsLow());
        batch.egressInterface(i, adjacency.egressInterface());
        batch.addEgressPorts(InterfaceNumber.portBit(adjacency.egressInterface()));
    }

    /**
     * Sets the disposition of a frame whose route sends nothing by a port to PUNT or DROP.
     *
     * @param kind    of its adjacency; neither FORWARD, UNRESOLVED nor GLEAN; GROUP if it was none at the lookup.
     * @param noRoute drop reason if there is no route.
     */
    static void divert(final FrameBatch batch, final int i, final AdjacencyKind kind, final DropReason noRoute)
    {
        switch (kind)
        {
            case LOCAL, BROADCAST, KERNEL, PUNT, GROUP -> batch.disposition(i, Disposition.PUNT);
            case BLACKHOLE -> batch.drop(i, DropReason.ROUTE_BLACKHOLE.id());
            case UNREACHABLE -> batch.drop(i, DropReason.ROUTE_UNREACHABLE.id());
            case PROHIBIT -> batch.drop(i, DropReason.ROUTE_PROHIBIT.id());
            default -> batch.drop(i, noRoute.id());
        }
    }

    private int longestPacket(final int link)
    {
        return isIpv6 ? links.longestIpv6Packet(link) : links.longestPacket(link);
    }

    private void rewrite(final long frame, final long macsHigh, final int macsLow)
    {
        FrameMemory.putLong(frame, macsHigh);
        FrameMemory.putInt(frame + MACS_LOW_OFFSET, macsLow);
        if (isIpv6)
        {
            Ipv6HeaderFlyweight.decrementHopLimit(frame + EthernetHeaderFlyweight.LENGTH);
        }
        else
        {
            Ipv4HeaderFlyweight.decrementTtl(frame + EthernetHeaderFlyweight.LENGTH);
        }
    }
}
