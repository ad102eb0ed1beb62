package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time of a duty cycle with a full batch. Generator, router and sink run in turn on one thread, and only
 * the router is timed, including the reading of the clock.
 * <p>
 * One frame in {@link #EXCEPTION_INTERVAL} of the warm-up has an expired TTL, so that the JIT does not optimize for a
 * pipeline without exceptions.
 */
final class PipelineThroughput
{
    private static final int BATCH = 64;
    private static final int EXCEPTION_INTERVAL = 100;
    private static final long LONGEST_CYCLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 3;

    private final ForwarderAgent router;
    private final TestTraffic traffic;
    private final TestSink sink;
    private final Histogram cycles = new Histogram(LONGEST_CYCLE_NS, DIGITS);
    private long frames;
    private long busyNs;

    PipelineThroughput(final PipelineRig rig, final int frameLength)
    {
        this.router = rig.router();
        this.traffic = rig.traffic(frameLength);
        this.sink = rig.sink();
    }

    void warmUp(final long durationNs)
    {
        run(durationNs, EXCEPTION_INTERVAL, List.of(TestFrameKind.EXPIRED));
        run(durationNs, Integer.MAX_VALUE, List.of());
        reset();
    }

    /** Discards what was measured. */
    void reset()
    {
        cycles.reset();
        frames = 0;
        busyNs = 0;
    }

    void measure(final long durationNs)
    {
        run(durationNs, Integer.MAX_VALUE, List.of());
    }

    /**
     * Sends for some time.
     *
     * @param exceptionInterval one frame in so many is an exception.
     * @param exceptions        kinds of the exceptions, in turn; empty for none.
     */
    void run(final long durationNs, final int exceptionInterval, final List<TestFrameKind> exceptions)
    {
        int exception = 0;
        final long end = System.nanoTime() + durationNs;
        int untilException = exceptionInterval;
        while (System.nanoTime() - end < 0)
        {
            for (int i = 0; i < BATCH; i++)
            {
                final TestFrameKind kind =
                    --untilException == 0 ? exceptions.get(exception) : TestFrameKind.ORDINARY;
                traffic.offer(0, kind);
                if (untilException == 0)
                {
                    untilException = exceptionInterval;
                    exception = (exception + 1) % exceptions.size();
                }
            }
            traffic.flush();
            final long start = System.nanoTime();
            router.doWork();
            final long taken = System.nanoTime() - start;
            cycles.recordValue(Math.min(taken, LONGEST_CYCLE_NS));
            busyNs += taken;
            frames += BATCH;
            sink.drain();
            traffic.flush();
        }
    }

    /** Returns the mean, including disturbances by the machine. */
    double nsPerPacket()
    {
        return (double)busyNs / frames;
    }

    /** Returns the time of the median cycle per packet: the cost of the code without disturbances. */
    double medianNsPerPacket()
    {
        return (double)cycles.getValueAtPercentile(50) / BATCH;
    }
}
