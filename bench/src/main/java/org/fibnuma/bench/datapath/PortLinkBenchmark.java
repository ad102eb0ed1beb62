package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one frame from a transmit queue to the receive queue at the other end of a link in memory, with its
 * chunks: {@code mem:} within a process, {@code shm:} between two. {@code fibnuma bench jmh PortLinkBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PortLinkBenchmark
{
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 1024;
    private static final int LENGTH = 60;
    private static final int RING = 256;

    /** Scheme of the ports. */
    @Param({"mem", "shm"})
    public String scheme;

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, CHUNK);
    private final FramePool nearPool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final FramePool farPool = new FramePool(region, CHUNK, CHUNKS, CHUNKS);
    private final FrameBatch sent = new FrameBatch();
    private final FrameBatch received = new FrameBatch();
    private Port near;
    private Port far;

    /** Opens both ends. */
    @Setup
    public void open()
    {
        final String device = scheme + ":jmh-" + ProcessHandle.current().pid();
        near = open(device, 0, nearPool);
        far = open(device + "@far", 1, farPool);
    }

    private static Port open(final String device, final int index, final FramePool pool)
    {
        final PortSettings settings = new PortSettings(RING, RING, 0, 0, false);
        final Port port = Ports.open(new PortRequest(device, device, index, List.of(pool), settings));
        port.start();
        return port;
    }

    /** Closes both ends. */
    @TearDown
    public void close()
    {
        near.close();
        far.close();
        region.close();
    }

    /** Sends and receives a batch; returns the sum of the lengths. */
    @Benchmark
    @OperationsPerInvocation(TestFrames.BATCH)
    public long pass()
    {
        for (int i = 0; i < TestFrames.BATCH; i++)
        {
            final long chunk = nearPool.allocate();
            sent.add(chunk, chunk + FramePool.HEADROOM, LENGTH, 0);
        }
        final int offered = near.txQueue(0).offer(sent, 0, TestFrames.BATCH);
        near.txQueue(0).flush();
        sent.clear();
        final int count = far.rxQueue(0).receive(received);
        if (offered != TestFrames.BATCH || count != TestFrames.BATCH)
        {
            throw new IllegalStateException(offered + " frames were sent and " + count + " received");
        }
        final long bytes = received.bytes();
        for (int i = 0; i < count; i++)
        {
            farPool.release(received.handle(i));
        }
        received.clear();
        far.txQueue(0).flush();
        return bytes;
    }
}
