package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Duty cycles of a worker, each with a full batch of frames. Generator, worker and sinks run in turn on one thread, and
 * only the worker is timed, including the reading of the clock.
 */
final class TimedCycle
{
    /** Frames of each duty cycle. */
    static final int BATCH = 64;
    /** Length of a slice of time in ns. */
    static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int FEWEST_ROUNDS = 3;

    private final ForwarderAgent router;
    private final TxQueue txQueue;
    private final TestSink sink;
    private final TestSink kernel;

    TimedCycle(final PipelineRig rig)
    {
        router = rig.router();
        txQueue = rig.leftHostTxQueue();
        sink = rig.sink();
        kernel = rig.kernel();
    }

    /**
     * Runs a duty cycle.
     *
     * @param offer offers one frame to the left port.
     * @return time of the duty cycle in ns.
     */
    long run(final Runnable offer)
    {
        for (int i = 0; i < BATCH; i++)
        {
            offer.run();
        }
        txQueue.flush();
        final long start = System.nanoTime();
        router.doWork();
        final long taken = System.nanoTime() - start;
        sink.drain();
        kernel.drain();
        txQueue.flush();
        return taken;
    }

    /**
     * Measures slices of time of several uses in turn, so that disturbances by the machine affect all alike.
     *
     * @param uses       of the worker.
     * @param durationNs time of all slices.
     * @param slice      measures a use for {@link #SLICE_NS} and returns the time of a frame in ns.
     * @param <K>        type of the uses.
     * @return the times of all slices, at least three of each use.
     */
    static <K> Rounds<K> inTurn(final List<K> uses, final long durationNs, final ToDoubleFunction<K> slice)
    {
        final Rounds<K> times = new Rounds<>();
        final long rounds = Math.max(FEWEST_ROUNDS, durationNs / (uses.size() * SLICE_NS));
        for (long i = 0; i < rounds; i++)
        {
            uses.forEach(use -> times.add(use, slice.applyAsDouble(use)));
        }
        return times;
    }
}
