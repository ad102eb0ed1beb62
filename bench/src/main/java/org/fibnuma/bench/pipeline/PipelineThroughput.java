package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/**
 * Measures the time of a duty cycle with a full batch.
 * <p>
 * One frame in {@link #EXCEPTION_INTERVAL} of the warm-up has an expired TTL, so that the JIT does not optimize for a
 * pipeline without exceptions.
 */
final class PipelineThroughput
{
    private static final int EXCEPTION_INTERVAL = 100;
    private static final TestFrameKind[] ORDINARY = TrafficMix.of(TestFrameKind.IPV4).sequence();
    private static final long LONGEST_CYCLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 3;

    private final TimedCycle cycle;
    private final TestTraffic traffic;
    private final Histogram cycles = new Histogram(LONGEST_CYCLE_NS, DIGITS);
    private long frames;
    private long busyNs;
    private int next;

    PipelineThroughput(final PipelineRig rig, final int frameLength)
    {
        this.cycle = new TimedCycle(rig);
        this.traffic = rig.traffic(frameLength);
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
        next = 0;
        final Runnable offer = () ->
        {
            traffic.offer(0, kinds[next]);
            next = next + 1 < kinds.length ? next + 1 : 0;
        };
        final long end = System.nanoTime() + durationNs;
        while (System.nanoTime() - end < 0)
        {
            final long taken = cycle.run(offer);
            cycles.recordValue(Math.min(taken, LONGEST_CYCLE_NS));
            busyNs += taken;
            frames += TimedCycle.BATCH;
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
        return (double)cycles.getValueAtPercentile(50) / TimedCycle.BATCH;
    }
}
