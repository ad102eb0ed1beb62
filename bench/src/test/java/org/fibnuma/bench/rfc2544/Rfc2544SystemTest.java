package org.fibnuma.bench.rfc2544;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.bench.memif.MemifForwarder;
import org.fibnuma.bench.traffic.FrameTemplate;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@NamespaceTest
class Rfc2544SystemTest
{
    private static final int LIMIT = 10_000;
    /** Packets that the limit lets pass at once. */
    private static final int BURST = 20;
    private static final double TRIAL_S = 0.2;
    /** Frames that other hosts than the tester may send meanwhile, such as neighbour solicitations. */
    private static final int OTHERS = 20;
    private static final int RING = 1024;

    @Test
    void shouldTestEveryDeviceByFrameSize()
    {
        final JsonNode results = CommandRun.bench(
            "rfc2544", "--rig", "veth", "--frame-sizes", "64,imix", "--family", "mixed", "--both-directions",
            "--seconds", "0.1", "--resolution", "20", "--json").json().get("results");

        final Set<String> tested = new HashSet<>();
        for (final JsonNode result : results)
        {
            tested.add(result.get("device").asText() + " " + result.get("frameSize").asText());
            assertEquals("mixed", result.get("family").asText());
            assertEquals(1, result.get("routes").asInt());
            assertTrue(result.get("offeredPps").asDouble() > 0, result::toString);
            assertTrue(result.get("lossRate").asDouble() < 1, result::toString);
            assertTrue(result.get("latencyUsAt").get("10%").has("p999"), result::toString);
            assertTrue(result.get("latencyUs").has("p99") && result.get("testerLimited").isBoolean() &&
                result.has("throughputPps") && result.has("backToBack"), result::toString);
        }
        assertTrue(tested.containsAll(List.of(
            "fibnuma 64", "fibnuma imix", "kernel, own core 64", "kernel, own core imix")), tested::toString);
    }

    @Test
    void shouldTestSeveralLinks()
    {
        for (final String ports : List.of("1:3", "3:1"))
        {
            final JsonNode results = CommandRun.bench(
                "rfc2544", "--rig", "veth", "--ports", ports, "--routes", "1000", "--flows", "999",
                "--frame-sizes", "64", "--family", "mixed", "--seconds", "0.1", "--resolution", "20",
                "--tests", "latency", "--json").json().get("results");

            assertEquals(2, results.size(), results::toString);
            for (final JsonNode result : results)
            {
                assertEquals(ports, result.get("ports").asText());
                assertEquals(999, result.get("flows").asInt());
                assertTrue(result.get("lossRate").asDouble() < 1, result::toString);
                assertTrue(result.get("latencyUs").has("p99"), result::toString);
                assertFalse(result.has("backToBack") || result.has("lossRates"), result::toString);
            }
        }
    }

    @Test
    void shouldFindTheRateLimitOfADevice() throws IOException
    {
        Require.program("nft", "nftables");
        onKernel((tester, router) ->
        {
            router.run("nft", "table inet limited { chain forward { type filter hook forward priority 0; " +
                "limit rate over " + LIMIT + "/second burst " + BURST + " packets drop; }; }");
            final Benchmark benchmark =
                new Benchmark(tester::run, (long)(TRIAL_S * TimeUnit.SECONDS.toNanos(1)), 0.002, 0);
            final double expected = LIMIT + BURST / TRIAL_S;
            double highest = 0;
            // On a busy machine the tester itself sends less. It can never pass more than the limit.
            final long startNs = System.nanoTime();
            while (highest < 0.99 * expected && System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(5))
            {
                final Benchmark.Throughput throughput = benchmark.throughput();
                assertFalse(throughput.isTesterLimited(), throughput::toString);
                highest = Math.max(highest, throughput.pps());
            }
            assertEquals(expected, highest, 0.01 * expected);
        });
    }

    @Test
    void shouldCountWhatTheKernelCounts() throws IOException
    {
        onKernel((tester, router) ->
        {
            assertCounted(tester, LIMIT,
                () -> router.receivedFrames(RoutedHosts.LEFT_DEVICE), () -> sent(router));
        });
    }

    @Test
    void shouldCountWhatTestpmdCounts() throws IOException
    {
        Require.program("dpdk-testpmd", "dpdk-dev");
        try (TestRig rig = MemifTestRig.open(DualStackTable.open("generated:1", null), 0, 1))
        {
            on(rig, MemifForwarder.TESTPMD.name(), (tester, device) ->
            {
                // As many as a ring keeps while a busy machine does not run testpmd.
                assertCounted(tester, RING,
                    () -> device.telemetry().read(0, "ipackets").count(),
                    () -> device.telemetry().read(1, "opackets").count());
            });
        }
    }

    @Test
    void shouldTestAnyRouterBetweenTwoInterfaces() throws IOException
    {
        Require.program("ping", "iputils-ping");
        try (Host tester = Host.open("tester"); Host router = Host.open("router"))
        {
            tester.connect("h0", router, RoutedHosts.LEFT_DEVICE, 1500);
            tester.connect("h1", router, RoutedHosts.RIGHT_DEVICE, 1500);
            router.address(RoutedHosts.LEFT_DEVICE, "10.0.0.1/24");
            router.address(RoutedHosts.RIGHT_DEVICE, "10.0.1.1/24");
            router.sysctl("ipv4.ip_forward", "1");
            router.run("ip", "route", "add", "198.18.0.0/15", "via", RoutedHosts.RIGHT);
            tester.address("h0", RoutedHosts.LEFT + "/24");
            tester.address("h1", RoutedHosts.RIGHT + "/24");

            try (ChildProcess command = tester.start(JavaProgram.command(
                "org.fibnuma.bench.BenchCommand", "rfc2544", "--left", "h0", "--right", "h1", "--gateway", "10.0.0.1",
                "--frame-sizes", "128", "--seconds", "0.1", "--resolution", "20", "--json")))
            {
                assertEquals(0, command.awaitExit(Duration.ofMinutes(5)), () -> command.errors().toString());
                final JsonNode result =
                    new ObjectMapper().readTree(String.join("\n", command.output())).get("results").get(0);
                assertEquals("h0 to h1", result.get("device").asText());
                assertEquals(128, result.get("frameSize").asInt());
                assertTrue(result.get("throughputPps").asLong() > 0 && result.get("lossRate").asDouble() < 1,
                    result::toString);
            }
        }
    }

    /** A busy machine may delay frames until the tester no longer waits for them: then there is another trial. */
    private static void assertCounted(
        final Tester tester, final int frames, final LongSupplier receivedByDevice, final LongSupplier sentByDevice)
    {
        Trial trial;
        long receivedBefore;
        long sentBefore;
        int trials = 0;
        do
        {
            Waiting.sleep(Duration.ofMillis(trials == 0 ? 0 : 500));
            receivedBefore = receivedByDevice.getAsLong();
            sentBefore = sentByDevice.getAsLong();
            trial = tester.run(LIMIT, Long.MAX_VALUE, frames);
        }
        while (trial.lossRate() > 0 && ++trials < 20);

        assertEquals(frames, trial.sent());
        assertEquals(trial.received(), trial.latencies().getTotalCount());
        assertBetween(trial.sent(), receivedByDevice.getAsLong() - receivedBefore);
        assertBetween(trial.received() + trial.missed(), sentByDevice.getAsLong() - sentBefore);
    }

    private static void assertBetween(final long frames, final long counted)
    {
        assertTrue(counted >= frames && counted <= frames + OTHERS, frames + " frames, counted " + counted);
    }

    private static long sent(final Host router)
    {
        return Long.parseLong(router.run(
            "cat", "/sys/class/net/" + RoutedHosts.RIGHT_DEVICE + "/statistics/tx_packets").strip());
    }

    private interface Check<D>
    {
        void run(Tester tester, D device);
    }

    private static void onKernel(final Check<Host> check) throws IOException
    {
        try (VethTestRig rig = VethTestRig.open(DualStackTable.open("generated:1", null), PortCounts.ONE_EACH, 0))
        {
            on(rig, "kernel, own core", (tester, device) -> check.run(tester, rig.router()));
        }
    }

    private static void on(final TestRig rig, final String name, final Check<Contestant.Running> check)
    {
        final TestRig.Device device =
            rig.devices().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        try (Contestant.Running running = device.starter().get();
            TestRig.Ends ends = rig.connect())
        {
            final TestStream stream = new TestStream(ends.left().get(0),
                List.of(new FrameTemplate(rig.frames(TestRig.Side.LEFT, 0, 60), false)),
                rig.destinations(TestRig.Side.RIGHT, false), null);
            final Tester tester = new Tester(List.of(stream), ends.right(), ends.waits());
            PinnedRun.on(1, "tester", () -> check.run(tester, running));
            running.verify();
        }
    }
}
