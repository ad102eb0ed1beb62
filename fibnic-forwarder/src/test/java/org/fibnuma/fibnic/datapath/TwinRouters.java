package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two routers with the same routes. One has the fast path; in the other every frame goes through the stages.
 * <p>
 * The fast path sends the ordinary frames of a batch before the others. So the order in which frames leave is compared
 * among the ordinary frames from one host to another, and the rest as a set.
 */
final class TwinRouters implements AutoCloseable
{
    static final int PORTS = 3;
    static final int SMALL_MTU = 576;

    private static final Set<ForwarderCounter> WAYS_AND_POLLS =
        EnumSet.of(ForwarderCounter.POLLS, ForwarderCounter.IDLE_POLLS, ForwarderCounter.EXCEPTIONS);
    private static final int NARROW = 50;
    private static final int MIN_IPV4 = 20;
    private static final int ETHER_TYPE = 12;
    private static final int IPV4 = 0x0800;
    private static final int VERSION_4_IHL_5 = 0x45;
    private static final int FRAGMENT = 0x3FFF;
    private static final int ICMP = 1;

    final RouterFixture fast = router(new RouterFixture(PORTS, TwinRouters::settings));
    final RouterFixture stages = router(RouterFixture.ofStages(PORTS, TwinRouters::settings));

    private static void settings(final ForwarderContext context)
    {
        context.icmpErrorsPerSecond(1_000_000_000).icmpErrorBurst(1_000_000).epochClock(() -> 12_345_678);
    }

    private static RouterFixture router(final RouterFixture router)
    {
        router.adjacencies.set(NARROW, Adjacency.forward(
            2, TestFrame.ip("10.0.2.9"), SMALL_MTU, RouterFixture.hostMac(2), RouterFixture.routerMac(2)));
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(
            1, TestFrame.ip("10.0.1.77"), RouterFixture.MTU));
        router.route("20.0.0.0", 8, 2);
        router.route("20.1.0.0", 16, 3);
        router.route("20.1.2.128", 25, 2);
        router.route("20.2.0.0", 16, NARROW);
        router.route("20.3.0.0", 16, 1);
        router.route("20.4.0.0", 16, RouterFixture.UNRESOLVED);
        router.route("20.6.0.0", 16, RouterFixture.BLACKHOLE);
        router.route("20.7.0.0", 16, RouterFixture.KERNEL);
        router.route("20.8.0.0", 16, RouterFixture.PROHIBIT);
        return router;
    }

    /** The host decides about what comes in by port 0. */
    void policy(final InterfacePolicy policy)
    {
        for (final RouterFixture router : List.of(fast, stages))
        {
            router.interfaces.set(0, router.interfaces.get(0).with(policy));
        }
    }

    /** Both are given frames at once; what leaves and every counter must be the same. */
    void assertSameFates(final List<byte[]> frames)
    {
        final long[] fastBefore = counts(fast);
        final long[] stagesBefore = counts(stages);
        for (final byte[] frame : frames)
        {
            fast.receive(0, frame);
            stages.receive(0, frame);
        }
        fast.run();
        stages.run();
        assertSameSent();
        assertArrayEquals(difference(stages, stagesBefore), difference(fast, fastBefore), "counters");
        settle();
    }

    private void assertSameSent()
    {
        for (int port = 0; port <= PORTS; port++)
        {
            final List<byte[]> expected = stages.sent(port);
            final List<byte[]> actual = fast.sent(port);
            assertEquals(ordinaryByFlow(expected), ordinaryByFlow(actual), "order out of port " + port);
            assertEquals(sorted(expected), sorted(actual), "frames out of port " + port);
        }
    }

    private static List<String> sorted(final List<byte[]> frames)
    {
        return frames.stream().map(HexFormat.of()::formatHex).sorted().toList();
    }

    /** Frames that were neither cut nor carry options nor are an answer of the router. */
    private static Map<Long, List<String>> ordinaryByFlow(final List<byte[]> frames)
    {
        return frames.stream()
            .filter(frame -> frame.length >= TestFrame.ETHERNET + MIN_IPV4)
            .filter(frame -> TestFrame.u16(frame, ETHER_TYPE) == IPV4 && frame[TestFrame.ETHERNET] == VERSION_4_IHL_5)
            .filter(frame -> (TestFrame.u16(frame, TestFrame.ETHERNET + 6) & FRAGMENT) == 0)
            .filter(frame -> TestFrame.u8(frame, TestFrame.ETHERNET + 9) != ICMP)
            .collect(Collectors.groupingBy(
                frame -> (long)TestFrame.s32(frame, TestFrame.ETHERNET + 12) << Integer.SIZE |
                    TestFrame.s32(frame, TestFrame.ETHERNET + 16) & 0xFFFF_FFFFL,
                TreeMap::new,
                Collectors.mapping(HexFormat.of()::formatHex, Collectors.toList())));
    }

    private void settle()
    {
        for (int i = 0; i < 2; i++)
        {
            for (final RouterFixture router : List.of(fast, stages))
            {
                router.clock.advance(TimeUnit.SECONDS.toNanos(3));
                router.run();
                for (int port = 0; port <= PORTS; port++)
                {
                    router.sent(port);
                }
            }
        }
        for (final RouterFixture router : List.of(fast, stages))
        {
            assertEquals(0, router.count(ForwarderCounter.HELD));
            router.assertBalanced();
        }
    }

    private static long[] difference(final RouterFixture router, final long[] before)
    {
        final long[] now = counts(router);
        for (int i = 0; i < now.length; i++)
        {
            now[i] -= before[i];
        }
        return now;
    }

    private static long[] counts(final RouterFixture router)
    {
        final FateCounters counters = router.agent.counters();
        final List<Long> values = new ArrayList<>();
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            if (!WAYS_AND_POLLS.contains(counter))
            {
                values.add(counters.get(counter));
            }
        }
        for (final DropReason reason : DropReason.values())
        {
            values.add(counters.get(reason));
        }
        for (int port = 0; port < PORTS; port++)
        {
            for (final PortTraffic traffic : PortTraffic.values())
            {
                values.add(counters.get(port, traffic));
            }
        }
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public void close()
    {
        assertTrue(fast.report().isBalanced() && stages.report().isBalanced());
        fast.close();
        stages.close();
    }
}
