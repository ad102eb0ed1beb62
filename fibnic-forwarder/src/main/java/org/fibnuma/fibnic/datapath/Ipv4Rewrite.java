package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.EgressLinks;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouteDiversion;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * Rewrites frames for the next link, as their adjacency states: both MAC addresses, TTL, header checksum, egress
 * interface. The disposition of an exception becomes
 * <ul>
 * <li>FRAGMENT if the packet is longer than the MTU and may be fragmented,</li>
 * <li>DROP if it is longer and DF is set (RFC 1191 section 4), if the TTL expires, if the route is missing, blackhole,
 * unreachable or prohibit, and if the destination is {prefix, 0} of a connected network, unless the context permits
 * that as a host address (RFC 1812 section 4.2.3.1),</li>
 * <li>HOLD if the neighbour is not resolved,</li>
 * <li>PUNT if the destination is local, a broadcast address, or routed by the kernel,</li>
 * <li>unchanged, FORWARD, for all others.</li>
 * </ul>
 * The TTL is checked after the lookup because a packet to this router may arrive with any TTL (RFC 1812 section 5.3.1).
 */
final class Ipv4Rewrite
{
    private static final int LAST_TTL = 1;
    private static final int MACS_LOW_OFFSET = Long.BYTES;

    private final AdjacencyTable adjacencies;
    private final EgressLinks links;
    private final InterfaceTable interfaces;
    private final boolean dropsOldBroadcasts;
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();

    Ipv4Rewrite(final ForwarderContext context)
    {
        this.adjacencies = context.adjacencies();
        this.links = adjacencies.links();
        this.interfaces = context.interfaces();
        this.dropsOldBroadcasts = !context.forwardOldBroadcasts();
    }

    /**
     * Rewrites the ordinary frames whose adjacency forwards and whose packet fits. The others become exceptions.
     *
     * @param batch      batch after the lookup.
     * @param ordinary   frames whose TTL is above 1, without options.
     * @param exceptions receives the frames that were not rewritten.
     */
    void process(final FrameBatch batch, final FrameList ordinary, final FrameList exceptions)
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
     * Rewrites frames of a batch without other frames, up to one that is an exception or leaves by another port. Most
     * batches have neither, and this loop reads no indices, calls nothing and stores no egress interface.
     *
     * @return number of frames that were rewritten.
     */
    private int rewriteAll(final FrameBatch batch)
    {
        final int size = batch.size();
        final int link = EgressLinks.of(adjacencies.rewrite(batch.adjacency(0)));
        final int longestPacket = links.longestPacket(link);
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
        final int longestPacket = links.longestPacket(link);
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
                longestPacket = links.longestPacket(link);
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

    /** Rewrites frames or sets the disposition that their adjacency requires. */
    void process(final FrameBatch batch, final FrameList frames)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.isForward(i))
            {
                final Adjacency adjacency = adjacencies.get(batch.adjacency(i));
                if (adjacency.kind() == AdjacencyKind.FORWARD)
                {
                    forward(batch, i, adjacency);
                }
                else
                {
                    divert(batch, i, adjacency);
                }
            }
        }
    }

    private void forward(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        if (!mayLeave(batch, i, adjacency))
        {
            return;
        }
        if (isTooLong(batch, i, adjacency))
        {
            batch.disposition(i, Disposition.FRAGMENT);
        }
        rewrite(batch.address(i), adjacency.macsHigh(), adjacency.macsLow());
        batch.egressInterface(i, adjacency.egressInterface());
        batch.addEgressPorts(InterfaceNumber.portBit(adjacency.egressInterface()));
    }

    /** Drops packets whose TTL expires, or that are too long for the route and have DF; returns whether it did not. */
    private boolean mayLeave(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        if (ip.ttl() <= LAST_TTL)
        {
            batch.drop(i, DropReason.IPV4_TTL_EXPIRED.id());
            return false;
        }
        if (isTooLong(batch, i, adjacency) &&
            (ip.flagsAndFragmentOffset() & Ipv4HeaderFlyweight.FLAG_DF) != 0)
        {
            batch.drop(i, DropReason.IPV4_TOO_BIG.id());
            return false;
        }
        return true;
    }

    private static boolean isTooLong(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        return batch.length(i) - EthernetHeaderFlyweight.LENGTH > adjacency.mtu();
    }

    private static void rewrite(final long frame, final long macsHigh, final int macsLow)
    {
        FrameMemory.putLong(frame, macsHigh);
        FrameMemory.putInt(frame + MACS_LOW_OFFSET, macsLow);
        Ipv4HeaderFlyweight.decrementTtl(frame + EthernetHeaderFlyweight.LENGTH);
    }

    private void divert(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        switch (adjacency.kind())
        {
            case UNRESOLVED:
                hold(batch, i, adjacency);
                break;
            case GLEAN:
                toConnected(batch, i, adjacency);
                break;
            default:
                RouteDiversion.divert(batch, i, adjacency.kind(), DropReason.IPV4_NO_ROUTE);
                break;
        }
    }

    private void toConnected(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        final int destination = ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH).destination();
        if (dropsOldBroadcasts && interfaces.get(adjacency.egressInterface()).isOldBroadcast(destination))
        {
            batch.drop(i, DropReason.IPV4_OLD_BROADCAST.id());
        }
        else
        {
            hold(batch, i, adjacency);
        }
    }

    /** Holds a packet, unless it would be dropped with the neighbour resolved: the sender is answered at once. */
    private void hold(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        if (mayLeave(batch, i, adjacency))
        {
            batch.disposition(i, Disposition.HOLD);
        }
    }
}
