package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The control thread turns every table over while a worker forwards. */
@Tag("stress")
class ForwarderAgentStressTest
{
    private static final int PORTS = 3;
    private static final int ROUNDS = 2000;
    private static final int BATCH = 50;

    @Test
    void shouldNeverMixTwoNextHopsInOneFrame() throws InterruptedException
    {
        final AtomicBoolean running = new AtomicBoolean(true);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        try (RouterFixture router = new RouterFixture(PORTS, context ->
        {
        }))
        {
            final Thread control = new Thread(() -> turnOver(router, running));
            control.setUncaughtExceptionHandler((thread, ex) -> failure.set(ex));
            control.start();
            long sent = 0;
            try
            {
                for (int round = 0; round < ROUNDS; round++)
                {
                    sent += forwardBatch(router);
                    Thread.yield();
                }
            }
            finally
            {
                running.set(false);
                control.join();
            }
            assertNull(failure.get());
            assertTrue(sent > 0);
            router.route("192.0.2.0", 24, RouterFixture.BLACKHOLE);
            router.run();
            assertEquals(0, router.count(ForwarderCounter.HELD));
            router.assertBalanced();
        }
    }

    /** Next hop {@code n} has n in both MAC addresses and leaves by port {@code n % PORTS}. */
    private static void turnOver(final RouterFixture router, final AtomicBoolean running)
    {
        for (int n = 0; running.get(); n++)
        {
            final int low = n & 0xFF;
            final Adjacency next = n % 7 == 3 ? Adjacency.unresolved(1, IpAddress.of(9), 1500) :
                n % 7 == 5 ? Adjacency.of(AdjacencyKind.PROHIBIT) :
                Adjacency.forward(n % PORTS, IpAddress.NONE, 1500, 0x0200_0000_0000L + low * PORTS + n % PORTS,
                    0x0600_0000_0000L + low * PORTS + n % PORTS);
            router.adjacencies.set(200 + n % 3, next);
            router.fib.announce(TestFrame.ip("192.0.2.0"), 24, 200 + n % 3);
            router.interfaces.set(1, new RouterInterface(RouterFixture.routerMac(1), 1500, List.of(n | 1)));
            router.epochs.reclaim();
            Thread.onSpinWait();
        }
    }

    private static int forwardBatch(final RouterFixture router)
    {
        for (int i = 0; i < BATCH; i++)
        {
            router.receive(0, TestFrame.ipv4().destination("192.0.2.77").ttl(i % 10 == 0 ? 1 : 9).bytes());
        }
        router.agent.doWork();
        int sent = 0;
        for (int port = 0; port < PORTS; port++)
        {
            for (final byte[] frame : router.sent(port))
            {
                if (TestFrame.u8(frame, TestFrame.ETHERNET + 9) == 17)
                {
                    assertEquals(TestFrame.s32(frame, 2), TestFrame.s32(frame, 8), "both MAC addresses of one hop");
                    assertEquals(port, TestFrame.s32(frame, 2) % PORTS, "its port");
                    assertEquals(8, TestFrame.u8(frame, TestFrame.ETHERNET + 8));
                    sent++;
                }
                assertEquals(0, TestFrame.checksumOf(frame, TestFrame.ETHERNET, 20));
            }
        }
        return sent;
    }
}
