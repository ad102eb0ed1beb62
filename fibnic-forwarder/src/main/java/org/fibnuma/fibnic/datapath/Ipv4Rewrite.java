package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * Rewrites frames for the next link, as their adjacency states: both MAC addresses, TTL, header checksum, egress
 * interface. The disposition of an exception becomes
 * <ul>
 * <li>FRAGMENT if the packet is longer than the MTU and may be fragmented,</li>
 * <li>DROP if it is longer and DF is set (RFC 1191 section 4); if the TTL expires; if the route is missing, blackhole,
 * unreachable or prohibit; if the destination is {prefix, 0} of a connected network and the context does not permit
 * this as a host address (RFC 1812 section 4.2.3.1),</li>
 * <li>HOLD if the neighbour is not resolved,</li>
 * <li>PUNT if the destination is local, a broadcast address, or routed by the kernel,</li>
 * <li>unchanged, FORWARD, for all others.</li>
 * </ul>
 * The TTL is checked after the lookup because a packet to this router may arrive with any TTL (RFC 1812 section 5.3.1).
 */
final class Ipv4Rewrite extends LinkRewrite
{
    private final InterfaceTable interfaces;
    private final boolean dropsOldBroadcasts;
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();

    Ipv4Rewrite(final ForwarderContext context)
    {
        super(context.adjacencies, false);
        this.interfaces = context.interfaces;
        this.dropsOldBroadcasts = !context.forwardOldBroadcasts;
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
        rewrite(batch, i, adjacency);
    }

    /** Drops packets whose TTL expires, or that exceed the MTU and have DF set; returns false if it did. */
    private boolean mayLeave(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        if (ip.ttl() <= Ipv4HeaderFlyweight.LAST_TTL)
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
                divert(batch, i, adjacency.kind(), DropReason.IPV4_NO_ROUTE);
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

    /** Holds a packet, unless it would be dropped after the neighbour is resolved: its sender gets the error now. */
    private void hold(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        if (mayLeave(batch, i, adjacency))
        {
            batch.disposition(i, Disposition.HOLD);
        }
    }
}
