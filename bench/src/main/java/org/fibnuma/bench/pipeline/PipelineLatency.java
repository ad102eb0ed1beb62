package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.fibnuma.core.agent.AgentThread;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How long frames take from ring to ring at a given rate: the router spins on one core, generator and sink on another.
 * <p>
 * The rate is an open loop: each frame bears the time at which it was due, whether or not the generator or the ring
 * was ready for it, so that whatever stands still, ours or the machine's, is in the latency of every frame that it
 * concerns (no coordinated omission). The sink's clock is read after the frames were taken.
 */
final class PipelineLatency
{
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;
    private static final int MAX_BURST = 64;
    /** No frame for so long: none is under way any more. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PipelineRig rig;
    private final TestTraffic traffic;
    private final TestSink sink;
    private final Histogram latencies = new Histogram(LONGEST_NS, DIGITS);

    PipelineLatency(final PipelineRig rig, final int frameLength)
    {
        this.rig = rig;
        this.traffic = rig.traffic(frameLength);
        this.sink = rig.sink();
    }

    /**
     * Sends and receives on the calling thread.
     *
     * @param routerCore      for the router's thread.
     * @param framesPerSecond rate, constant.
     * @param warmUpNs        not recorded.
     * @param durationNs      recorded.
     */
    Histogram measure(final int routerCore, final double framesPerSecond, final long warmUpNs, final long durationNs)
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final double intervalNs = TimeUnit.SECONDS.toNanos(1) / framesPerSecond;
        final AgentThread router = AgentThread.start(
            rig.router(), new BusySpinIdleStrategy(), routerCore, failure::set);
        try
        {
            run(intervalNs, warmUpNs);
            latencies.reset();
            run(intervalNs, durationNs);
        }
        finally
        {
            router.close();
        }
        if (failure.get() != null)
        {
            throw new IllegalStateException("the router failed", failure.get());
        }
        return latencies;
    }

    private void run(final double intervalNs, final long durationNs)
    {
        final long start = System.nanoTime();
        long offered = 0;
        long now = start;
        while (now - start < durationNs)
        {
            offered += offerDue(start, offered, intervalNs, now);
            traffic.flush();
            sink.drain(latencies);
            now = System.nanoTime();
        }
        long quietSince = now;
        while (now - quietSince < QUIET_NS)
        {
            quietSince = sink.drain(latencies) > 0 ? now : quietSince;
            now = System.nanoTime();
        }
        traffic.flush();
    }

    private int offerDue(final long start, final long offered, final double intervalNs, final long now)
    {
        int count = 0;
        long due = start + (long)(offered * intervalNs);
        while (due - now <= 0 && count < MAX_BURST && traffic.offer(due, false))
        {
            count++;
            due = start + (long)((offered + count) * intervalNs);
        }
        return count;
    }
}
