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
 * Follows the routes of a routing daemon. The routes stay while the daemon is not connected. After a new connection the
 * daemon hands over all routes again, but does not mark the last. Routes of an earlier connection are removed when none
 * of them was handed over again for {@code staleSeconds}; other changes do not delay this. Control thread only.
 */
final class RouteFeedFollower implements RouteFeedListener
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RouteFeedFollower.class);

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

    /** Does not close the feed. */
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
                LOGGER.info("fpm: the daemon has handed over its routes; removed {} of an earlier connection that it " +
                    "no longer has", routes.swept());
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
        LOGGER.info("fpm: connection from {}", peer);
        routes.onConnect();
        isReplaying = true;
        delaySweep();
    }

    @Override
    public void onRefuse(final String peer)
    {
        LOGGER.warn("fpm: refused a connection from {}: another daemon is connected", peer);
    }

    @Override
    public void onDisconnect(final String reason)
    {
        isReplaying = false;
        LOGGER.warn("fpm: connection ended: {}; its routes stay until it connects again", reason);
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
            LOGGER.warn("fpm: skipped messages that cannot be applied: {}, the last because {}; all others are applied",
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
