package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.multipath.FlowHash;
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

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Nanoseconds for selecting one of several next hops by the flow of a packet: fields, hash and bucket, as
 * {@code MultipathSelection} does. It contains {@link FrameCopyBenchmark}. {@code fibnuma bench jmh MultipathBenchmark}
 * runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MultipathBenchmark
{
    private static final int MEMBERS = 4;
    private static final int BUCKETS = 256;

    /** Family of the packets, 4 or 6. */
    @Param({"4", "6"})
    public int family;

    /** Whether ports are hashed too. */
    @Param({"false", "true"})
    public boolean byPorts;

    private final TestFrames frames = new TestFrames();
    private final FrameBatch batch = new FrameBatch();
    private final FrameList all = new FrameList();
    private final AccessKeys keys = new AccessKeys();
    private final FlowHash hash = new FlowHash(1);
    private final AdjacencyGroup group = new AdjacencyGroup(
        IntStream.rangeClosed(1, MEMBERS).toArray(), IntStream.generate(() -> 1).limit(MEMBERS).toArray(),
        IntStream.range(0, BUCKETS).map(bucket -> bucket % MEMBERS).toArray(), null);

    /** Writes packets between random hosts. */
    @Setup
    public void write()
    {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < TestFrames.COUNT; i++)
        {
            frames.set(i, TestFrames.udp(host(random), host(random), random), 0);
        }
        all.setAll(TestFrames.BATCH);
    }

    private IpAddress host(final SplittableRandom random)
    {
        return family == 6 ? new IpAddress(random.nextLong(), random.nextLong()) : IpAddress.of(random.nextInt());
    }

    /** Releases the memory. */
    @TearDown
    public void close()
    {
        frames.close();
    }

    /** Selects the next hops of a batch; returns the sum of their adjacencies. */
    @Benchmark
    @OperationsPerInvocation(TestFrames.BATCH)
    public int select()
    {
        frames.receive(batch);
        final int sum = family == 6 ? selectIpv6() : selectIpv4();
        frames.release(batch);
        return sum;
    }

    private int selectIpv4()
    {
        int sum = 0;
        keys.readIpv4(batch, all);
        for (int k = 0; k < TestFrames.BATCH; k++)
        {
            sum += group.adjacency(group.bucket(hash.ofIpv4(keys, k, byPorts)));
        }
        return sum;
    }

    private int selectIpv6()
    {
        int sum = 0;
        keys.readIpv6(batch, all);
        for (int k = 0; k < TestFrames.BATCH; k++)
        {
            sum += group.adjacency(group.bucket(hash.ofIpv6(keys, k, 0, keys.protocol(k), byPorts)));
        }
        return sum;
    }
}
