package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.VlanTag;
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

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for reading, removing and inserting the VLAN tags of one frame;
 * {@code fibnuma bench jmh VlanTagBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class VlanTagBenchmark
{
    private static final int FRAMES = 1 << 10;
    private static final int BATCH = TestFrames.BATCH;
    private static final int CHUNK = 2048;
    private static final int LENGTH = 68;

    /** Tags of a frame, 1 or 2. */
    @Param({"1", "2"})
    public int tags;

    private final MemoryRegion memory = MemoryRegion.ofChunks(FRAMES, CHUNK);
    private int tagLength;
    private int next;

    /** Writes tagged frames. */
    @Setup
    public void write()
    {
        tagLength = tags * VlanTag.LENGTH;
        for (int i = 0; i < FRAMES; i++)
        {
            final long inner = VlanTag.of(EtherType.VLAN, 0, i + 1);
            VlanTag.insert(frame(i) + tagLength, LENGTH - tagLength,
                tags == 1 ? inner : VlanTag.stacked(VlanTag.of(EtherType.SERVICE_VLAN, 0, i + 1), inner));
        }
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        memory.close();
    }

    /** Reads the tags of frames; returns their sum. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long read()
    {
        final int from = nextBatch();
        long sum = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            sum += VlanTag.read(frame(i), LENGTH);
        }
        return sum;
    }

    /** Reads and removes the tags of frames and inserts them again; returns the sum of the addresses. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long removeAndInsert()
    {
        final int from = nextBatch();
        long sum = 0;
        for (int i = from; i < from + BATCH; i++)
        {
            final long read = VlanTag.read(frame(i), LENGTH);
            sum += VlanTag.insert(VlanTag.remove(frame(i), read), LENGTH - tagLength, read);
        }
        return sum;
    }

    private long frame(final int i)
    {
        return memory.address() + (long)i * CHUNK + FramePool.HEADROOM;
    }

    private int nextBatch()
    {
        next = next + BATCH & FRAMES - 1;
        return next;
    }
}
