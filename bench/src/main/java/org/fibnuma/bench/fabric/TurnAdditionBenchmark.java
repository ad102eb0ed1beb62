package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * Turn addition on joined trees, with turns in the same order: the incremental order of this implementation, and the
 * paper's search for each turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class TurnAdditionBenchmark
{
    /** Ports of a switch; 16 give 55,296 turn pairs. */
    @Param("16")
    public int ports;

    private TurnTraffic traffic;
    private int[] order;

    /** Prepares traffic and order, which are not measured. */
    @Setup
    public void prepare()
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
        traffic = new FatTreePaths(trees).traffic(FatTreePaths.INSIDE_WEIGHT);
        order = TurnAddition.asInThePaper(1).order(traffic);
    }

    /**
     * Measures the paper's form with the incremental order.
     *
     * @return the turns.
     */
    @Benchmark
    public TurnPlan incrementalOrder()
    {
        return TurnAddition.asInThePaper(1).plan(traffic, order, "given");
    }

    /**
     * Measures the sound form with the incremental order.
     *
     * @return the turns.
     */
    @Benchmark
    public TurnPlan incrementalOrderSound()
    {
        return TurnAddition.sound(1).plan(traffic, order, "given");
    }

    /**
     * Measures the paper's own loop check.
     *
     * @return number of forbidden turns.
     */
    @Benchmark
    public int paperLoopCheck()
    {
        return new PaperLoopCheck(traffic.pairs()).distinct(order);
    }
}
