package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every mbuf comes back: after millions, with several workers, and when a port is closed early and often. */
class DpdkPortPoolTest
{
    private final DpdkTestRig rig = new DpdkTestRig();
    private final FrameBatch batch = new FrameBatch();

    @BeforeEach
    void requireDpdk()
    {
        RequireDpdk.libraries();
    }

    @AfterEach
    void close()
    {
        rig.close();
    }

    @Test
    void shouldLoseNoFrameOfMillionsDroppedOrSentOrMade()
    {
        rig.allocate(2048, 1);
        final Port source = rig.open("dpdk:net_null0,size=64");
        final Port sink = rig.open("dpdk:net_null1,no-rx=1");
        source.start();
        sink.start();
        final FramePool pool = rig.pool(0);
        for (int round = 0; round < 20_000; round++)
        {
            batch.clear();
            source.rxQueue(0).receive(batch);
            final int dropped = round % (batch.size() + 1);
            for (int i = 0; i < dropped; i++)
            {
                pool.release(batch.handle(i));
            }
            assertEquals(batch.size() - dropped, sink.txQueue(0).offer(batch, dropped, batch.size()));
            for (int i = 0; i < round % 40; i++)
            {
                final long chunk = pool.allocate();
                assertTrue(chunk != FramePool.NONE, "round " + round);
                assertTrue(sink.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            }
            sink.txQueue(0).flush();
        }
        assertEquals(0, source.deviceCounter(PortCounter.RX_NO_BUFFER));
        rig.assertNothingLost();
    }

    @Test
    void shouldServeOneQueueToEachWorker() throws InterruptedException
    {
        final int workers = 3;
        rig.allocate(2048, workers);
        final Port source = rig.open("dpdk:net_null0,size=64");
        final Port sink = rig.open("dpdk:net_null1,no-rx=1");
        source.start();
        sink.start();
        final long[] forwarded = new long[workers];
        final List<Thread> threads = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++)
        {
            final int queue = worker;
            final Thread thread = new Thread(() -> forwarded[queue] = forward(source, sink, queue));
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertFalse(thread.isAlive());
        }
        for (final long count : forwarded)
        {
            assertTrue(count > 100_000, "forwarded " + count);
        }
        rig.assertNothingLost();
    }

    private long forward(final Port source, final Port sink, final int queue)
    {
        final FrameBatch mine = new FrameBatch();
        long count = 0;
        for (int round = 0; round < 5000; round++)
        {
            mine.clear();
            source.rxQueue(queue).receive(mine);
            final int taken = sink.txQueue(queue).offer(mine, 0, mine.size() - mine.size() / 8);
            for (int i = taken; i < mine.size(); i++)
            {
                rig.pool(queue).release(mine.handle(i));
            }
            sink.txQueue(queue).flush();
            count += taken;
        }
        return count;
    }

    @Test
    void shouldOpenAndCloseAgainAndAgain()
    {
        rig.allocate(2048, 1);
        for (int round = 0; round < 50; round++)
        {
            final Port port = rig.open("dpdk:net_ring0");
            port.start();
            final long chunk = rig.pool(0).allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            port.txQueue(0).flush();
            assertEquals(1, port.rxQueue(0).receive(batch), "round " + round);
            rig.release(batch);
            rig.assertNothingLost();
        }
    }

    @Test
    void shouldGiveBackWhatNobodyTook()
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_ring0");
        int taken = 0;
        while (taken < DpdkTestRig.RING)
        {
            final long chunk = rig.pool(0).allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            taken++;
        }
        port.start();
        port.txQueue(0).flush();
        rig.assertNothingLost();
    }

    /** DPDK numbers 127 threads at a time. */
    @Test
    void shouldGiveTheNumbersOfThreadsThatHaveEndedBack() throws InterruptedException
    {
        final Eal eal = Eal.start(false);
        final boolean[] known = new boolean[1];
        for (int i = 0; i < 300; i++)
        {
            final Thread thread = new Thread(() ->
            {
                known[0] = eal.registerThread();
                ThreadEnd.run();
            });
            thread.start();
            thread.join();
            assertTrue(known[0], "thread " + i);
        }
    }
}
