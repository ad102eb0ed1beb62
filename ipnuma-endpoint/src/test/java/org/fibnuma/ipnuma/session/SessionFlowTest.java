package org.fibnuma.ipnuma.session;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SessionFlowTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final int ONE_WRITE = FibnumaHeaderFlyweight.MIN_LENGTH + 24;

    private TestNetwork network = new TestNetwork(4);
    private TestPeer a = network.a;
    private TestPeer b = network.b;

    @AfterEach
    void closeNetwork()
    {
        network.close();
    }

    @Test
    void shouldStopTheSenderWhileTheReceiverDoesNotPoll()
    {
        connect();
        network.isPollingB = false;
        int taken = 0;
        for (int i = 0; i < 2000; i++)
        {
            if (a.writeLong(8 * (i % 100), i, true))
            {
                taken++;
                a.session.flush();
            }
            network.step();
        }
        assertEquals(SendWindow.SLOTS - SendWindow.RESERVED, taken);
        assertEquals(taken, a.session.pendingWrites());
        assertTrue(a.session.counter(SessionCounter.DATA_SENT) <= 128);

        network.isPollingB = true;
        network.runUntil(network::isQuiet, SECOND);
        assertEquals(0, a.lostWrites);
        assertTrue(a.writeLong(0, 77, true));
    }

    @Test
    void shouldNotSendBeyondTheCredits()
    {
        rebuild(new SessionSettings().epoch(1), new SessionSettings().epoch(1).receiveWindow(3));
        connect();
        network.isPollingB = false;
        for (int i = 0; i < 20; i++)
        {
            a.writeLong(0, i, true);
            a.session.flush();
        }
        network.run(20_000);
        assertEquals(3, a.session.counter(SessionCounter.DATA_SENT));

        network.isPollingB = true;
        network.runUntil(network::isQuiet, SECOND);
        assertEquals(19, b.getLong(0));
        assertEquals(0, b.session.counter(SessionCounter.BEYOND_CREDITS));
    }

    @Test
    void shouldAcknowledgeOnDataAndElseOnceForManyDatagrams()
    {
        connect();
        for (int i = 0; i < 100; i++)
        {
            a.writeLong(0, i, true);
            a.session.flush();
            network.step();
            b.writeLong(0, i, true);
            b.session.flush();
            network.step();
        }
        network.runUntil(network::isQuiet, SECOND);
        final long alone = a.session.counter(SessionCounter.ACKS_SENT) + b.session.counter(SessionCounter.ACKS_SENT);
        assertTrue(alone <= 5, alone + " acknowledgements alone for 200 datagrams each on its way with others");
    }

    @Test
    void shouldNotLetARepeatedWriteOverwriteANewerOne()
    {
        connect();
        network.toA.loss(1);
        a.writeLong(0, 1, true);
        a.session.flush();
        network.step();
        final byte[] first = network.toB.lastSent(ONE_WRITE);
        network.run(10_000);
        a.writeLong(0, 2, true);
        a.session.flush();
        network.run(2_000_000);
        assertEquals(2, b.getLong(0));
        assertTrue(a.session.counter(SessionCounter.REPAIRED) > 0);
        network.toB.inject(first, network.nowNs());
        network.run(10_000);
        assertEquals(2, b.getLong(0));

        network.toA.loss(0);
        network.runUntil(network::isQuiet, SECOND);
        assertEquals(2, b.getLong(0));
        assertTrue(b.session.counter(SessionCounter.DUPLICATES) > 0);
    }

    @Test
    void shouldRepairAGapWithoutWaitingForTheTimer()
    {
        connect();
        warmUp();
        final long timeouts = a.session.counter(SessionCounter.TIMEOUTS);
        network.toB.loss(1);
        a.writeLong(0, 1, true);
        a.session.flush();
        network.step();
        network.toB.loss(0);
        a.writeLong(8, 2, true);
        a.session.flush();
        final long start = network.nowNs();
        network.runUntil(network::isQuiet, SECOND);

        assertEquals(1, b.session.counter(SessionCounter.NAKS_SENT));
        assertEquals(timeouts, a.session.counter(SessionCounter.TIMEOUTS));
        assertTrue(network.nowNs() - start < 40_000, "took " + (network.nowNs() - start) + " ns");
    }

    @Test
    void shouldProbeATailThatWasLost()
    {
        connect();
        warmUp();
        network.toB.loss(1);
        a.writeLong(0, 1, true);
        a.session.flush();
        network.step();
        network.toB.loss(0);
        final long start = network.nowNs();
        network.runUntil(network::isQuiet, SECOND);
        assertTrue(network.nowNs() - start < 100_000, "took " + (network.nowNs() - start) + " ns");
    }

    @Test
    void shouldSlowDownWhereTheNetworkIsCongested()
    {
        connect();
        final double before = a.session.rate();
        network.toB.marking(1);
        final long start = network.nowNs();
        while (network.nowNs() - start < 2_000_000)
        {
            while (a.write(0, new byte[1000], false))
            {
                a.session.flush();
            }
            network.step();
        }
        final long echoes = b.session.counter(SessionCounter.CE_ECHOES_SENT);
        assertTrue(echoes >= 5 && echoes <= 41, echoes + " echoes in 2 ms");
        assertTrue(a.session.rate() < before / 10, a.session.rate() + " bit/s");

        final long data = a.session.counter(SessionCounter.DATA_SENT);
        final double rate = a.session.rate();
        network.toB.marking(0);
        while (a.write(0, new byte[1000], false))
        {
            a.session.flush();
        }
        network.run(50_000);
        final double sent = (a.session.counter(SessionCounter.DATA_SENT) - data) * 1000 * 8.0 / 50e-6;
        assertTrue(sent < 2 * rate + 3e8, sent + " bit/s at a rate of " + rate);
    }

    @Test
    void shouldAnswerEachOtherThoughBothAreFullOfRequests()
    {
        connect();
        int taken = 0;
        for (int round = 0; round < 500; round++)
        {
            for (final TestPeer peer : new TestPeer[]{a, b})
            {
                while (peer.write(1000, new byte[1000], true) && taken % 3 != 0 ||
                    peer.session.read(RemoteAddress.of(TestPeer.REGION, 0), TestPeer.KEY, 1300, taken))
                {
                    taken++;
                }
                peer.session.flush();
            }
            network.step();
        }
        network.runUntil(network::isQuiet, SECOND);
        assertTrue(a.readBytes.size() > 100 && b.readBytes.size() > 100);
        assertEquals(0, a.session.counter(SessionCounter.NO_ROOM) + b.session.counter(SessionCounter.NO_ROOM));
    }

    @Test
    void shouldNotAllocate()
    {
        connect();
        final Loop loop = new Loop(a, b, network.nowNs());
        a.isQuiet = true;
        b.isQuiet = true;
        loop.run(20_000);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(thread);
        final long before = threads.getThreadAllocatedBytes(thread);
        loop.run(200_000);
        final long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertTrue(allocated < 100_000, allocated + " bytes for 200,000 messages");
        assertTrue(network.areBothUp());
        assertTrue(a.atomics > 20_000, a.atomics + " atomics");
        assertTrue(b.session.counter(SessionCounter.OUT_OF_ORDER) > 10_000);
    }

    /** Both sides in one loop without a network between them, which would allocate; every tenth datagram is lost. */
    private static final class Loop implements DatagramOutput
    {
        private final TestMemory frame = new TestMemory(2048);
        private final TestMemory data = new TestMemory(64);
        private final Session from;
        private final Session to;
        private long nowNs;
        private int length;
        private final SplittableRandom random = new SplittableRandom(3);

        Loop(final TestPeer a, final TestPeer b, final long nowNs)
        {
            this.nowNs = nowNs;
            from = a.session;
            to = b.session;
        }

        void run(final int rounds)
        {
            final long address = RemoteAddress.of(TestPeer.REGION, 256);
            for (int i = 0; i < rounds; i++)
            {
                FrameMemory.putLong(data.address(), i);
                from.write(address, TestPeer.KEY, data.address(), 8, i % 2 == 0, 0);
                if (i % 5 == 0)
                {
                    from.atomic(AtomicOperation.SWAP, address, TestPeer.KEY, i, 0, 8, i);
                }
                from.flush();
                nowNs += 700;
                pass(from, to);
                pass(to, from);
            }
        }

        private void pass(final Session sender, final Session receiver)
        {
            sender.poll(this, nowNs);
            if (length != 0 && random.nextInt(10) != 0)
            {
                receiver.onDatagram(frame.address(), length, false, TestPeer.SOURCE, nowNs);
            }
            length = 0;
        }

        @Override
        public long claim(final int bytes)
        {
            return length == 0 ? frame.address() : 0;
        }

        @Override
        public void commit(final int bytes, final boolean ecnCapable)
        {
            length = bytes;
        }
    }

    private void connect()
    {
        a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
    }

    private void rebuild(final SessionSettings ofA, final SessionSettings ofB)
    {
        network.close();
        network = new TestNetwork(4, ofA, ofB);
        a = network.a;
        b = network.b;
    }

    /** Lets the round trip be learned. */
    private void warmUp()
    {
        for (int i = 0; i < 100; i++)
        {
            a.writeLong(0, i, true);
            a.session.flush();
            network.run(15_000);
        }
        network.runUntil(network::isQuiet, SECOND);
    }
}
