package org.fibnuma.bench.ring;

import org.fibnuma.fabric.topology.Fabric;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What becomes of a ring under load.
 *
 * @param sent            frames that hosts have sent.
 * @param delivered       frames that have reached their hosts.
 * @param dropped         frames that routers have dropped.
 * @param lastDeliveryMs  time of the last window of {@value #WINDOW_MS} ms in which a frame reached its host.
 * @param deliveredAtLast frames delivered in the last window in which hosts still sent.
 * @param waiting         which routers waited for which throughout that window; empty where none did in a circle.
 */
record RingRun(
    long sent, long delivered, long dropped, long lastDeliveryMs, long deliveredAtLast, List<String> waiting)
{
    static final int WINDOW_MS = 100;
    private static final int DRAIN_MS = 500;
    /** Ten seconds: what is caught in a deadlock arrives a few frames at a time, if at all. */
    private static final int MOST_DRAINS = 20;

    /** Whether everything arrived that was sent. */
    boolean isDone()
    {
        return delivered == sent;
    }

    /**
     * Sends for a while, then lets what is under way arrive: until everything has, or nothing more does.
     *
     * @param ring   to run.
     * @param fabric of the ring.
     * @param millis to send for, at least one window.
     * @return what happened.
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
