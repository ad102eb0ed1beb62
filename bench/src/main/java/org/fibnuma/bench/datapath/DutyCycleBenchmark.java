package org.fibnuma.bench.datapath;

import org.fibnuma.bench.fib.AddressSample;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.fib.Ipv6AddressSample;
import org.fibnuma.bench.pipeline.LoadedRouter;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.fate.FateReport;
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
 * Nanoseconds for one frame in a worker's duty cycle, from the receive queue to the transmit queue. The stages of the
 * data path are not public; the difference between two kinds of frames is the cost of the stages that only one needs.
 * It contains {@link FrameCopyBenchmark}. {@code fibnuma bench jmh DutyCycleBenchmark} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DutyCycleBenchmark
{
    /** Kinds of frames. */
    public enum Kind
    {
        /** Ordinary IPv4: classifier, lookup, rewrite. */
        IPV4,
        /** Ordinary IPv6. */
        IPV6,
        /** One of each family in turn. */
        MIXED,
        /** IPv4 with options, whose headers are checked rule by rule. */
        OPTIONS,
        /** IPv4 in VLANs: a tag is removed, another one inserted. */
        TAGGED,
        /** Ordinary IPv4 that waits in the egress FIFO for the port. */
        FIFO
    }

    private static final int SOURCE = Ipv4Address.parse("198.18.0.2");
    private static final Ipv6Address IPV6_SOURCE = Ipv6Address.parse("fd00::2");
    private static final long EGRESS_TAG = VlanTag.of(EtherType.VLAN, 0, 1);
    private static final int FIRST_VLAN = 2;

    /** Kind of the frames. */
    @Param
    public Kind kind;

    /** Source of the IPv4 routes, as for {@code bench pipeline}. */
    @Param("generated:950000")
    public String table;

    /** Source of the IPv6 routes. */
    @Param("generated:200000")
    public String table6;

    /** Next hops of the IPv4 routes; 0 for those of the table. */
    @Param("0")
    public int nextHops;

    /** Ports of the worker, all but two without traffic; 2 to 63. */
    @Param("2")
    public int ports;

    /** VLANs of the received frames of {@link Kind#TAGGED}, 1 to 4093. */
    @Param("1")
    public int vlans;

    private final TestFrames frames = new TestFrames();
    private LoadedRouter router;

    /** Loads the tables and writes the frames. */
    @Setup
    public void load()
    {
        final DualStackTable routes = DualStackTable.open(table, table6);
        final SplittableRandom random = new SplittableRandom(1);
        final int[] ipv4 = new AddressSample(routes.ipv4(), 1).ofTransit(TestFrames.COUNT);
        final long[] tags = IntStream.range(FIRST_VLAN, FIRST_VLAN + vlans)
            .mapToLong(vlan -> VlanTag.of(EtherType.VLAN, 0, vlan)).toArray();
        final Ipv6Address[] ipv6 = new Ipv6AddressSample(routes.ipv6(), random).ofTransit(TestFrames.COUNT);
        for (int i = 0; i < TestFrames.COUNT; i++)
        {
            final boolean isIpv6 = kind == Kind.IPV6 || kind == Kind.MIXED && (i & 1) != 0;
            frames.set(i, TestFrames.udp(
                isIpv6 ? address(IPV6_SOURCE) : IpAddress.of(SOURCE),
                isIpv6 ? address(ipv6[i]) : IpAddress.of(ipv4[i]), random),
                kind == Kind.TAGGED ? tags[i % vlans] : 0);
            if (kind == Kind.OPTIONS)
            {
                frames.addOptions(i);
            }
        }
        router = new LoadedRouter(routes, nextHops, IntStream.range(0, ports)
            .mapToObj(i -> (Port)new ReplayPort(
                i, i == 0 ? frames::receive : batch -> 0, frames.pool(), i == 1 && kind == Kind.FIFO)).toList(),
            frames.pool(), TestFrames.ROUTER_MAC, context -> {});
        if (kind == Kind.TAGGED)
        {
            router.useVlans(tags, EGRESS_TAG);
        }
    }

    private static IpAddress address(final Ipv6Address address)
    {
        return new IpAddress(address.high(), address.low());
    }

    /** Fails if a frame was not forwarded, and releases the memory. */
    @TearDown
    public void close()
    {
        router.close();
        frames.close();
        final FateReport fates = router.fates();
        if (!fates.isBalanced() || fates.dropped() > 0)
        {
            throw new IllegalStateException(fates.dropped() + " frames were dropped");
        }
    }

    /** Runs a duty cycle with a batch; returns its work. */
    @Benchmark
    @OperationsPerInvocation(TestFrames.BATCH)
    public int doWork()
    {
        return router.agent().doWork();
    }
}
