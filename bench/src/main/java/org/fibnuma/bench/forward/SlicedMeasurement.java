package org.fibnuma.bench.forward;

import org.fibnuma.core.UserException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.ObjDoubleConsumer;

/**
 * Measures contenders that all run at once: each has the core for a slice of time while the others are stopped. The
 * slices of all contenders follow each other within seconds, so that a machine whose speed changes from minute to
 * minute has the same speed for all of them.
 */
final class SlicedMeasurement implements AutoCloseable
{
    /** Time after which the caches have the tables of a resumed process again. */
    private static final Duration WARM_UP = Duration.ofMillis(60);
    private static final Duration SLICE = Duration.ofMillis(350);

    private final List<Contender.Running> running = new ArrayList<>();

    /**
     * Starts contenders one after the other, each with the core for itself, and stops them.
     *
     * @param contenders to start.
     * @param rig        devices, files and core to forward with.
     * @param kind       capture that the frames come from.
     * @param warmUp     returns how long a contender runs before it is stopped for the first time.
     */
    SlicedMeasurement(
        final List<Contender> contenders,
        final ForwardRig rig,
        final CaptureKind kind,
        final Function<Contender, Duration> warmUp)
    {
        try
        {
            for (final Contender contender : contenders)
            {
                final Contender.Running started = contender.start(rig, kind);
                running.add(started);
                Thread.sleep(warmUp.apply(contender).toMillis());
                started.suspend();
            }
        }
        catch (final InterruptedException ex)
        {
            close();
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", ex);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Returns how long a contender runs for a slice, in ms. */
    static long sliceMs()
    {
        return WARM_UP.plus(SLICE).toMillis();
    }

    /**
     * Measures one slice of each contender, in the order in which they were started or in the reverse order, each time
     * the other one.
     *
     * @param slice  number of the slice, from 0.
     * @param result receives the names of the contenders and their rates in millions a second.
     */
    void measure(final int slice, final ObjDoubleConsumer<String> result)
    {
        final List<Contender.Running> order = new ArrayList<>(running);
        if (slice % 2 == 1)
        {
            Collections.reverse(order);
        }
        for (final Contender.Running each : order)
        {
            each.resume();
            result.accept(each.name(), each.measure(WARM_UP, SLICE));
            each.suspend();
        }
    }

    /** Ends all contenders. */
    @Override
    public void close()
    {
        for (final Contender.Running each : running)
        {
            if (each.alive().getAsBoolean())
            {
                each.resume();
            }
            each.close();
        }
    }
}
