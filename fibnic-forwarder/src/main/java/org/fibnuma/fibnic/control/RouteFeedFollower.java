package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteFeed;
import org.fibnuma.core.kernel.RouteFeedListener;
import org.fibnuma.fibnic.rib.HandedRoutes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Follows the routes of a routing daemon. Its routes stay while it is not connected. After it has connected it hands
 * all over again, and does not tell when it is done; routes of an earlier connection that it has not handed over again
 * are removed when it has not handed over any of them for a time, however much else changes. Control thread only.
 */
final class RouteFeedFollower implements RouteFeedListener
{
    private static final Logger LOG = LoggerFactory.getLogger(RouteFeedFollower.class);

    /** Shortest time between two lines about skipped messages: a full table may have one for each route. */
    private static final long SKIP_LOG_INTERVAL_MS = TimeUnit.MINUTES.toMillis(1);

    private final RouteFeed feed;
    private final HandedRoutes routes;
    private final EpochClock clock;
    private long staleMs;
    private boolean isReplaying;
    private long sweepMs;
    private volatile long skipped;
    private long loggedSkips;
    private String lastSkip;
    private long nextSkipLogMs;

    /**
     * Follows a feed.
     *
     * @param feed         closed by its owner.
     * @param routes       to change.
     * @param staleSeconds how long routes stay after the last one was handed over again.
     * @param clock        measures that time.
     */
    RouteFeedFollower(
        final RouteFeed feed, final HandedRoutes routes, final int staleSeconds, final EpochClock clock)
    {
        this.feed = feed;
        this.routes = routes;
        this.clock = clock;
        staleSeconds(staleSeconds);
    }

    /** Changes how long routes stay after the last one was handed over again, from the next one on. */
    void staleSeconds(final int staleSeconds)
    {
        staleMs = TimeUnit.SECONDS.toMillis(staleSeconds);
    }

    /** Applies what has arrived, for some ms at most; returns above 0 if anything changed or more may wait. */
    int poll()
    {
        int work = feed.poll(this);
        work += routes.poll() ? 1 : 0;
        logSkipped();
        if (isReplaying && clock.time() >= sweepMs)
        {
            work++;
            if (routes.sweep())
            {
                isReplaying = false;
                LOG.info("fpm: the daemon has handed over its routes; removed {} of an earlier connection that it no " +
                    "longer has", routes.swept());
            }
        }
        return work;
    }

    /** Returns the number of messages that were not applied since the router started; any thread. */
    long skipped()
    {
        return skipped;
    }

    @Override
    public void onConnect(final String peer)
    {
        LOG.info("fpm: connection from {}", peer);
        routes.onConnect();
        isReplaying = true;
        delaySweep();
    }

    @Override
    public void onRefuse(final String peer)
    {
        LOG.warn("fpm: refused a connection from {}: another daemon is connected", peer);
    }

    @Override
    public void onDisconnect(final String reason)
    {
        isReplaying = false;
        LOG.warn("fpm: connection ended: {}; its routes stay until it connects again", reason);
    }

    @Override
    public void onSkip(final String reason)
    {
        skipped++;
        lastSkip = reason;
    }

    @Override
    public void onRoute(final KernelRouteView route, final int nextHopId, final boolean present)
    {
        if (routes.onRoute(route, nextHopId, present))
        {
            delaySweep();
        }
    }

    @Override
    public void onNextHop(final int nextHopId, final KernelRouteView nextHop)
    {
        routes.onNextHop(nextHopId, nextHop);
    }

    private void logSkipped()
    {
        final long nowMs = clock.time();
        if (skipped > loggedSkips && nowMs >= nextSkipLogMs)
        {
            LOG.warn("fpm: skipped messages that cannot be applied: {}, the last because {}; all others are applied",
                skipped - loggedSkips, lastSkip);
            loggedSkips = skipped;
            nextSkipLogMs = nowMs + SKIP_LOG_INTERVAL_MS;
        }
    }

    private void delaySweep()
    {
        sweepMs = clock.time() + staleMs;
    }
}
