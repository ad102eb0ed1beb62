package org.fibnuma.bench.datapath;

import org.fibnuma.pfc.policy.PauseMarks;
import org.fibnuma.pfc.policy.PausePolicy;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseSettings;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.fibnuma.pfc.priority.PriorityBacklog;
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

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds of a pause policy for one frame, when it arrives and when it leaves. The queue rises above the high mark
 * and falls below the low one again and again. {@code fibnuma bench jmh PausePolicyBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PausePolicyBenchmark
{
    /** Frames of a burst: more than the high mark, on average. */
    private static final int BURST = 128;
    private static final int FRAMES = 1 << 12;
    private static final int PRIORITY = 3;
    private static final int XOFF_BYTES = 64 * 1024;
    private static final int XON_BYTES = 32 * 1024;
    private static final long BITS_PER_SECOND = 10_000_000_000L;
    private static final long FRAME_NS = 100;

    /** Pause policy. */
    @Param
    public PausePolicyKind policy;

    private final PriorityBacklog backlog = new PriorityBacklog();
    private final int[] lengths = new SplittableRandom(1).ints(FRAMES, 64, 1515).toArray();
    private PausePolicy pauses;
    private long sent;
    private long nowNs;
    private int arrived;
    private int departed;

    /** Creates the policy. */
    @Setup
    public void create()
    {
        pauses = policy.create(new PauseSettings(
            1 << PRIORITY, new PauseMarks(XOFF_BYTES, XON_BYTES), XOFF_BYTES, BITS_PER_SECOND, PauseUpkeep.ROUTER,
            PauseTimeLaw.DEFAULT), backlog, this::send);
    }

    private boolean send(final int classEnable, final int[] quanta, final long timeNs)
    {
        sent += quanta[PRIORITY];
        return true;
    }

    /** Queues a burst that exceeds the high mark, and drains it; returns the sum of the sent pause times. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public long arriveAndDepart()
    {
        for (int i = 0; i < BURST; i++)
        {
            nowNs += FRAME_NS;
            backlog.onArrival(PRIORITY, lengths[arrived++ & FRAMES - 1]);
            pauses.onArrival(PRIORITY, nowNs);
        }
        pauses.onTime(nowNs);
        for (int i = 0; i < BURST; i++)
        {
            nowNs += FRAME_NS;
            backlog.onDeparture(PRIORITY, lengths[departed++ & FRAMES - 1]);
            pauses.onDeparture(PRIORITY, nowNs);
        }
        pauses.onTime(nowNs);
        return sent;
    }
}
