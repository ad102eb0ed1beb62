package org.fibnuma.bench.datapath;

import org.fibnuma.bench.acl.RuleGenerator;
import org.fibnuma.bench.acl.RuleShape;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.ActiveList;
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
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for judging one packet by an access list. Each packet matches a rule drawn at random; all rules permit.
 * It contains {@link FrameCopyBenchmark}. {@code fibnuma bench jmh AccessListBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AccessListBenchmark
{
    private static final long SEED = 3;

    /** Number of generated rules. */
    @Param({"100", "1000"})
    public int rules;

    /** Shape of the rules, after ClassBench. */
    @Param
    public RuleShape shape;

    /** Family of rules and packets, 4 or 6. */
    @Param({"4", "6"})
    public int family;

    private final TestFrames frames = new TestFrames();
    private final FrameBatch batch = new FrameBatch();
    private final FrameList all = new FrameList();
    private final AccessKeys keys = new AccessKeys();
    private ActiveList list;

    /** Generates the rules and a packet for a random one of them for each frame. */
    @Setup
    public void generate()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final RuleGenerator generator = new RuleGenerator(shape, family == 6, SEED, null);
        final List<AccessRule> generated = generator.rules(rules, AccessAction.PERMIT);
        list = new AccessLists(List.of(new AccessList("bench", generated, AccessAction.PERMIT)),
            List.of("bench"), List.of(), 1).ingress(0);
        for (int i = 0; i < TestFrames.COUNT; i++)
        {
            frames.set(i, generator.packet(generated.get(random.nextInt(rules))), 0);
        }
        all.setAll(TestFrames.BATCH);
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        frames.close();
    }

    /** Reads the fields of a batch, finds and counts the rules; returns false, because none denies. */
    @Benchmark
    @OperationsPerInvocation(TestFrames.BATCH)
    public boolean judge()
    {
        frames.receive(batch);
        final boolean isAnyDenied = list.judge(batch, all, family == 6, keys, 0);
        frames.release(batch);
        return isAnyDenied;
    }
}
