package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.pfc.priority.PriorityClassifier;
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
 * Nanoseconds for the priority of one frame by its DSCP, in a router with lossless priorities. It contains
 * {@link FrameCopyBenchmark}. {@code fibnuma bench jmh PriorityBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PriorityBenchmark
{
    private final TestFrames frames = new TestFrames();
    private final FrameBatch batch = new FrameBatch();
    private final PriorityClassifier classifier = PriorityClassifier.byDscp(PriorityClassifier.classSelectors());

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

    /** Finds the priorities of a batch; returns their sum. */
    @Benchmark
    @OperationsPerInvocation(TestFrames.BATCH)
    public int priority()
    {
        frames.receive(batch);
        int sum = 0;
        for (int i = 0; i < TestFrames.BATCH; i++)
        {
            sum += classifier.priority(batch.address(i), batch.length(i));
        }
        frames.release(batch);
        return sum;
    }
}
