package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for receiving and releasing one test frame, which the benchmarks of stages contain;
 * {@code fibnuma bench jmh FrameCopyBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FrameCopyBenchmark
{
    private final TestFrames frames = new TestFrames();
    private final FrameBatch batch = new FrameBatch();

    /** Writes the frames. */
    @Setup
    public void write()
    {
        frames.setRandom();
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        frames.close();
    }

    /** Receives and releases a batch; returns the address of its last frame. */
    @Benchmark
    @OperationsPerInvocation(TestFrames.BATCH)
    public long receive()
    {
        frames.receive(batch);
        final long last = batch.address(TestFrames.BATCH - 1);
        frames.release(batch);
        return last;
    }
}
