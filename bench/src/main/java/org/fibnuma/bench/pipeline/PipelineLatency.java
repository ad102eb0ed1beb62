package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

import java.util.concurrent.TimeUnit;

/**
 * Measures the time of frames from ring to ring at a given rate. Generator, router and sink run in turn on one thread;
 * the clock is advanced only by the router's duty cycles, each by its measured time, so that the others add nothing.
 * <p>
 * The rate is an open loop on that clock: each frame contains the time at which it was due, whether or not the router
 * and the ring were ready then. A long cycle, whatever its cause, is part of the latency of every frame that waited for
 * it (no coordinated omission).
 * <p>
 * A cycle with a full batch takes one to two microseconds. One above {@link #STALL_NS} was interrupted by the machine:
 * a timer tick of a virtual machine may take twenty. Such stalls are counted, and the latencies of undisturbed frames
 * are recorded a second time by themselves.
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
     * @param framesPerSecond constant rate.
     * @param warmUpNs        time on the router's clock that is not recorded.
     * @param durationNs      time on the router's clock that is recorded.
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
            // The first batch that is not full contains the last frames that were due during a stall.
            disturbed &= cycle > STALL_NS || count == FrameBatch.CAPACITY;
        }
        totalNs = clock;
        traffic.flush();
    }

    private int offerDue(final long offered, final double intervalNs, final long clock)
    {
        int count = 0;
        long due = (long)(offered * intervalNs);
        while (due <= clock && traffic.offer(due, TestFrameKind.IPV4))
        {
            count++;
            due = (long)((offered + count) * intervalNs);
        }
        return count;
    }

    /** Returns the latencies of all frames. */
    Histogram latencies()
    {
        return latencies;
    }

    /** Returns the latencies of the frames that no stall disturbed. */
    Histogram undisturbed()
    {
        return undisturbed;
    }

    /** Returns how often per second the machine interrupted a duty cycle. */
    double stallsPerSecond()
    {
        return (double)stalls * TimeUnit.SECONDS.toNanos(1) / totalNs;
    }

    /** Returns the share of the router's time in interrupted duty cycles, 0 to 1. */
    double stalledShare()
    {
        return (double)stalledNs / totalNs;
    }
}
