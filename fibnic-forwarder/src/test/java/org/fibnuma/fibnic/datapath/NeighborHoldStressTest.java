package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A neighbour is resolved by the control thread, again and again, while a worker forwards to it. */
@Tag("stress")
class NeighborHoldStressTest
{
    private static final int ROUNDS = 3000;
    private static final int FRAMES = 40;
    private static final int NEIGHBOR = 200;
    private static final int HOST = TestFrame.ip("10.0.1.77");
    private static final int SEQUENCE_MASK = 0xFFFF;
    private static final int HALF = 0x8000;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile int round;
    private volatile int resolved;
    private int next;
    private int last;
    private int arrived;

    @Test
    void shouldNeverLetAFrameOvertakeOneThatIsHeldForItsNeighbor() throws InterruptedException
    {
        try (RouterFixture router = new RouterFixture())
        {
            final Thread control = new Thread(() -> resolveInEveryRound(router));
            control.setUncaughtExceptionHandler((thread, ex) -> failure.set(ex));
            control.start();
            try
            {
                for (int i = 1; i <= ROUNDS; i++)
                {
                    offer(router, FRAMES / 4);
                    round = i;
                    offer(router, FRAMES);
                    while (resolved != i && failure.get() == null)
                    {
                        Thread.onSpinWait();
                    }
                    router.run();
                    takeInOrder(router);
                    lose(router);
                }
            }
            finally
            {
                round = Integer.MAX_VALUE;
                control.join();
            }
            assertNull(failure.get());
            assertEquals(0, router.count(ForwarderCounter.HELD));
            assertTrue(arrived > ROUNDS);
            router.assertBalanced();
        }
    }

    private void offer(final RouterFixture router, final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            router.receive(0, TestFrame.ipv4().destination("10.0.1.77").identification(next++ & SEQUENCE_MASK).bytes());
            router.agent.doWork();
            takeInOrder(router);
        }
    }

    private void takeInOrder(final RouterFixture router)
    {
        for (final byte[] frame : router.sent(1))
        {
            final int sequence = TestFrame.u16(frame, TestFrame.ETHERNET + 4);
            assertTrue((sequence - last & SEQUENCE_MASK) < HALF, sequence + " came after " + last);
            last = sequence;
            arrived++;
        }
    }

    private void resolveInEveryRound(final RouterFixture router)
    {
        for (int i = 1; i <= ROUNDS; i++)
        {
            while (round < i)
            {
                Thread.onSpinWait();
            }
            final long time = System.nanoTime() + i % 31 * 1000L;
            while (System.nanoTime() - time < 0)
            {
                Thread.onSpinWait();
            }
            router.adjacencies.beginChange();
            router.adjacencies.set(NEIGHBOR, Adjacency.forward(
                1, IpAddress.of(HOST), RouterFixture.MTU, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
            router.fib.announce(HOST, Integer.SIZE, NEIGHBOR);
            router.adjacencies.endChange();
            resolved = i;
        }
    }

    private static void lose(final RouterFixture router)
    {
        router.fib.withdraw(HOST, Integer.SIZE);
        router.adjacencies.set(NEIGHBOR, Adjacency.unresolved(1, IpAddress.of(HOST), RouterFixture.MTU));
        router.epochs.reclaim();
    }
}
