package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.fate.DropReason;

/** Sets the disposition of IPv4 and IPv6 frames whose route sends nothing by a port. */
public final class RouteDiversion
{
    private RouteDiversion()
    {
    }

    /**
     * Sets the disposition of a frame to PUNT or DROP.
     *
     * @param batch   batch of the frame.
     * @param i       index of the frame.
     * @param kind    of its adjacency; neither FORWARD, UNRESOLVED nor GLEAN; GROUP if it was none at the lookup.
     * @param noRoute drop reason if there is no route.
     */
    public static void divert(
        final FrameBatch batch, final int i, final AdjacencyKind kind, final DropReason noRoute)
    {
        switch (kind)
        {
            case LOCAL:
            case BROADCAST:
            case KERNEL:
            case PUNT:
            case GROUP:
                batch.disposition(i, Disposition.PUNT);
                break;
            case BLACKHOLE:
                batch.drop(i, DropReason.ROUTE_BLACKHOLE.id());
                break;
            case UNREACHABLE:
                batch.drop(i, DropReason.ROUTE_UNREACHABLE.id());
                break;
            case PROHIBIT:
                batch.drop(i, DropReason.ROUTE_PROHIBIT.id());
                break;
            default:
                batch.drop(i, noRoute.id());
                break;
        }
    }
}
