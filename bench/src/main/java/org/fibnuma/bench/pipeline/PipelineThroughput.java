package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

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
    private static final TestFrameKind[] ORDINARY = TrafficMix.of(TestFrameKind.IPV4).sequence();
    private static final long LONGEST_CYCLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 3;

    private final ForwarderAgent router;
    private final TestTraffic traffic;
    private final TestSink sink;
    private final TestSink kernel;
    private final Histogram cycles = new Histogram(LONGEST_CYCLE_NS, DIGITS);
    private long frames;
    private long busyNs;

    PipelineThroughput(final PipelineRig rig, final int frameLength)
    {
        this.router = rig.router();
        this.traffic = rig.traffic(frameLength);
        this.sink = rig.sink();
        this.kernel = rig.kernel();
    }

    void warmUp(final long durationNs)
    {
        run(durationNs, TrafficMix.withOneIn(EXCEPTION_INTERVAL, TestFrameKind.EXPIRED).sequence());
        run(durationNs, ORDINARY);
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
        run(durationNs, ORDINARY);
    }

    /**
     * Sends for some time.
     *
     * @param durationNs time in ns.
     * @param kinds      of the frames, repeated.
     */
    void run(final long durationNs, final TestFrameKind[] kinds)
    {
        int next = 0;
        final long end = System.nanoTime() + durationNs;
        while (System.nanoTime() - end < 0)
        {
            for (int i = 0; i < BATCH; i++)
            {
                traffic.offer(0, kinds[next]);
                next = next + 1 < kinds.length ? next + 1 : 0;
            }
            traffic.flush();
            final long start = System.nanoTime();
            router.doWork();
            final long taken = System.nanoTime() - start;
            cycles.recordValue(Math.min(taken, LONGEST_CYCLE_NS));
            busyNs += taken;
            frames += BATCH;
            sink.drain();
            kernel.drain();
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
