package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two routers with the same routes. One has the fast path; in the other a frame waits for a neighbour all the time,
 * and while one does every frame goes through the stages.
 */
final class TwinRouters implements AutoCloseable
{
    static final int PORTS = 3;
    static final int SMALL_MTU = 576;

    private static final int NARROW = 50;
    private static final int WAITS_ALWAYS = 121;
    private static final int FIRST_FRAGMENT_OFFSET = 1;

    final RouterFixture fast = router();
    final RouterFixture stages = router();

    private static RouterFixture router()
    {
        final RouterFixture router = new RouterFixture(PORTS, context ->
            context.icmpErrorsPerSecond(1_000_000_000).icmpErrorBurst(1_000_000));
        router.adjacencies.set(NARROW, Adjacency.forward(
            2, TestFrame.ip("10.0.2.9"), SMALL_MTU, RouterFixture.hostMac(2), RouterFixture.routerMac(2)));
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(
            1, TestFrame.ip("10.0.1.77"), RouterFixture.MTU));
        router.adjacencies.set(WAITS_ALWAYS, Adjacency.unresolved(1, TestFrame.ip("10.0.1.78"), RouterFixture.MTU));
        router.route("20.0.0.0", 8, 2);
        router.route("20.1.0.0", 16, 3);
        router.route("20.1.2.128", 25, 2);
        router.route("20.2.0.0", 16, NARROW);
        router.route("20.3.0.0", 16, 1);
        router.route("20.4.0.0", 16, RouterFixture.UNRESOLVED);
        router.route("20.5.0.0", 16, WAITS_ALWAYS);
        router.route("20.6.0.0", 16, RouterFixture.BLACKHOLE);
        router.route("20.7.0.0", 16, RouterFixture.KERNEL);
        router.route("20.8.0.0", 16, RouterFixture.PROHIBIT);
        return router;
    }

    /** Both are given frames at once; what leaves, in which order, and every counter must be the same. */
    void assertSameFates(final List<byte[]> frames)
    {
        // No message is ever sent about a fragment that is not the first (RFC 1812 section 4.3.2.7).
        stages.receive(0, TestFrame.ipv4().destination("20.5.0.1").flagsAndOffset(FIRST_FRAGMENT_OFFSET).bytes());
        stages.run();
        assertEquals(1, stages.count(ForwarderCounter.HELD));
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
            assertEquals(expected.size(), actual.size(), "frames out of port " + port);
            for (int i = 0; i < expected.size(); i++)
            {
                assertArrayEquals(expected.get(i), actual.get(i), "frame " + i + " out of port " + port);
            }
        }
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
            if (counter != ForwarderCounter.POLLS && counter != ForwarderCounter.IDLE_POLLS)
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
