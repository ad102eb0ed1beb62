package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.Waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ObjDoubleConsumer;

/**
 * Measures contestants that all run at once: each has the core for a slice of time while the others are stopped. The
 * slices of all contestants follow each other within seconds, so that a machine whose speed changes from minute to
 * minute has the same speed for all of them.
 */
final class SlicedMeasurement implements AutoCloseable
{
    /** Time after which the caches have the tables of a resumed process again. */
    private static final Duration WARM_UP = Duration.ofMillis(60);
    private static final Duration SLICE = Duration.ofMillis(350);

    private final List<Contestant.Running> running = new ArrayList<>();

    /**
     * Starts a contestant while the others are stopped, and then stops it.
     *
     * @param contestant to start.
     * @param replay     capture that the frames come from.
     * @param warmUp     time for which the contestant runs before it is stopped.
     */
    void start(
        final Contestant<ForwardRig.Replay> contestant, final ForwardRig.Replay replay, final Duration warmUp)
    {
        final Contestant.Running started = contestant.start(replay);
        running.add(started);
        Waiting.sleep(warmUp);
        started.suspend();
    }

    /** Returns how long a contestant runs for a slice, in ms. */
    static long sliceMs()
    {
        return WARM_UP.plus(SLICE).toMillis();
    }

    /**
     * Measures one slice of each contestant. The order alternates between that of the starts and its reverse.
     *
     * @param slice  number of the slice, from 0.
     * @param result receives the names of the contestants and their rates in millions a second.
     */
    void measure(final int slice, final ObjDoubleConsumer<String> result)
    {
        final List<Contestant.Running> order = new ArrayList<>(running);
        if (slice % 2 == 1)
        {
            Collections.reverse(order);
        }
        for (final Contestant.Running each : order)
        {
            each.resume();
            result.accept(each.name(), ForwardComparison.measure(each, WARM_UP, SLICE));
            each.suspend();
        }
    }

    /** Ends all contestants. */
    @Override
    public void close()
    {
        for (final Contestant.Running each : running)
        {
            if (each.alive().getAsBoolean())
            {
                each.resume();
            }
            each.close();
        }
    }
}
