package org.fibnuma.bench.rfc2544;

import org.HdrHistogram.Histogram;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.bench.traffic.FrameTemplate;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** {@code fibnuma bench rfc2544}: tests routers after RFC 2544. */
@Command(
    name = "rfc2544",
    description = "Tests routers after RFC 2544: throughput, latency, frame loss and back-to-back frames, by frame " +
        "size. Without --left and --right it tests the router, the kernel and DPDK's programs in turn. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench rfc2544 --rig veth --frame-sizes 64,1518,imix --json",
        "  fibnuma bench rfc2544 --left eth1 --right eth2 --gateway 10.0.0.1"
    })
public final class Rfc2544Command extends MeasurementCommand
{
    private static final String MEMIF = "memif";
    private static final String VETH = "veth";
    private static final String IMIX = "imix";
    private static final String THROUGHPUT = "throughput";
    private static final String LATENCY = "latency";
    private static final String LOSS = "loss";
    private static final String BACK_TO_BACK = "back-to-back";
    private static final int FCS = 4;
    private static final int SHORTEST = 64;
    private static final int LONGEST = 1518;
    /** RFC 6985's example of IMIX: 7, 4 and 1 frames. */
    private static final int[] IMIX_SIZES = {64, 64, 570, 64, 64, 570, 64, 64, 570, 64, 570, 1518};
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);
    /** Shares of the throughput at which latency is measured. */
    private static final int[] LOADS = {100, 50, 10};
    private static final double PERCENT = 100;
    private static final double SHORTEST_TRIAL_S = 0.1;

    @Option(names = "--rig", split = ",", defaultValue = MEMIF + "," + VETH, paramLabel = "memif|veth",
        description = "links of DPDK's net_memif, or veth pairs (${DEFAULT-VALUE})")
    private List<String> rigs;

    @Option(names = "--left", paramLabel = "INTERFACE", description = "test what is between two interfaces of this " +
        "host instead: frames are sent from this one")
    private String left;

    @Option(names = "--right", paramLabel = "INTERFACE", description = "and received on this one, to which the " +
        "router forwards 198.18.0.0/15 and 2001:2::/48")
    private String right;

    @Option(names = "--gateway", split = ",", paramLabel = "ADDRESS", description = "the router's address at the " +
        "left interface; with --both-directions also, after a comma, at the right one, where it receives frames to " +
        "192.0.2.0/24 and 2001:db8::/64")
    private List<String> gateways = List.of();

    @Option(names = "--frame-sizes", split = ",", defaultValue = "64,128,256,512,1024,1280,1518",
        paramLabel = "BYTES|imix", description = "with FCS, 64 to 1518, at least 80 for IPv6; imix is a mix of " +
        "64, 570 and 1518 in the ratio 7:4:1 (${DEFAULT-VALUE})")
    private List<String> frameSizes;

    @Option(names = "--family", defaultValue = "4", paramLabel = "4|6|mixed|all",
        description = "frames of IPv4, of IPv6, of both in turn, or each of these (${DEFAULT-VALUE})")
    private String family;

    @Option(names = "--routes", split = ",", defaultValue = "1", paramLabel = "N",
        description = "generated routes of each family in the devices (${DEFAULT-VALUE})")
    private List<Integer> routes;

    @Option(names = "--flows", split = ",", defaultValue = "" + Destinations.COUNT, paramLabel = "N",
        description = "destinations of the frames in each family, in turn, at most " + Destinations.COUNT +
        " (${DEFAULT-VALUE})")
    private List<Integer> flows;

    @Option(names = "--ports", defaultValue = "1:1", paramLabel = "IN:OUT",
        description = "links from which frames come, and to which the routes lead, at most " + PortCounts.MOST +
        " each; more than one each only on veth (${DEFAULT-VALUE})")
    private String ports;

    @Option(names = "--tests", split = ",", defaultValue = LATENCY + "," + LOSS + "," + BACK_TO_BACK,
        paramLabel = "TEST", description = "of " + LATENCY + ", " + LOSS + ", " + BACK_TO_BACK + ", after " +
        THROUGHPUT + ", which the others need (${DEFAULT-VALUE})")
    private List<String> tests;

    @Option(names = "--both-directions", description = "half of the frames go from right to left")
    private boolean bothDirections;

    @Option(names = "--seconds", defaultValue = "1", description = "length of one trial (${DEFAULT-VALUE}); RFC 2544 " +
        "advises 60")
    private double seconds;

    @Option(names = "--resolution", defaultValue = "1", paramLabel = "PERCENT",
        description = "of the throughput and of the longest burst (${DEFAULT-VALUE})")
    private double resolution;

    @Option(names = "--loss-tolerance", defaultValue = "0", paramLabel = "PERCENT",
        description = "frames of a trial that may be lost (${DEFAULT-VALUE})")
    private double tolerance;

    @Option(names = "--core", defaultValue = "0", description = "core of the device under test (${DEFAULT-VALUE})")
    private int core;

    @Option(names = "--tester-core", defaultValue = "1", description = "core of the tester (${DEFAULT-VALUE})")
    private int testerCore;

    private final Rfc2544Result result = new Rfc2544Result();
    private PortCounts counts;

    /** Creates the command for picocli. */
    public Rfc2544Command()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(List.of(MEMIF, VETH).containsAll(rigs), "--rig: " + String.join(",", rigs) + " is not memif or veth");
        require((left == null) == (right == null) && (left == null) == gateways.isEmpty(),
            "--left, --right and --gateway belong together");
        require(left == null || !bothDirections || gateways.size() == 2,
            "--both-directions needs the router's addresses at both interfaces: --gateway LEFT,RIGHT");
        counts = PortCounts.parse(ports);
        require(counts != null, "--ports: " + ports + " is not IN:OUT, each 1 to " + PortCounts.MOST);
        require(left == null || counts.equals(PortCounts.ONE_EACH), "--ports is not for --left and --right");
        require(left != null || routes.stream().allMatch(count -> count >= counts.right()),
            "--routes: " + counts.right() + " links need as many routes or more");
        flows.forEach(count -> require(count >= counts.right() && count <= Destinations.COUNT,
            "--flows: " + count + " is not " + counts.right() + " to " + Destinations.COUNT));
        require(List.of(THROUGHPUT, LATENCY, LOSS, BACK_TO_BACK).containsAll(tests),
            "--tests: " + String.join(",", tests) + " is not of " +
            String.join(", ", THROUGHPUT, LATENCY, LOSS, BACK_TO_BACK));
        require(!Families.of(family).isEmpty(), "--family: " + family + " is none of 4, 6, mixed and all");
        frameSizes.forEach(size -> require(size.equals(IMIX) || isSize(size),
            "--frame-sizes: " + size + " is not " + IMIX + " or " + SHORTEST + " to " + LONGEST));
        require(seconds >= SHORTEST_TRIAL_S && routes.stream().allMatch(count -> count >= 1),
            "--seconds must be " + SHORTEST_TRIAL_S + " or more, --routes 1 or more");
        require(resolution > 0 && resolution < PERCENT && tolerance >= 0 && tolerance < PERCENT,
            "--resolution must be above 0, --loss-tolerance 0 or more, both below 100");
        requireNamespaces();
        return CleanEnd.during(this::run);
    }

    private static boolean isSize(final String size)
    {
        return size.matches("\\d{2,4}") && Integer.parseInt(size) >= SHORTEST && Integer.parseInt(size) <= LONGEST;
    }

    private int run() throws IOException
    {
        for (final Families families : Families.of(family))
        {
            if (left != null)
            {
                test(new InterfaceTestRig(left, right, gateways, Destinations.ofBenchmarks()), families, 0);
            }
            for (final int count : left == null ? routes : List.<Integer>of())
            {
                for (final String name : rigs)
                {
                    test(name, families, count);
                }
            }
        }
        output().print(result.toMap(), result::print);
        return DONE;
    }

    private void test(final String name, final Families families, final int count) throws IOException
    {
        if (name.equals(MEMIF) && Testpmd.missing() != null)
        {
            output().say("left out: memif: " + Testpmd.missing());
            return;
        }
        if (name.equals(MEMIF) && !counts.equals(PortCounts.ONE_EACH))
        {
            output().say("left out: memif: it has one link on each side");
            return;
        }
        final String table = "generated:" + count;
        final DualStackTable tables = DualStackTable.open(table, families == Families.IPV4 ? null : table);
        try (TestRig rig = name.equals(MEMIF) ?
            MemifTestRig.open(tables, core, testerCore) : VethTestRig.open(tables, counts, core))
        {
            test(rig, families, count);
        }
    }

    private void test(final TestRig rig, final Families families, final int count)
    {
        for (final TestRig.Device device : rig.devices())
        {
            if (device.missing() != null)
            {
                output().say("left out: " + device.name() + ": " + device.missing());
                continue;
            }
            try (Contestant.Running running = device.starter().get())
            {
                PinnedRun.on(testerCore, "tester", () -> test(rig, device, running, families, count));
            }
        }
    }

    private void test(
        final TestRig rig,
        final TestRig.Device device,
        final Contestant.Running running,
        final Families families,
        final int count)
    {
        try (TestRig.Ends ends = rig.connect())
        {
            boolean isWarm = false;
            for (final String size : frameSizes)
            {
                for (final int flowCount : flows)
                {
                    final Tester tester = tester(rig, ends, families, size, flowCount);
                    if (!isWarm)
                    {
                        tester.run(Tester.UNLIMITED, WARM_UP_NS, Long.MAX_VALUE);
                        isWarm = true;
                    }
                    final Rfc2544Result.Row row = measure(tester, rig, device, families, count, size, flowCount);
                    running.verify();
                    result.add(row);
                    output().say(String.format("%s, %s, %s bytes, %s, %d routes, %d flows: %s",
                        rig.name(), device.name(), size, families.label(), count, flowCount, row.line()));
                }
            }
        }
    }

    private Tester tester(
        final TestRig rig,
        final TestRig.Ends ends,
        final Families families,
        final String size,
        final int flowCount)
    {
        final List<TestStream> streams = new ArrayList<>();
        for (final TestRig.Side side : TestRig.Side.values())
        {
            final List<HostPort> senders = ends.ports(side);
            for (int i = 0; i < senders.size() && (side == TestRig.Side.LEFT || bothDirections); i++)
            {
                streams.add(new TestStream(senders.get(i), templates(rig, side, i, families, size),
                    first(flowCount, rig.destinations(side.other(), false)),
                    first(flowCount, rig.destinations(side.other(), true))));
            }
        }
        return new Tester(streams, ends.all(), ends.waits());
    }

    private static IpAddress[] first(final int count, final IpAddress[] destinations)
    {
        return Arrays.copyOf(destinations, Math.min(count, destinations.length));
    }

    private static List<FrameTemplate> templates(
        final TestRig rig, final TestRig.Side side, final int link, final Families families, final String size)
    {
        final int[] sizes = size.equals(IMIX) ? IMIX_SIZES : new int[] {Integer.parseInt(size)};
        // Each length in each family.
        return IntStream.range(0, 2 * sizes.length).mapToObj(i ->
        {
            final boolean isIpv6 = families.isIpv6(i);
            return new FrameTemplate(
                rig.frames(side, link, Math.max(FrameTemplate.shortest(isIpv6), sizes[i / 2] - FCS)), isIpv6);
        }).toList();
    }

    private Rfc2544Result.Row measure(
        final Tester tester,
        final TestRig rig,
        final TestRig.Device device,
        final Families families,
        final int count,
        final String size,
        final int flowCount)
    {
        final Benchmark benchmark = new Benchmark(
            tester::run, (long)(seconds * TimeUnit.SECONDS.toNanos(1)), resolution / PERCENT, tolerance / PERCENT);
        final Benchmark.Throughput throughput = benchmark.throughput();
        final Map<Integer, Histogram> latencies = new LinkedHashMap<>();
        for (final int load : tests.contains(LATENCY) ? LOADS : new int[0])
        {
            latencies.put(load, benchmark.latency(throughput.pps() * load / PERCENT));
        }
        return new Rfc2544Result.Row(
            rig.name(), device.name(), size, families, counts, count, flowCount, throughput, latencies,
            tests.contains(LOSS) ? benchmark.losses(throughput.most()) : List.of(),
            tests.contains(BACK_TO_BACK) ? benchmark.backToBack(throughput.most().offeredPps()) : null);
    }
}
