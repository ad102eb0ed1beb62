package org.fibnuma.bench.scale;

import org.fibnuma.bench.lab.Frr;
import org.fibnuma.bench.system.LabDevice;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Two routers side by side, over which the neighbours on either side spread flows by ECMP. One of them ends in several
 * ways in the middle of the traffic and comes back; nothing else is told about it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
class ScaleOutSystemTest
{
    private static final int FLOWS_OF_EACH = 32;
    private static final int PACKETS = 50;
    /** Of each router; ten packets of each flow and more. */
    private static final int SAMPLE = 10 * 2 * FLOWS_OF_EACH;
    /** Of a flow that stays where it is: a quarter of a second. */
    private static final int MOST_LOST = 10;
    /** RFC 9384, in bgpd's words. */
    private static final String BY_BFD = "Cease/BFD Down";
    private static final String LEFT = "left";
    private static final String RIGHT = "right";
    private static final boolean KERNEL_SEES_PORTS = LabDevice.chosen() == LabDevice.XDP;

    @TempDir
    private static Path directory;

    private ScaleOutLab lab;

    @BeforeAll
    void start() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("sysctl", "procps");
        Require.program("nft", "nftables");
        Require.program("tcpdump", "tcpdump");
        Require.that(Frr.isInstalled(), Frr.MISSING);
        LabDevice.chosen().requireHost();
        lab = ScaleOutLab.open(directory);
    }

    @AfterAll
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    @Test
    @Order(1)
    void shouldForwardFlowsOverBothRouters() throws IOException, InterruptedException
    {
        final Map<String, Long> before = Map.of(LEFT, lab.framesFrom(LEFT), RIGHT, lab.framesFrom(RIGHT));
        try (Run run = new Run())
        {
            run.end();
            run.byRouter.forEach((router, flows) ->
            {
                final long sent = flows.stream().mapToLong(NumberedFlows.FlowResult::sent).sum();
                final long arrived = lab.framesFrom(router) - before.get(router);
                assertTrue(arrived >= sent, () -> arrived + " frames from " + router + " instead of " + sent);
            });
            run.assertUndisturbed(LEFT);
            run.assertUndisturbed(RIGHT);
        }
    }

    /** Over DPDK ports all packets of the machine pass through Fibnuma, so that nothing else has to end. */
    @Test
    @Order(2)
    void shouldMoveFlowsWhenARouterDiesAndBackWhenItIsStarted(final TestReporter reporter)
        throws IOException, InterruptedException
    {
        try (Run run = new Run())
        {
            if (KERNEL_SEES_PORTS)
            {
                lab.left().cutOff();
            }
            lab.left().killFibnuma();
            if (KERNEL_SEES_PORTS)
            {
                lab.left().killFrr();
            }
            run.awaitMove();
            assertEquals(Set.of(BY_BFD), lab.reasons(LEFT));
            if (KERNEL_SEES_PORTS)
            {
                lab.left().boot();
            }
            else
            {
                lab.left().startFibnuma();
            }
            run.awaitReturn();
            run.end();
            run.report(reporter, KERNEL_SEES_PORTS ? "the machine dies" : "Fibnuma is killed");
            run.assertLost(LEFT);
            run.assertUndisturbed(RIGHT);
        }
    }

    /** What differs between ports that the kernel sees and others. */
    @TestFactory
    @Order(3)
    List<DynamicTest> shouldDoWhatThePortsAllow(final TestReporter reporter)
    {
        return KERNEL_SEES_PORTS ?
            List.of(
                DynamicTest.dynamicTest("only Fibnuma is killed", () -> forwardByTheKernel(reporter)),
                DynamicTest.dynamicTest("Fibnuma and FRR are killed", () -> killFibnumaAndFrr(reporter))) :
            List.of(DynamicTest.dynamicTest("Fibnuma stops", () -> stopFibnuma(reporter)));
    }

    private void forwardByTheKernel(final TestReporter reporter) throws IOException, InterruptedException
    {
        final int ended = lab.endedSessions(LEFT);
        try (Run run = new Run())
        {
            lab.left().killFibnuma();
            final long fromLeft = lab.framesFrom(LEFT);
            run.flows.awaitArrivals(2 * PACKETS);
            assertTrue(lab.framesFrom(LEFT) - fromLeft >= PACKETS, "the kernel does not forward");
            lab.left().startFibnuma();
            run.flows.awaitArrivals(PACKETS);
            run.end();
            run.report(reporter, "Fibnuma is killed, the kernel forwards");
            run.assertUndisturbed(RIGHT);
            assertEquals(ended, lab.endedSessions(LEFT), "ended sessions");
        }
    }

    /** The kernel ends the connections of a bgpd that is killed, and forwards until the neighbours have seen it. */
    private void killFibnumaAndFrr(final TestReporter reporter) throws IOException, InterruptedException
    {
        try (Run run = new Run())
        {
            lab.left().killFibnuma();
            lab.left().killFrr();
            run.awaitMove();
            lab.left().boot();
            run.awaitReturn();
            run.end();
            run.report(reporter, "Fibnuma and FRR are killed, the kernel forwards");
            run.assertUndisturbed(RIGHT);
        }
    }

    /** Over AF_XDP the packets of BFD do not pass through Fibnuma, and nobody would notice. */
    private void stopFibnuma(final TestReporter reporter) throws IOException, InterruptedException
    {
        try (Run run = new Run())
        {
            lab.left().signalFibnuma("STOP");
            run.awaitMove();
            assertEquals(Set.of(BY_BFD), lab.reasons(LEFT));
            lab.left().signalFibnuma("CONT");
            run.awaitReturn();
            run.end();
            run.report(reporter, "Fibnuma is stopped");
            run.assertUndisturbed(RIGHT);
        }
    }

    /** Flows, with the router that each had at first. */
    private final class Run implements AutoCloseable
    {
        private final NumberedFlows flows;
        private final int endedOfRight = lab.endedSessions(RIGHT);
        private final Set<Integer> overLeft;
        private final Set<Integer> overRight;
        private Map<String, List<NumberedFlows.FlowResult>> byRouter;

        Run() throws IOException
        {
            flows = lab.startFlows(FLOWS_OF_EACH);
            flows.awaitArrivals(PACKETS);
            overLeft = lab.flowsFrom(LEFT, SAMPLE);
            overRight = lab.flowsFrom(RIGHT, SAMPLE);
        }

        void awaitMove()
        {
            lab.awaitRouters(RIGHT);
            flows.awaitArrivals(PACKETS);
        }

        void awaitReturn()
        {
            lab.awaitRouters(LEFT, RIGHT);
            final long fromLeft = lab.framesFrom(LEFT);
            Frr.await(() -> lab.framesFrom(LEFT) - fromLeft > PACKETS, "flows over left again");
            flows.awaitArrivals(PACKETS);
        }

        void end() throws InterruptedException
        {
            byRouter = flows.end().stream().collect(Collectors.groupingBy(this::routerOf));
            assertEquals(Set.of(LEFT, RIGHT), byRouter.keySet());
        }

        private String routerOf(final NumberedFlows.FlowResult flow)
        {
            assertNotEquals(overLeft.contains(flow.port()), overRight.contains(flow.port()), flow::toString);
            return overLeft.contains(flow.port()) ? LEFT : RIGHT;
        }

        void report(final TestReporter reporter, final String what)
        {
            byRouter.forEach((router, results) ->
            {
                final IntSummaryStatistics lost =
                    results.stream().mapToInt(NumberedFlows.FlowResult::lost).summaryStatistics();
                reporter.publishEntry(what + "; flows over " + router, results.size() + " flows, " +
                    lost.getMin() + " to " + lost.getMax() + " packets lost of each, of 40 a second; longest gap " +
                    results.stream().mapToLong(NumberedFlows.FlowResult::longestGapMs).max().orElseThrow() + " ms");
            });
        }

        /** Every flow over a router has lost more than single packets. */
        void assertLost(final String router)
        {
            assertTrue(byRouter.get(router).stream().allMatch(flow -> flow.lost() > MOST_LOST), byRouter::toString);
        }

        /**
         * No flow over a router has lost more than single packets, such as one while a neighbour's kernel exchanged a
         * route, unless the machine was so busy that BFD has ended sessions with right.
         */
        void assertUndisturbed(final String router) throws IOException
        {
            assumeTrue(lab.endedSessions(RIGHT) == endedOfRight, "a session with right has ended");
            assertEquals(List.of(), byRouter.get(router).stream()
                .filter(flow -> flow.lost() > MOST_LOST || flow.duplicates() > 0).toList());
        }

        @Override
        public void close() throws IOException
        {
            flows.close();
        }
    }
}
