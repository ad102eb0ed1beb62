package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

import java.util.concurrent.TimeUnit;

/**
 * How long frames take from ring to ring at a given rate. Generator, router and sink take turns on one thread; time is
 * the router's own: a clock that only its duty cycles advance, each by what it really took, so that the others cost
 * nothing.
 * <p>
 * The rate is an open loop on that clock: each frame bears the time at which it was due, whether or not the router or
 * the ring was ready for it. A cycle that takes long, whoever's fault it is, is in the latency of every frame that
 * waited for it (no coordinated omission).
 * <p>
 * A cycle of a full batch takes one to two microseconds. One above {@link #STALL_NS} has been interrupted by the
 * machine: a timer tick of a virtual machine may take twenty. Such stalls are counted, and the latencies of frames that
 * they did not concern are recorded once more by themselves.
 */
final class PipelineLatency
{
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;
    private static final long STALL_NS = TimeUnit.MICROSECONDS.toNanos(5);

    private final ForwarderAgent router;
    private final TestTraffic traffic;
    private final TestSink sink;
    private final Histogram latencies = new Histogram(LONGEST_NS, DIGITS);
    private final Histogram undisturbed = new Histogram(LONGEST_NS, DIGITS);
    private long stalls;
    private long stalledNs;
    private long totalNs;

    PipelineLatency(final PipelineRig rig, final int frameLength)
    {
        this.router = rig.router();
        this.traffic = rig.traffic(frameLength);
        this.sink = rig.sink();
    }

    /**
     * Sends and receives on the calling thread.
     *
     * @param framesPerSecond rate, constant.
     * @param warmUpNs        of the router's time, not recorded.
     * @param durationNs      of the router's time, recorded.
     */
    void measure(final double framesPerSecond, final long warmUpNs, final long durationNs)
    {
        final double intervalNs = TimeUnit.SECONDS.toNanos(1) / framesPerSecond;
        run(intervalNs, warmUpNs);
        latencies.reset();
        undisturbed.reset();
        stalls = 0;
        stalledNs = 0;
        run(intervalNs, durationNs);
    }

    private void run(final double intervalNs, final long durationNs)
    {
        long clock = 0;
        long offered = 0;
        long taken = 0;
        boolean disturbed = false;
        while (clock < durationNs || taken < offered)
        {
            if (clock < durationNs)
            {
                offered += offerDue(offered, intervalNs, clock);
                traffic.flush();
            }
            final long start = System.nanoTime();
            router.doWork();
            final long cycle = System.nanoTime() - start;
            clock += cycle;
            if (cycle > STALL_NS)
            {
                stalls++;
                stalledNs += cycle;
                disturbed = true;
            }
            final int count = sink.drain(clock, latencies, disturbed ? null : undisturbed);
            taken += count;
            // The frames that were due during a stall have passed with the first batch that is not full.
            disturbed &= cycle > STALL_NS || count == FrameBatch.CAPACITY;
        }
        totalNs = clock;
        traffic.flush();
    }

    private int offerDue(final long offered, final double intervalNs, final long clock)
    {
        int count = 0;
        long due = (long)(offered * intervalNs);
        while (due <= clock && traffic.offer(due, TestFrameKind.ORDINARY))
        {
            count++;
            due = (long)((offered + count) * intervalNs);
        }
        return count;
    }

    /** Of all frames. */
    Histogram latencies()
    {
        return latencies;
    }

    /** Of the frames that no stall concerned. */
    Histogram undisturbed()
    {
        return undisturbed;
    }

    /** How often the machine interrupted a duty cycle. */
    double stallsPerSecond()
    {
        return (double)stalls * TimeUnit.SECONDS.toNanos(1) / totalNs;
    }

    /** How much of the router's time that took, 0 to 1. */
    double stalledShare()
    {
        return (double)stalledNs / totalNs;
    }
}
