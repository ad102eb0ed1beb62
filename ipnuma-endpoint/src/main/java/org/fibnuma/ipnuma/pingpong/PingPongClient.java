package org.fibnuma.ipnuma.pingpong;

import org.HdrHistogram.Histogram;
import org.fibnuma.core.UserException;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** Sends the counter, waits until it returns, and records the time. */
final class PingPongClient
{
    /**
     * Trips between two checks of limit and signals. At a call of {@link #trips} the JIT can switch to its best
     * version.
     */
    private static final int TRIPS = 100;
    private static final int WARM_UP_SHARE = 4;
    private static final String ENDED = "ended before all round trips were done";

    private final CounterLink link;
    private final AnswerWatchdog watchdog;
    private final BooleanSupplier stopped;
    private final Histogram histogram;
    private int counter;

    /**
     * Creates a client whose counter starts with a random number. The watchdog ends a wait without an answer. A wait
     * also ends when {@code stopped} returns true because the user has ended the measurement.
     */
    PingPongClient(final CounterLink link, final AnswerWatchdog watchdog, final BooleanSupplier stopped)
    {
        this.stopped = stopped;
        this.link = link;
        this.watchdog = watchdog;
        this.histogram = PingPongResult.newHistogram();
        // Random, so that a server with the last counter of another client answers the first one.
        this.counter = ThreadLocalRandom.current().nextInt();
    }

    /**
     * Runs warm-up and measurement.
     *
     * @param warmUp     trips that are not measured, 0 or more, limited to a quarter of the time limit.
     * @param iterations measured trips, 1 or more.
     * @param limitNs    time after which no trip is started.
     * @return the round trip times in ns and the total time.
     * @throws UserException if there is no answer.
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
                throw new UserException(ENDED);
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
            if (watchdog.isTooLong() || stopped.getAsBoolean())
            {
                throw new UserException(stopped.getAsBoolean() ? ENDED :
                    "no answer over " + link.device() + " for " + watchdog.limitMs() + " ms; is the server running?");
            }
        }
        watchdog.onAnswer();
    }
}
