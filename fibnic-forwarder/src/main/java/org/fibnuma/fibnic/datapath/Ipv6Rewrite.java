package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * Rewrites IPv6 frames for the next link, as their adjacency states: both MAC addresses, hop limit, egress interface.
 * There is no header checksum. The disposition of an exception becomes
 * <ul>
 * <li>DROP if the hop limit expires (RFC 8200 section 3); if the source is link-local (RFC 4291 section 2.5.6); if the
 * packet is longer than the MTU (RFC 8200 section 5: a router does not fragment); if the route is missing, blackhole,
 * unreachable or prohibit,</li>
 * <li>HOLD if the neighbour is not resolved,</li>
 * <li>PUNT if the destination is local or routed by the kernel,</li>
 * <li>unchanged, FORWARD, for all others.</li>
 * </ul>
 * Hop limit and source are checked after the lookup because packets to this router may have any hop limit and a
 * link-local source.
 */
final class Ipv6Rewrite extends LinkRewrite
{
    private final int ownIngress;
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();

    /** Takes the ingress interface of the router's own messages, which may have a link-local source. */
    Ipv6Rewrite(final AdjacencyTable adjacencies, final int ownIngress)
    {
        super(adjacencies, true);
        this.ownIngress = ownIngress;
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
                    rewrite(batch, i, adjacency);
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
                divert(batch, i, adjacency.kind(), DropReason.IPV6_NO_ROUTE);
                break;
        }
    }

    /**
     * Drops packets whose hop limit expires, whose source is link-local, or that exceed the MTU; returns false if it
     * did.
     */
    private boolean mayLeave(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        if (ip.hopLimit() <= Ipv6HeaderFlyweight.LAST_HOP_LIMIT)
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
}
