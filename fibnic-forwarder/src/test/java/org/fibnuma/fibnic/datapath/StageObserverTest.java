package org.fibnuma.fibnic.datapath;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.flow.FlowMemory;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.report.StagesReport;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageTimesReport;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.fibnuma.fibnic.trace.TraceReceiver;
import org.fibnuma.fibnic.trace.TraceSettings;
import org.fibnuma.fibnic.trace.TraceStep;
import org.fibnuma.fibnic.trace.TracedFrame;
import org.fibnuma.pfc.config.EcnSettings;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Traces and samples do not change what becomes of frames; a trace records what became of them, a sample how long each
 * stage took.
 */
class StageObserverTest
{
    private static final int HEAD = 128;
    private static final int ROUNDS = 60;
    private static final int MOST_FRAMES = 150;
    private static final int CYCLES_TO_SAMPLE = 4096;
    private static final int GROUP = 200;
    private static final int FLOWS = 40;
    /** IPv4 with TTL 64, as tcpdump compiles it. */
    private static final String TTL_64 = "40 0 0 12,21 0 3 2048,48 0 0 22,21 0 1 64,6 0 0 262144,6 0 0 0";

    private final List<TracedFrame> frames = new ArrayList<>();
    private final ByteBuffer room = ByteBuffer.allocateDirect(1 << 20);

    private Trace begin(final RouterFixture router, final int count, final FilterProgram filter)
    {
        final Trace trace = new Trace(
            new TraceSettings(-1L >>> 2, count, filter), router.agents.size(), router.clock, 0);
        for (int worker = 0; worker < router.agents.size(); worker++)
        {
            router.agents.get(worker).capturePoint.traceTo(trace.frames(worker));
        }
        router.run();
        return trace;
    }

    /** Reads the traced frames and returns how many were lost. */
    private long drain(final Trace trace, final int ports) throws IOException
    {
        return drain(trace, ports, room, frames);
    }

    static long drain(
        final Trace trace, final int ports, final ByteBuffer room, final List<TracedFrame> frames) throws IOException
    {
        final Map<Integer, String> names = new HashMap<>();
        for (int port = 0; port < ports; port++)
        {
            names.put(port, "p" + port);
        }
        final TraceReceiver receiver = new TraceReceiver(
            names, List.copyOf(names.values()), Arrays.stream(DropReason.values()).map(DropReason::label).toList(),
            frames::add);
        trace.drain(room.clear());
        assertTrue(receiver.receive(room.flip()));
        assertEquals(0, room.remaining());
        return receiver.lostOfAll();
    }

    @Test
    void shouldNotChangeWhatBecomesOfFrames() throws IOException
    {
        compare(
            new RouterFixture(TwinRouters.PORTS, TwinRouters::settings),
            new RouterFixture(TwinRouters.PORTS, TwinRouters::settings), null);
    }

    @Test
    void shouldNotChangeWhatBecomesOfFramesAroundTracedOnes() throws IOException
    {
        compare(
            new RouterFixture(TwinRouters.PORTS, TwinRouters::settings),
            new RouterFixture(TwinRouters.PORTS, TwinRouters::settings), FilterProgram.parse(TTL_64));
    }

    @Test
    void shouldNotChangeWhatBecomesOfFramesWithLosslessPriorities() throws IOException
    {
        compare(
            RouterFixture.lossless(TwinRouters.PORTS, losslessConfig(), 1, TwinRouters::settings),
            RouterFixture.lossless(TwinRouters.PORTS, losslessConfig(), 1, TwinRouters::settings), null);
    }

    @Test
    void shouldNotChangeWhatBecomesOfFramesWhoseStagesAreTimed()
    {
        compareTimed(
            new RouterFixture(TwinRouters.PORTS, TwinRouters::settings),
            new RouterFixture(TwinRouters.PORTS, TwinRouters::settings));
        compareTimed(
            RouterFixture.lossless(TwinRouters.PORTS, losslessConfig(), 1, TwinRouters::settings),
            RouterFixture.lossless(TwinRouters.PORTS, losslessConfig(), 1, TwinRouters::settings));
    }

    private static void compareTimed(final RouterFixture timed, final RouterFixture reference)
    {
        try (TwinRouters routers = new TwinRouters(timed, reference))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                timed.agent.capturePoint.refresh(true);
                routers.assertSameFates(randomFrames(round, routers));
            }
            assertEquals(reference.count(ForwarderCounter.EXCEPTIONS), timed.count(ForwarderCounter.EXCEPTIONS));
            final StageTimesReport times = StageTimesReport.of(timed.counters());
            assertEquals(ROUNDS, times.batches(Stage.CHECKSUM_COMPLETION));
            assertTrue(times.batches(Stage.EGRESS_QUEUES) >= ROUNDS / 2);
            assertTrue(times.batches(Stage.DROP_OUTPUT) > 0);
        }
    }

    @Test
    void shouldTimeEachStageOfASampledBatch()
    {
        final long[] readings = new long[2];
        // The k-th reading is 10 * k ns after the one before.
        final NanoClock clock = () ->
        {
            readings[1] += 10 * ++readings[0];
            return readings[1];
        };
        try (RouterFixture router = new RouterFixture(2, context -> context.clock(clock)))
        {
            final List<Stage> stages = List.of(
                Stage.CHECKSUM_COMPLETION, Stage.VLAN_INPUT, Stage.FRAME_CLASSIFIER, Stage.ACCESS_INPUT,
                Stage.IPV4_REVERSE_PATH, Stage.FLOW_INPUT, Stage.IPV4_LOOKUP, Stage.MULTIPATH_SELECTION,
                Stage.IPV4_REWRITE, Stage.ACCESS_OUTPUT, Stage.ICMP_REDIRECTS, Stage.VLAN_OUTPUT, Stage.IPV4_FRAGMENTER,
                Stage.EGRESS_QUEUES);
            final long[] expected = new long[Stage.values().length];
            long shortest = 0;
            for (int batch = 1; batch <= 2; batch++)
            {
                for (int i = 0; i < 3; i++)
                {
                    router.receive(0, TestFrame.ipv4().payload(26).bytes());
                }
                router.agent.capturePoint.refresh(true);
                final long before = readings[0];
                router.agent.doWork();
                shortest = batch == 1 ? 10 * (before + 2) : shortest;
                for (int k = 0; k < stages.size(); k++)
                {
                    expected[stages.get(k).ordinal()] += 10 * (before + 3 + k) - shortest;
                }
                final StageTimesReport times = StageTimesReport.of(router.counters());
                for (final Stage stage : Stage.values())
                {
                    final int batches = stages.contains(stage) ? batch : 0;
                    assertEquals(3 * batches, times.frames(stage), stage.label());
                    assertEquals(batches, times.batches(stage), stage.label());
                    assertEquals(expected[stage.ordinal()], times.nanoseconds(stage), stage.label());
                }
            }
            final JsonNode row = StagesReport.of(router.counters()).get("times").get(2);
            assertEquals("FrameClassifier", row.get("stage").asText());
            assertEquals(expected[Stage.FRAME_CLASSIFIER.ordinal()] / 6.0, row.get("nsPerFrame").asDouble(), 0.005);
            assertEquals(3, row.get("batch").asDouble());
            assertEquals(6, row.get("sampledFrames").asInt());
            assertEquals(2, row.get("sampledBatches").asInt());
        }
    }

    @Test
    void shouldTimeOneBatchInSomeUnlessFramesAreTraced() throws IOException
    {
        try (RouterFixture router = new RouterFixture())
        {
            final byte[] frame = TestFrame.ipv4().payload(26).bytes();
            for (int i = 0; i < 3 * CYCLES_TO_SAMPLE; i++)
            {
                router.receive(0, frame);
                router.agent.doWork();
                router.discard(1, 0);
            }
            final long timed = batches(router);
            assertTrue(timed == 2 || timed == 3, timed + " batches");
            final Trace trace = begin(router, 1, null);
            for (int i = 0; i < 2 * CYCLES_TO_SAMPLE; i++)
            {
                router.receive(0, frame);
                router.agent.doWork();
                router.discard(1, 0);
            }
            assertEquals(timed, batches(router));
            router.agent.capturePoint.traceTo(null);
            router.run();
            router.forward(frame);
            assertEquals(timed + 1, batches(router), "it has been due during the trace");
            trace.free();
        }
    }

    private static long batches(final RouterFixture router)
    {
        return StageTimesReport.of(router.counters()).batches(Stage.EGRESS_QUEUES);
    }

    static PfcConfig losslessConfig()
    {
        final long bitsPerSecond = 10_000_000_000L;
        return new PfcConfig(
            1, 1 << 3, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), PausePolicyKind.values()[0],
            PauseTimeLaw.DEFAULT, 0, 2,
            new PfcLink(
                "", 1, bitsPerSecond, 20_000, 5_000, 10_000,
                HeadroomModel.OWN.compute(new HeadroomRequest(bitsPerSecond)), MacFlowControl.OFF),
            Map.of(), new EcnSettings(1, 1_000, 10_000, 0.5), new WatchdogSettings(100, 100, 100, StormAction.DROP));
    }

    private void compare(final RouterFixture traced, final RouterFixture reference, final FilterProgram filter)
        throws IOException
    {
        final Trace trace;
        try (TwinRouters routers = new TwinRouters(traced, reference))
        {
            trace = begin(traced, Integer.MAX_VALUE, filter);
            for (int round = 0; round < ROUNDS; round++)
            {
                routers.assertSameFates(randomFrames(round, routers));
                assertEquals(0, drain(trace, TwinRouters.PORTS));
            }
            assertEquals(reference.count(ForwarderCounter.EXCEPTIONS), traced.count(ForwarderCounter.EXCEPTIONS));
            frames.forEach(frame -> assertNotNull(frame.fate(), frame::toString));
            if (filter == null)
            {
                assertFatesAreCounted(traced);
            }
        }
        trace.free();
    }

    static List<byte[]> randomFrames(final int seed, final TwinRouters routers)
    {
        final Random random = new Random(seed);
        final int unusualPercent = random.nextInt(101);
        final int ipv6Percent = random.nextInt(101);
        final List<byte[]> all = new ArrayList<>();
        final int count = 1 + random.nextInt(MOST_FRAMES);
        for (int i = 0; i < count; i++)
        {
            final boolean isIpv6 = random.nextInt(100) < ipv6Percent;
            if (random.nextInt(100) < unusualPercent)
            {
                all.add(isIpv6 ? FrameClassifierPropertyTest.unusualIpv6(random) :
                    FrameClassifierPropertyTest.unusual(random, routers));
            }
            else
            {
                all.add(isIpv6 ? FrameClassifierPropertyTest.ordinaryIpv6(random).bytes() :
                    FrameClassifierPropertyTest.ordinary(random).bytes());
            }
        }
        return all;
    }

    /** No neighbour is ever resolved: held frames have timed out. */
    private void assertFatesAreCounted(final RouterFixture router)
    {
        assertEquals(router.count(ForwarderCounter.RECEIVED), frames.size());
        assertEquals(
            router.count(ForwarderCounter.FORWARDED),
            count(TraceEvent.SENT) + count(TraceEvent.QUEUED) + count(TraceEvent.FRAGMENTED));
        assertEquals(router.count(ForwarderCounter.PUNTED), count(TraceEvent.PUNTED));
        assertEquals(router.report().get(DropReason.NEIGHBOR_UNRESOLVED), count(TraceEvent.HELD));
        for (final DropReason reason : DropReason.values())
        {
            if (reason != DropReason.NEIGHBOR_UNRESOLVED)
            {
                assertEquals(router.report().get(reason), frames.stream().map(TracedFrame::fate).filter(fate ->
                    fate.event() == TraceEvent.DROPPED && fate.reason().equals(reason.label())).count(),
                    reason.label());
            }
        }
        assertTrue(Stream.of(TraceEvent.SENT, TraceEvent.FRAGMENTED, TraceEvent.HELD, TraceEvent.PUNTED)
            .allMatch(event -> count(event) > 0));
    }

    private long count(final TraceEvent event)
    {
        return frames.stream().filter(frame -> frame.fate().event() == event).count();
    }

    @Test
    void shouldShowWhatEveryStageDid() throws IOException
    {
        final AccessTable table = new AccessTable();
        final AccessList list = new AccessList("edge", List.of(), AccessAction.PERMIT);
        table.replace(new AccessLists(List.of(list), Arrays.asList("edge", null), Arrays.asList(null, null), 1));
        try (RouterFixture router = new RouterFixture(2, context -> context.accessTable(table).forwardsIpv6(true)))
        {
            final Trace trace = begin(router, 100, null);
            final byte[] ordinary = TestFrame.ipv4().payload(26).bytes();
            final List<byte[]> received = List.of(
                ordinary, TestFrame6.ipv6().payload(26).bytes(), TestFrame.ipv4().ttl(1).payload(26).bytes(),
                TestFrame.ipv4().payload(2000).bytes(),
                TestFrame.ipv4().destination("10.0.1.77").payload(26).bytes(),
                TestFrame.ipv4().destination("10.0.0.1").payload(26).bytes(),
                TestFrame.ipv4().destination("203.0.113.1").payload(26).bytes());
            received.forEach(frame -> router.receive(0, frame));
            router.run();
            final List<byte[]> sent = router.sent(1);
            assertEquals(0, drain(trace, 2));
            assertEquals(received.size(), frames.size());
            for (int i = 0; i < received.size(); i++)
            {
                assertArrayEquals(head(received.get(i)), frames.get(i).head());
            }
            assertWay(0, "FrameClassifier AccessInput Ipv4Lookup Ipv4Rewrite EgressQueues", TraceEvent.SENT);
            assertWay(1, "FrameClassifier AccessInput Ipv6Lookup Ipv6Rewrite EgressQueues", TraceEvent.SENT);
            assertWay(2, "FrameClassifier EthernetInput Ipv4Input AccessInput Ipv4Lookup Ipv4Rewrite IcmpErrors " +
                "DropOutput", TraceEvent.DROPPED);
            assertWay(3, "FrameClassifier AccessInput Ipv4Lookup Ipv4Rewrite Ipv4Rewrite Ipv4Fragmenter",
                TraceEvent.FRAGMENTED);
            assertWay(4, "FrameClassifier AccessInput Ipv4Lookup Ipv4Rewrite Ipv4Rewrite NeighborHold",
                TraceEvent.HELD);
            assertWay(5, "FrameClassifier AccessInput Ipv4Lookup Ipv4Rewrite Ipv4Rewrite PuntOutput",
                TraceEvent.PUNTED);
            assertWay(6, "FrameClassifier AccessInput Ipv4Lookup Ipv4Rewrite Ipv4Rewrite IcmpErrors DropOutput",
                TraceEvent.DROPPED);
            assertArrayEquals(head(sent.get(0)), lastHead(0), "as it left the wire");
            assertArrayEquals(head(sent.get(1)), lastHead(1));
            assertEquals("p1", frames.get(0).fate().egress());
            assertEquals(DropReason.IPV4_TTL_EXPIRED.label(), frames.get(2).fate().reason());
            assertEquals(2, frames.get(3).fate().detail(), "fragments");
            assertEquals(DropReason.IPV4_NO_ROUTE.label(), frames.get(6).fate().reason());
            assertEquals(AdjacencyKind.NO_ROUTE, step(6, "Ipv4Lookup").adjacencyKind());
            assertEquals("10.0.1.2", step(0, "Ipv4Lookup").nextHop().toString());
            assertEquals("edge", new String(step(0, "AccessInput").bytes()));
            assertEquals(TraceEvent.MESSAGE_WRITTEN, step(2, "IcmpErrors").event());
            final byte[] error = router.sent(0).get(0);
            final byte[] written = step(2, "IcmpErrors").bytes();
            assertArrayEquals(
                Arrays.copyOfRange(error, 26, written.length), Arrays.copyOfRange(written, 26, written.length),
                "from the source address on");
            trace.free();
        }
    }

    @Test
    void shouldShowTheRuleOfAnAccessList() throws IOException
    {
        final AccessTable table = new AccessTable();
        final AccessList list = new AccessList("edge", List.of(), AccessAction.PROHIBIT);
        table.replace(new AccessLists(List.of(list), Arrays.asList(null, null), Arrays.asList(null, "edge"), 1));
        try (RouterFixture router = new RouterFixture(2, context -> context.accessTable(table)))
        {
            final Trace trace = begin(router, 100, null);
            assertEquals(0, router.forward(TestFrame.ipv4().payload(26).bytes()).size());
            assertEquals(0, drain(trace, 2));
            assertWay(0, "FrameClassifier Ipv4Lookup Ipv4Rewrite AccessOutput IcmpErrors DropOutput",
                TraceEvent.DROPPED);
            assertEquals(DropReason.ACCESS_PROHIBITED.label(), frames.get(0).fate().reason());
            assertEquals(TraceEvent.JUDGED, step(0, "AccessOutput").event());
            assertEquals(-1, step(0, "AccessOutput").detail(), "by default");
            assertEquals(1, table.current().lists().get(0).frames(0), "counted once");
            trace.free();
        }
    }

    @Test
    void shouldNameTheFlowsOfFrames() throws IOException
    {
        final FlowMemory memory = FlowMemory.ofProcess(FLOWS);
        final FlowTable flows = new FlowTable(memory, FLOWS, 1);
        final FlowTuple original = tuple("10.0.0.2", 7, "10.0.1.2", 9);
        final int flow = flows.add(original, 0, 1, tuple("10.0.1.2", 9, "10.0.1.1", 1024), 1, 0);
        try (RouterFixture router = new RouterFixture(2, context -> context.flows(new AtomicReference<>(flows))))
        {
            for (int port = 0; port < 2; port++)
            {
                router.interfaces.set(port, router.interfaces.get(port).with(
                    new InterfacePolicy(Transit.FLOWS, ReversePath.OFF, Transit.FLOWS)));
            }
            final Trace trace = begin(router, 100, null);
            final byte[] known = TestFrame.ipv4().payload(udp(7, 9)).bytes();
            router.receive(0, known);
            router.receive(0, TestFrame.ipv4().payload(udp(8, 9)).bytes());
            router.run();
            router.receive(1, TestFrame.ipv4().to("02:00:00:00:01:01").source("10.0.1.2").destination("10.0.1.1")
                .payload(udp(9, 1024)).bytes());
            router.run();
            final byte[] sent = router.sent(1).get(0);
            assertEquals(0, drain(trace, 2));
            assertWay(0, "FrameClassifier FlowInput Ipv4Lookup Ipv4Rewrite EgressQueues", TraceEvent.SENT);
            assertWay(1, "FrameClassifier FlowInput PuntOutput", TraceEvent.PUNTED);
            assertWay(2, "FrameClassifier FlowInput Ipv4Lookup Ipv4Rewrite EgressQueues", TraceEvent.SENT);
            final TraceStep found = step(0, "FlowInput");
            assertEquals(TraceEvent.FLOW, found.event());
            assertEquals(flow, found.flow());
            assertFalse(found.isReply());
            assertArrayEquals(Arrays.copyOfRange(sent, 26, sent.length),
                Arrays.copyOfRange(found.changedHead(), 26, sent.length), "translated, from the source address on");
            assertEquals(TraceEvent.NONE, step(1, "FlowInput").event());
            assertEquals(TraceEvent.FLOW, step(2, "FlowInput").event());
            assertEquals(flow, step(2, "FlowInput").flow());
            assertTrue(step(2, "FlowInput").isReply());
            trace.free();
        }
        memory.close();
    }

    private static FlowTuple tuple(
        final String source, final int sourcePort, final String destination, final int destinationPort)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(
            from.high(), from.low(), to.high(), to.low(), IpProtocol.UDP, sourcePort, destinationPort);
    }

    /** Without a checksum and with four bytes of payload. */
    private static byte[] udp(final int sourcePort, final int destinationPort)
    {
        return ByteBuffer.allocate(12).putShort((short)sourcePort).putShort((short)destinationPort)
            .putShort((short)12).array();
    }

    @Test
    void shouldShowTheNextHopOfSeveralThatTheFrameLeavesBy() throws IOException
    {
        try (RouterFixture router = new RouterFixture(3, context -> context.forwardsIpv6(true)))
        {
            group(router, GROUP, 2, 3);
            router.route("203.0.113.0", 24, GROUP);
            group(router, GROUP + 1, RouterFixture.HOST6 + 1, RouterFixture.HOST6 + 2);
            router.routeIpv6("2001:db8:77::", 48, GROUP + 1);
            final Trace trace = begin(router, TraceSettings.MAX_COUNT, null);
            for (int flow = 0; flow < FLOWS; flow++)
            {
                router.receive(0, TestFrame.ipv4().destination("203.0.113." + flow).payload(26).bytes());
                router.receive(0, TestFrame6.ipv6().destination("2001:db8:77::" + flow).payload(26).bytes());
            }
            router.run();
            assertEquals(0, drain(trace, 3));
            assertEquals(2 * FLOWS, frames.size());
            final Map<String, List<String>> left = new HashMap<>();
            for (int port = 1; port < 3; port++)
            {
                for (final byte[] frame : router.sent(port))
                {
                    left.computeIfAbsent("p" + port, key -> new ArrayList<>()).add(HexFormat.of().formatHex(frame));
                }
            }
            for (int i = 0; i < frames.size(); i++)
            {
                assertSelectedHop(i, left);
            }
            assertTrue(left.values().stream().allMatch(List::isEmpty), left::toString);
            assertEquals(2, left.size(), "both members were used");
            trace.free();
        }
    }

    private static void group(final RouterFixture router, final int index, final int first, final int second)
    {
        router.adjacencies.set(index, Adjacency.group(new AdjacencyGroup(
            new int[]{first, second}, new int[]{1, 1}, new int[]{0, 1, 0, 1}, new int[4])));
    }

    private void assertSelectedHop(final int i, final Map<String, List<String>> left)
    {
        final boolean isIpv6 = step(i, "FrameClassifier").klass().isIpv6();
        final TraceStep lookup = step(i, isIpv6 ? "Ipv6Lookup" : "Ipv4Lookup");
        assertEquals(AdjacencyKind.GROUP, lookup.adjacencyKind());
        assertEquals(2, lookup.detail(), "members");
        final TraceStep selection = step(i, "MultipathSelection");
        assertEquals(AdjacencyKind.FORWARD, selection.adjacencyKind());
        final String port = frames.get(i).fate().egress();
        assertEquals(port, selection.egress());
        final String number = port.substring(1);
        assertEquals(
            isIpv6 ? "2001:db8:" + number + "::2" : "10.0." + number + ".2", selection.nextHop().toString());
        assertTrue(left.get(port).remove(HexFormat.of().formatHex(lastHead(i))), port);
    }

    @Test
    void shouldShareTheCountAmongWorkers() throws Exception
    {
        try (RouterFixture router = RouterFixture.lossless(losslessConfig(), 2))
        {
            final Trace first = begin(router, 7, null);
            receiveAtBothQueues(router, 5);
            router.run();
            assertEquals(0, drain(first, 2));
            assertEquals(List.of(5L, 2L), tracedBy(2));
            end(router, first);

            final int count = 60;
            final Trace second = begin(router, count, null);
            receiveAtBothQueues(router, 50);
            final List<Thread> threads = router.agents.stream().map(agent -> new Thread(() ->
            {
                while (agent.doWork() > 0)
                {
                    Thread.onSpinWait();
                }
            })).toList();
            threads.forEach(Thread::start);
            for (final Thread thread : threads)
            {
                thread.join();
            }
            frames.clear();
            assertEquals(0, drain(second, 2));
            assertEquals(count, frames.size());
            assertTrue(tracedBy(2).stream().allMatch(traced -> traced >= 10 && traced <= 50), tracedBy(2)::toString);
            end(router, second);
            router.assertBalanced();
            assertEquals(110, router.count(ForwarderCounter.FORWARDED));
        }
    }

    private static void receiveAtBothQueues(final RouterFixture router, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            router.receive(0, 0, TestFrame.ipv4().identification(i).payload(26).bytes());
            router.receive(0, 1, TestFrame.ipv4().identification(i).payload(26).bytes());
        }
    }

    private List<Long> tracedBy(final int workers)
    {
        return IntStream.range(0, workers)
            .mapToObj(worker -> frames.stream().filter(frame -> frame.worker() == worker).count()).toList();
    }

    private static void end(final RouterFixture router, final Trace trace)
    {
        router.agents.forEach(agent -> agent.capturePoint.traceTo(null));
        router.run();
        trace.free();
    }

    @Test
    void shouldRefuseDamagedRecordsWithOneLine() throws IOException
    {
        final byte[] stream;
        try (RouterFixture router = new RouterFixture())
        {
            final Trace trace = begin(router, 3, null);
            router.receive(0, TestFrame.ipv4().payload(26).bytes());
            router.receive(0, TestFrame.ipv4().ttl(1).payload(26).bytes());
            router.receive(0, TestFrame.ipv4().payload(2000).bytes());
            router.run();
            trace.drain(room.clear());
            stream = new byte[room.flip().remaining()];
            room.get(stream);
            trace.free();
        }
        assertFalse(isRefused(stream));
        int refused = 0;
        for (int at = 0; at < stream.length; at++)
        {
            for (final int value : new int[]{0, 1, 5, 33, 127, 128, 255})
            {
                final byte[] damaged = stream.clone();
                damaged[at] = (byte)value;
                refused += isRefused(damaged) ? 1 : 0;
            }
            isRefused(Arrays.copyOf(stream, at));
        }
        final Random random = new Random(1);
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] damaged = stream.clone();
            for (int k = random.nextInt(8); k >= 0; k--)
            {
                damaged[random.nextInt(damaged.length)] = (byte)random.nextInt(256);
            }
            refused += isRefused(damaged) ? 1 : 0;
        }
        assertTrue(refused > 1000, refused + " refused");
    }

    /** Returns whether the receiver refuses a stream, with one line; it may also accept it or wait for more. */
    private static boolean isRefused(final byte[] stream)
    {
        final List<TracedFrame> accepted = new ArrayList<>();
        final TraceReceiver receiver = new TraceReceiver(
            Map.of(0, "p0"), List.of("p0", "p1"),
            Arrays.stream(DropReason.values()).map(DropReason::label).toList(), accepted::add);
        try
        {
            receiver.receive(ByteBuffer.wrap(stream));
            return false;
        }
        catch (final IOException ex)
        {
            assertTrue(ex.getMessage().matches("the router has sent an invalid record: [a-z ]+ -?\\d+; " +
                "router and command may be of different versions"), ex.getMessage());
            return true;
        }
    }

    private static byte[] head(final byte[] frame)
    {
        return Arrays.copyOf(frame, Math.min(frame.length, HEAD));
    }

    private byte[] lastHead(final int i)
    {
        byte[] last = null;
        for (final TraceStep step : frames.get(i).steps())
        {
            last = step.changedHead() == null ? last : step.changedHead();
        }
        return last;
    }

    private void assertWay(final int i, final String stages, final TraceEvent fate)
    {
        assertEquals(stages, String.join(" ", frames.get(i).steps().stream().map(step -> step.stage().label())
            .toList()));
        assertEquals(fate, frames.get(i).fate().event());
    }

    private TraceStep step(final int i, final String stage)
    {
        return frames.get(i).steps().stream().filter(step -> step.stage().label().equals(stage)).findFirst()
            .orElseThrow();
    }

    @Test
    void shouldEndWithTheCountAndWithTheTap() throws IOException
    {
        try (RouterFixture router = new RouterFixture())
        {
            final Trace trace = begin(router, 3, FilterProgram.parse(TTL_64));
            final byte[] other = TestFrame.ipv4().ttl(63).payload(26).bytes();
            final byte[] matching = TestFrame.ipv4().ttl(64).payload(26).bytes();
            for (int i = 0; i < 5; i++)
            {
                assertEquals(1, router.forward(other).size());
                assertEquals(1, router.forward(matching).size());
            }
            assertEquals(0, drain(trace, 2));
            assertEquals(3, frames.size());
            router.agent.capturePoint.traceTo(null);
            router.run();
            assertFalse(router.agent.capturePoint.isOn());
            router.assertBalanced();
            trace.free();
        }
    }

    @Test
    void shouldCountWhatTheRingHasNoRoomFor() throws IOException
    {
        try (RouterFixture router = new RouterFixture())
        {
            final Trace trace = begin(router, TraceSettings.MAX_COUNT, null);
            final byte[] frame = TestFrame.ipv4().payload(100).bytes();
            final int count = 9000;
            for (int i = 0; i < count; i++)
            {
                assertEquals(1, router.forward(frame).size());
            }
            final ByteBuffer all = ByteBuffer.allocateDirect(16 << 20);
            final long[] traced = new long[1];
            final TraceReceiver receiver = new TraceReceiver(
                Map.of(0, "p0", 1, "p1"), List.of("p0", "p1"),
                Arrays.stream(DropReason.values()).map(DropReason::label).toList(), each -> traced[0]++);
            trace.finish();
            assertFalse(trace.drain(all));
            assertFalse(receiver.receive(all.flip()));
            assertTrue(receiver.lostOfAll() > 0);
            assertEquals(count, traced[0] + receiver.lostOfAll());
            trace.free();
        }
    }
}
