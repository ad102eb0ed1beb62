package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.ring.DescriptorRing;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one descriptor through the ring of egress FIFOs and of ports in memory. One thread is producer and
 * consumer, so that no cache line moves between processors. {@code fibnuma bench jmh DescriptorRingBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DescriptorRingBenchmark
{
    private static final int BATCH = TestFrames.BATCH;
    private static final int CHUNK = 2048;
    private static final int LENGTHS = 1024;

    /** Descriptors that the ring holds: an egress FIFO, the ring of a port. */
    @Param({"64", "2048"})
    public int capacity;

    private DescriptorRing ring;
    private long chunk = CHUNK;

    /** Makes the ring. */
    @Setup
    public void open()
    {
        ring = new DescriptorRing(capacity);
    }

    /** Offers and publishes a batch and takes it out; returns the sum of what was read. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long batch()
    {
        for (int i = 0; i < BATCH; i++)
        {
            ring.offer(chunk, chunk + FramePool.HEADROOM, (int)chunk & LENGTHS - 1);
            chunk += CHUNK;
        }
        ring.publish();
        return take(BATCH);
    }

    /** Offers, publishes and takes out one descriptor at a time, as egress FIFOs do; returns the sum. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long single()
    {
        for (int i = 0; i < BATCH; i++)
        {
            ring.offer(chunk, chunk + FramePool.HEADROOM, (int)chunk & LENGTHS - 1);
            ring.publish();
            chunk += CHUNK;
        }
        long sum = 0;
        while (ring.readable(1) > 0)
        {
            sum += take(1);
        }
        return sum;
    }

    private long take(final int most)
    {
        final int count = ring.readable(most);
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += ring.handle(i) + ring.address(i) + ring.length(i);
        }
        ring.consume(count);
        return sum;
    }
}
