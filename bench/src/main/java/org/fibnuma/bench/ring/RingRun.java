package org.fibnuma.bench.ring;

import org.fibnuma.fabric.topology.Fabric;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Result of a ring under load.
 *
 * @param sent            frames that hosts have sent.
 * @param delivered       frames that have reached their hosts.
 * @param dropped         frames that routers have dropped.
 * @param lastDeliveryMs  time of the last window of {@value #WINDOW_MS} ms in which a frame reached its host.
 * @param deliveredAtLast frames delivered in the last window in which hosts sent.
 * @param waiting         routers that waited for each other in a circle throughout that window, empty if there was
 *                        none.
 */
record RingRun(
    long sent, long delivered, long dropped, long lastDeliveryMs, long deliveredAtLast, List<String> waiting)
{
    static final int WINDOW_MS = 100;
    private static final int DRAIN_MS = 500;
    /** Ten seconds: in a deadlock few frames arrive in each, if any. */
    private static final int MOST_DRAINS = 20;

    /** Returns whether everything that was sent has arrived. */
    boolean isDone()
    {
        return delivered == sent;
    }

    /**
     * Lets hosts send for a while, then waits until everything has arrived or nothing more arrives.
     *
     * @param ring   to run.
     * @param fabric of the ring.
     * @param millis to send for, at least one window.
     * @return the result.
     */
    static RingRun of(final RouterRing ring, final Fabric fabric, final int millis)
    {
        long last = 0;
        long before = ring.delivered();
        long atLast = 0;
        long[] stopped = ring.stopped();
        List<String> waiting = List.of();
        ring.send(true);
        for (int now = WINDOW_MS; now <= millis; now += WINDOW_MS)
        {
            ring.run(WINDOW_MS);
            atLast = ring.delivered() - before;
            last = atLast > 0 ? now : last;
            before = ring.delivered();
            final long[] later = ring.stopped();
            waiting = WaitingRouters.circle(
                fabric, difference(later, stopped), TimeUnit.MILLISECONDS.toNanos(WINDOW_MS));
            stopped = later;
        }
        ring.send(false);
        drain(ring);
        return new RingRun(ring.sent(), ring.delivered(), ring.dropped(), last, atLast, waiting);
    }

    private static void drain(final RouterRing ring)
    {
        long before = -1;
        for (int i = 0; i < MOST_DRAINS && ring.delivered() != before && ring.delivered() != ring.sent(); i++)
        {
            before = ring.delivered();
            ring.run(DRAIN_MS);
        }
    }

    private static long[] difference(final long[] later, final long[] earlier)
    {
        final long[] difference = new long[later.length];
        for (int i = 0; i < difference.length; i++)
        {
            difference[i] = later[i] - earlier[i];
        }
        return difference;
    }
}
