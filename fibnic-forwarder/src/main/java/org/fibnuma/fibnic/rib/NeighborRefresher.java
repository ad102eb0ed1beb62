package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNetwork;

/**
 * Requests the resolution of every neighbour that a next hop needs before a frame has to wait for it, and again before
 * it goes stale, because the kernel does not see that the router uses it.
 */
public final class NeighborRefresher
{
    /** As often as the kernel itself repeats a request (retrans_time_ms). */
    static final long RETRY_MS = 1000;

    /** A burst of requests no larger than the kernel's queue for one; the rest follow with the next call. */
    private static final int LIMIT = 64;

    private final RoutingTables tables;
    private final KernelNetwork kernel;
    private long refreshMs;

    /**
     * Requests the neighbours of some tables.
     *
     * @param tables    whose gateways and neighbours are needed.
     * @param kernel    receives the requests.
     * @param refreshMs time between two requests for a neighbour that is known.
     */
    public NeighborRefresher(final RoutingTables tables, final KernelNetwork kernel, final long refreshMs)
    {
        this.tables = tables;
        this.kernel = kernel;
        this.refreshMs = refreshMs;
    }

    /**
     * Changes the time between two requests for a neighbour that is known, from its next request on.
     *
     * @param refreshMs above 0.
     */
    public void refreshMs(final long refreshMs)
    {
        this.refreshMs = refreshMs;
    }

    /**
     * Sends the requests that are due.
     *
     * @param nowMs from any fixed moment, above 0.
     * @return how many.
     */
    public int poll(final long nowMs)
    {
        int count = 0;
        final NextHopTable nextHops = tables.nextHops();
        for (int id = 0; id < nextHops.idLimit() && count < LIMIT; id++)
        {
            final NextHop nextHop = nextHops.get(id);
            if (nextHop != null && !nextHop.gateway().isNone() && nextHop.nextRequestMs() <= nowMs && isDue(nextHop))
            {
                final boolean known =
                    tables.neighborTable().usableMac(nextHop.egressInterface(), nextHop.gateway()) != 0;
                if (!known || nextHop.nextRequestMs() != 0)
                {
                    kernel.resolve(nextHop.egressInterface(), nextHop.gateway());
                    count++;
                }
                // The first requests for neighbours that are known at the start are spread over the period.
                nextHop.nextRequestMs(nowMs + (known ? spread(nextHop) : RETRY_MS));
            }
        }
        return count;
    }

    private long spread(final NextHop nextHop)
    {
        return nextHop.nextRequestMs() == 0 ? 1 + (nextHop.id() * 7919L) % refreshMs : refreshMs;
    }

    private boolean isDue(final NextHop nextHop)
    {
        final KernelLink link = tables.links().get(nextHop.egressInterface());
        return link != null && link.up() && tables.links().portOf(link.index()) != LinkTable.NO_PORT &&
            !tables.isPermanentNeighbor(nextHop.egressInterface(), nextHop.gateway());
    }
}
