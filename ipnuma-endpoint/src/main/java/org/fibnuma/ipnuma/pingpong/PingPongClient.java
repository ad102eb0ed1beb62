package org.fibnuma.ipnuma.pingpong;

import org.HdrHistogram.Histogram;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** Sends the counter, waits until it is back, notes how long that took. */
final class PingPongClient
{
    /** Trips between two looks at the outside: the JIT's best version of {@link #trips} takes over at such a place. */
    private static final int TRIPS = 100;
    private static final int WARM_UP_SHARE = 4;
    private static final String ENDED = "ended before all round trips were done";

    private final CounterLink link;
    private final Silence silence;
    private final BooleanSupplier stopped;
    private final Histogram histogram;
    private int counter;

    /**
     * @param link    to the server.
     * @param silence that ends a wait for nobody.
     * @param stopped whether the user has enough, which ends a wait too.
     */
    PingPongClient(final CounterLink link, final Silence silence, final BooleanSupplier stopped)
    {
        this.stopped = stopped;
        this.link = link;
        this.silence = silence;
        this.histogram = PingPongResult.newHistogram();
        // So that a server which remembers the last counter of somebody else answers the first of ours.
        this.counter = ThreadLocalRandom.current().nextInt();
    }

    /**
     * Runs the whole of it.
     *
     * @param warmUp     trips that do not count, 0 or more; they end after a quarter of the limit.
     * @param iterations trips that do, 1 or more.
     * @param limitNs    time after which no more are begun.
     * @return the round trips in ns and how long all took.
     * @throws PingPongException where an answer does not come.
     */
    PingPongResult.Measured run(final long warmUp, final long iterations, final long limitNs)
    {
        repeat(warmUp, limitNs / WARM_UP_SHARE);
        histogram.reset();
        final long start = System.nanoTime();
        repeat(iterations, limitNs);
        return new PingPongResult.Measured(histogram, System.nanoTime() - start);
    }

    private void repeat(final long count, final long limitNs)
    {
        final long start = System.nanoTime();
        for (long left = count; left > 0 && System.nanoTime() - start < limitNs; left -= TRIPS)
        {
            if (stopped.getAsBoolean())
            {
                throw new PingPongException(ENDED);
            }
            trips((int)Math.min(left, TRIPS));
        }
    }

    private void trips(final int count)
    {
        long before = System.nanoTime();
        for (int i = 0; i < count; i++)
        {
            trip();
            final long now = System.nanoTime();
            histogram.recordValue(Math.min(now - before, PingPongResult.LONGEST_NS));
            before = now;
        }
    }

    private void trip()
    {
        final int expected = ++counter;
        link.send(expected);
        while (link.poll() != expected)
        {
            if (silence.isTooLong() || stopped.getAsBoolean())
            {
                throw new PingPongException(stopped.getAsBoolean() ? ENDED :
                    "no answer over " + link.device() + " for " + silence.limitMs() + " ms; is the server running?");
            }
        }
        silence.broken();
    }
}
