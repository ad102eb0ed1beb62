package org.fibnuma.bench.memif;

import org.fibnuma.bench.pipeline.TestFrameKind;
import org.fibnuma.bench.pipeline.TestTraffic;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.Port;

import java.util.concurrent.TimeUnit;

/**
 * Sends at a steady rate on one link and receives on another. Each frame contains the time at which it was due, whether
 * or not this thread and the link were ready then (no coordinated omission). One thread.
 */
final class PacedHost
{
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Most frames sent in a row, so that receiving is not delayed. */
    private static final int BURST = 64;

    private final TestTraffic traffic;
    private final Port in;
    private final FramePool pool;
    private final FrameBatch batch = new FrameBatch();
    private final StallLog stalls;
    private long sent;
    private long received;
    private long elapsedNs;

    PacedHost(final TestTraffic traffic, final Port in, final FramePool pool, final StallLog stalls)
    {
        this.traffic = traffic;
        this.in = in;
        this.pool = pool;
        this.stalls = stalls;
    }

    /**
     * Runs for a time; an interval of 0 stands for the highest rate, and {@code samples} is null if latencies are not
     * needed.
     */
    void run(final double intervalNs, final long durationNs, final LatencySamples samples)
    {
        sent = 0;
        received = 0;
        final long start = System.nanoTime();
        long now = start;
        stalls.begin(start);
        while (now - start < durationNs)
        {
            offerDue(start, intervalNs, now);
            receive(samples);
            now = System.nanoTime();
            stalls.round(now);
        }
        elapsedNs = now - start;
        drain(samples);
    }

    /**
     * Sends the rest of this end's queue and receives until no frame arrives for a while, so that none is counted in
     * the next run.
     */
    private void drain(final LatencySamples samples)
    {
        long lastNs = System.nanoTime();
        long before = received;
        while (System.nanoTime() - lastNs < DRAIN_NS)
        {
            traffic.flush();
            receive(samples);
            if (received != before)
            {
                before = received;
                lastNs = System.nanoTime();
            }
        }
    }

    private void offerDue(final long start, final double intervalNs, final long now)
    {
        int count = 0;
        long due = start + (long)(sent * intervalNs);
        while (count < BURST && due <= now && traffic.offer(due, TestFrameKind.IPV4))
        {
            count++;
            due = start + (long)((sent + count) * intervalNs);
        }
        sent += count;
        traffic.flush();
    }

    private void receive(final LatencySamples samples)
    {
        batch.clear();
        final int count = in.rxQueue(0).receive(batch);
        if (count > 0 && samples != null)
        {
            final long now = System.nanoTime();
            for (int i = 0; i < count; i++)
            {
                samples.add(FrameMemory.getLong(batch.address(i) + TestTraffic.STAMP_OFFSET), now);
            }
        }
        for (int i = 0; i < count; i++)
        {
            pool.release(batch.handle(i));
        }
        received += count;
    }

    long sent()
    {
        return sent;
    }

    long received()
    {
        return received;
    }

    long elapsedNs()
    {
        return elapsedNs;
    }
}
