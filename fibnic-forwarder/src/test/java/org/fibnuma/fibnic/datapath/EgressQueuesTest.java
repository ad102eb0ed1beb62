package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EgressQueuesTest
{
    private static final int DEPTH = 4;
    private static final int PORTS = 3;

    private final RouterFixture router = new RouterFixture(PORTS, context ->
    {
    });
    private final SlowTxQueue[] links = {new SlowTxQueue(), new SlowTxQueue(), new SlowTxQueue()};
    private final EgressQueues egress = new EgressQueues(
        links, DEPTH, new DropOutput(router.routerPool, router.agent.counters(), new CapturePoint()),
        router.agent.pipeline.vlanOutput, router.agent.counters());
    private final FrameBatch batch = new FrameBatch();

    @AfterEach
    void after()
    {
        router.close();
    }

    private void offer(final int ingress, final int egressPort)
    {
        final long chunk = router.routerPool.allocate();
        batch.add(chunk, chunk + FramePool.HEADROOM, 100 + ingress, ingress);
        batch.egressInterface(batch.size() - 1, egressPort);
        batch.addEgressPorts(1L << egressPort);
    }

    private int process()
    {
        final long before = router.agent.counters().get(DropReason.EGRESS_FULL);
        final int free = router.routerPool.available();
        egress.process(batch, 0, batch.size());
        batch.clear();
        final int dropped = (int)(router.agent.counters().get(DropReason.EGRESS_FULL) - before);
        assertEquals(free + dropped, router.routerPool.available());
        return dropped;
    }

    @Test
    void shouldGoStraightToAFreeLink()
    {
        links[1].room = 1;
        offer(0, 1);
        assertEquals(0, process());
        assertEquals(List.of(100), links[1].taken);
        assertEquals(0, egress.flush());
        assertTrue(links[0].flushed && links[1].flushed && links[2].flushed);
    }

    @Test
    void shouldDropWhatWaitsForAPortThatIsReplaced()
    {
        final int free = router.routerPool.available();
        offer(0, 1);
        offer(2, 1);
        offer(0, 2);
        assertEquals(0, process());
        egress.dropWaiting(1);
        assertEquals(2, router.agent.counters().get(DropReason.EGRESS_FULL));
        assertEquals(3, router.agent.counters().get(ForwarderCounter.FORWARDED), "never falls");
        assertEquals(2, router.agent.counters().get(ForwarderCounter.QUEUE_DROPPED));
        assertEquals(free - 1, router.routerPool.available());
        links[1].room = 1;
        links[2].room = 1;
        assertEquals(1, egress.flush());
        assertEquals(List.of(), links[1].taken);
        assertEquals(List.of(100), links[2].taken);
    }

    @Test
    void shouldDropWhatMeetsAFullFifo()
    {
        for (int i = 0; i < DEPTH + 2; i++)
        {
            offer(0, 1);
        }
        assertEquals(2, process());
        assertEquals(DEPTH, router.agent.counters().get(ForwarderCounter.FORWARDED));
    }

    @Test
    void shouldNotLetOneIngressFillTheFifoOfAnother()
    {
        for (int i = 0; i < DEPTH + 1; i++)
        {
            offer(0, 1);
        }
        for (int i = 0; i < DEPTH; i++)
        {
            offer(2, 1);
        }
        assertEquals(1, process());
    }

    @Test
    void shouldTakeTurnsAmongIngressPortsAndKeepEachInOrder()
    {
        for (int i = 0; i < 3; i++)
        {
            offer(0, 1);
        }
        for (int i = 0; i < 2; i++)
        {
            offer(2, 1);
        }
        offer(PORTS, 1);
        process();
        links[1].room = 4;
        assertEquals(4, egress.flush());
        assertEquals(List.of(100, 102, 103, 100), links[1].taken);
        links[1].room = 4;
        assertEquals(2, egress.flush());
        assertEquals(List.of(100, 102, 103, 100, 102, 100), links[1].taken);
        assertEquals(1, router.agent.counters().get(ForwarderCounter.ORIGINATED));
    }

    @Test
    void shouldNotOvertakeWhatWaits()
    {
        offer(0, 1);
        process();
        links[1].room = 8;
        offer(2, 1);
        process();
        assertEquals(List.of(), links[1].taken);
        egress.flush();
        assertEquals(List.of(100, 102), links[1].taken);
        offer(2, 1);
        process();
        assertEquals(List.of(100, 102, 102), links[1].taken);
    }

    @Test
    void shouldSendAroundFramesThatAreDoneWithInOneCall()
    {
        links[1].room = 8;
        for (int i = 0; i < 6; i++)
        {
            offer(0, 1);
            batch.length(i, 100 + i);
        }
        batch.disposition(0, Disposition.SETTLED);
        batch.disposition(2, Disposition.SETTLED);
        batch.disposition(3, Disposition.SETTLED);
        assertEquals(0, process());
        assertEquals(List.of(101, 104, 105), links[1].taken);
        assertEquals(1, links[1].bursts);
    }

    @Test
    void shouldKeepOtherEgressPortsFree()
    {
        offer(0, 1);
        links[2].room = 1;
        offer(0, 2);
        process();
        assertEquals(List.of(100), links[2].taken);
    }

    @Test
    void shouldSayHowMuchLatencyTheFifosAdd()
    {
        // Four ports and our own messages: 5 FIFOs of 64 frames, each 1,538 byte times on the wire, at 1 Gbit/s.
        assertEquals(5L * 64 * 1538 * 8, EgressQueues.addedLatencyNs(4, 64, 1514, 1_000_000_000L));
    }

    private static final class SlowTxQueue implements TxQueue
    {
        private final List<Integer> taken = new ArrayList<>();
        private int room;
        private int bursts;
        private boolean flushed;

        @Override
        public int offer(final FrameBatch frames, final int from, final int to)
        {
            bursts++;
            return TxQueue.super.offer(frames, from, to);
        }

        @Override
        public boolean offer(final long handle, final long address, final int length)
        {
            assertEquals(handle + FramePool.HEADROOM, address);
            if (room == 0)
            {
                return false;
            }
            room--;
            taken.add(length);
            return true;
        }

        @Override
        public void flush()
        {
            flushed = true;
        }
    }
}
