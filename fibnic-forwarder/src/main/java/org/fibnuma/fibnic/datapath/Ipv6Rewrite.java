package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.EgressLinks;
import org.fibnuma.fibnic.adjacency.RouteDiversion;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * Rewrites IPv6 frames for the next link, as their adjacency states: both MAC addresses, hop limit, egress interface.
 * There is no header checksum. The disposition of an exception becomes
 * <ul>
 * <li>DROP if the hop limit expires (RFC 8200 section 3), if the source is link-local (RFC 4291 section 2.5.6), if the
 * packet is longer than the MTU (RFC 8200 section 5: a router does not fragment), and if the route is missing,
 * blackhole, unreachable or prohibit,</li>
 * <li>HOLD if the neighbour is not resolved,</li>
 * <li>PUNT if the destination is local or routed by the kernel,</li>
 * <li>unchanged, FORWARD, for all others.</li>
 * </ul>
 * Hop limit and source are checked after the lookup because packets to this router may have any hop limit and a
 * link-local source.
 */
final class Ipv6Rewrite
{
    private static final int LAST_HOP = 1;
    private static final int MACS_LOW_OFFSET = Long.BYTES;

    private final AdjacencyTable adjacencies;
    private final EgressLinks links;
    private final int ownIngress;
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();

    /**
     * Takes the adjacencies.
     *
     * @param ownIngress ingress interface of the router's own messages, which may have a link-local source.
     */
    Ipv6Rewrite(final AdjacencyTable adjacencies, final int ownIngress)
    {
        this.ownIngress = ownIngress;
        this.adjacencies = adjacencies;
        this.links = adjacencies.links();
    }

    /**
     * Rewrites the ordinary frames whose adjacency forwards and whose packet fits. The others become exceptions.
     *
     * @param batch      batch after the lookup.
     * @param ordinary   frames whose hop limit is above 1 and whose source is not link-local.
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
     * Rewrites frames of a batch without other frames, up to one that is an exception or leaves by another
     * interface. Most batches have neither, and this loop reads no indices, calls nothing and stores no interface.
     *
     * @return number of frames that were rewritten.
     */
    private int rewriteAll(final FrameBatch batch)
    {
        final int size = batch.size();
        final int link = EgressLinks.of(adjacencies.rewrite(batch.adjacency(0)));
        final int longestPacket = links.longestIpv6Packet(link);
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
        final int longestPacket = links.longestIpv6Packet(link);
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
                longestPacket = links.longestIpv6Packet(link);
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
                process(batch, i, adjacencies.get(batch.adjacency(i)));
            }
        }
    }

    private void process(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        switch (adjacency.kind())
        {
            case FORWARD:
                if (mayLeave(batch, i, adjacency))
                {
                    forward(batch, i, adjacency);
                }
                break;
            case UNRESOLVED:
            case GLEAN:
                if (mayLeave(batch, i, adjacency))
                {
                    batch.disposition(i, Disposition.HOLD);
                }
                break;
            default:
                RouteDiversion.divert(batch, i, adjacency.kind(), DropReason.IPV6_NO_ROUTE);
                break;
        }
    }

    /**
     * Drops packets whose hop limit expires, whose source is link-local, or that are too long for the route, also where
     * the neighbour is not resolved; returns whether it did not.
     */
    private boolean mayLeave(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        if (ip.hopLimit() <= LAST_HOP)
        {
            batch.drop(i, DropReason.IPV6_HOP_LIMIT.id());
            return false;
        }
        if (Ipv6Address.isLinkLocal(ip.sourceHigh()) && batch.ingressInterface(i) != ownIngress)
        {
            batch.drop(i, DropReason.IPV6_BEYOND_SCOPE.id());
            return false;
        }
        if (batch.length(i) - EthernetHeaderFlyweight.LENGTH > adjacency.ipv6Mtu())
        {
            batch.drop(i, DropReason.IPV6_TOO_BIG.id());
            return false;
        }
        return true;
    }

    private static void forward(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        rewrite(batch.address(i), adjacency.macsHigh(), adjacency.macsLow());
        batch.egressInterface(i, adjacency.egressInterface());
        batch.addEgressPorts(InterfaceNumber.portBit(adjacency.egressInterface()));
    }

    private static void rewrite(final long frame, final long macsHigh, final int macsLow)
    {
        FrameMemory.putLong(frame, macsHigh);
        FrameMemory.putInt(frame + MACS_LOW_OFFSET, macsLow);
        Ipv6HeaderFlyweight.decrementHopLimit(frame + EthernetHeaderFlyweight.LENGTH);
    }
}
