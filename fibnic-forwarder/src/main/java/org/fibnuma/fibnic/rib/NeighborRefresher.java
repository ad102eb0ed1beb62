package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;

import java.util.function.Consumer;

/**
 * Requests the resolution of every neighbour of a next hop before a frame has to wait for it. Known neighbours are
 * requested again before they go stale, because the kernel does not see that the router uses them. A neighbour that
 * does not answer is requested again after 1, 2, 4 ... 60 s. Neighbours that do not answer have turns of their own and
 * do not delay the others.
 */
public final class NeighborRefresher
{
    /** Longest time between two requests for a failed member of a group, which no frame requests. */
    static final long MAX_MEMBER_DELAY_MS = 4000;
    /** Requests without an answer after which a neighbour is reported: the kernel has then tried at least six times. */
    static final int UNANSWERED = 3;

    /** Most requests of one call; the kernel's queue has room for them. */
    private static final int LIMIT = 64;

    private final RoutingTables tables;
    private final NeighborRequests requests;
    private final Consumer<String> log;
    private final int[] next = new int[2];
    private long refreshMs;
    private int silent;
    private long nextLogMs;

    /**
     * Requests the neighbours of some tables.
     *
     * @param refreshMs time between two requests for a known neighbour, above 0.
     * @param log       receives a line about neighbours that do not answer, at most once a minute.
     */
    public NeighborRefresher(
        final RoutingTables tables, final NeighborRequests requests, final long refreshMs, final Consumer<String> log)
    {
        this.tables = tables;
        this.requests = requests;
        this.refreshMs = refreshMs;
        this.log = log;
    }

    /** Changes the time between two requests for a known neighbour, above 0, from its next request on. */
    public void refreshMs(final long refreshMs)
    {
        this.refreshMs = refreshMs;
    }

    /**
     * Sends the requests that are due.
     *
     * @param nowMs from any fixed moment, above 0.
     * @return the number of requests.
     */
    public int poll(final long nowMs)
    {
        return poll(nowMs, true) + poll(nowMs, false);
    }

    /** Returns the number of next hops whose neighbour has not answered the last {@link #UNANSWERED} requests. */
    public int unanswered()
    {
        final NextHopTable nextHops = tables.nextHops();
        int count = 0;
        for (int id = 0; id < nextHops.idLimit(); id++)
        {
            final NextHop nextHop = nextHops.get(id);
            count += nextHop != null && nextHop.unanswered() > UNANSWERED ? 1 : 0;
        }
        return count;
    }

    private int poll(final long nowMs, final boolean isAnswering)
    {
        final NextHopTable nextHops = tables.nextHops();
        final int turn = isAnswering ? 0 : 1;
        int count = 0;
        for (int i = 0; i < nextHops.idLimit() && count < LIMIT; i++)
        {
            next[turn] = next[turn] < nextHops.idLimit() ? next[turn] : 0;
            final NextHop nextHop = nextHops.get(next[turn]++);
            if (nextHop != null && !nextHop.gateway().isNone() && nextHop.unanswered() == 0 == isAnswering &&
                nextHop.nextRequestMs() <= nowMs && isDue(nextHop))
            {
                count += request(nextHop, nowMs) ? 1 : 0;
            }
        }
        return count;
    }

    private boolean request(final NextHop nextHop, final long nowMs)
    {
        final boolean known = tables.neighborTable().usableMac(nextHop.egressInterface(), nextHop.gateway()) != 0;
        // The first requests for neighbours that are known at the start are distributed over the period.
        final boolean isRequested = !known || nextHop.nextRequestMs() != 0;
        if (isRequested)
        {
            requests.request(nextHop.egressInterface(), nextHop.gateway(), nowMs);
        }
        nextHop.unanswered(known ? 0 : nextHop.unanswered() + 1);
        nextHop.nextRequestMs(nowMs + (known ? spread(nextHop) : delayMs(nextHop)));
        if (nextHop.unanswered() == UNANSWERED + 1)
        {
            logSilent(nextHop, nowMs);
        }
        return isRequested;
    }

    private static long delayMs(final NextHop nextHop)
    {
        final long delayMs = NeighborRequests.delayMs(nextHop.unanswered());
        return nextHop.groups().isEmpty() ? delayMs : Math.min(delayMs, MAX_MEMBER_DELAY_MS);
    }

    private void logSilent(final NextHop nextHop, final long nowMs)
    {
        silent++;
        if (nowMs >= nextLogMs)
        {
            nextLogMs = nowMs + NeighborRequests.LOG_INTERVAL_MS;
            log.accept("next hops whose neighbour has not answered " + UNANSWERED + " requests since the last such " +
                "line: " + silent + ", the last " + nextHop.gateway() + " on " +
                tables.links().get(nextHop.egressInterface()).name() +
                "; they are requested again after 1, 2, 4 ... 60 s; show neighbors lists them");
            silent = 0;
        }
    }

    private long spread(final NextHop nextHop)
    {
        return nextHop.nextRequestMs() == 0 ? 1 + (nextHop.id() * 7919L) % refreshMs : refreshMs;
    }

    private boolean isDue(final NextHop nextHop)
    {
        final KernelLink link = tables.links().get(nextHop.egressInterface());
        return link != null && link.up() && tables.links().numberOf(link.index()) != LinkTable.NO_NUMBER &&
            !tables.isPermanentNeighbor(nextHop.egressInterface(), nextHop.gateway());
    }
}
