package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SessionTest
{
    private static final long SECOND = 1_000_000_000L;

    private final TestNetwork network = new TestNetwork(1);
    private final TestPeer a = network.a;
    private final TestPeer b = network.b;

    @AfterEach
    void closeNetwork()
    {
        network.close();
    }

    @Test
    void shouldConnectWithTheFirstWriteAndLandIt()
    {
        assertTrue(a.writeLong(64, 0x1234_5678_9ABC_DEF0L, true));
        a.session.flush();
        network.runUntil(network::isQuiet, SECOND);

        assertEquals(0x1234_5678_9ABC_DEF0L, b.getLong(64));
        assertEquals(List.of("up"), a.events);
        assertEquals(List.of("up"), b.events);
    }

    @Test
    void shouldConnectWhereBothBegin()
    {
        a.session.connect();
        b.session.connect();
        network.runUntil(network::areBothUp, SECOND);
        network.run(SECOND / 10);

        assertEquals(List.of("up"), a.events);
        assertEquals(List.of("up"), b.events);
    }

    @Test
    void shouldGatherWritesUntilFlush()
    {
        connect();
        final long sent = a.session.counter(SessionCounter.DATA_SENT);
        for (int i = 0; i < 20; i++)
        {
            assertTrue(a.writeLong(8 * i, i + 1, true));
        }
        network.run(100_000);
        assertEquals(sent, a.session.counter(SessionCounter.DATA_SENT));
        a.session.flush();
        network.runUntil(network::isQuiet, SECOND);

        assertEquals(sent + 1, a.session.counter(SessionCounter.DATA_SENT));
        for (int i = 0; i < 20; i++)
        {
            assertEquals(i + 1, b.getLong(8 * i));
        }
    }

    @Test
    void shouldWriteExactlyTheBytesOfAnyRange()
    {
        connect();
        final SplittableRandom random = new SplittableRandom(5);
        final byte[] model = new byte[TestNetwork.REGION_SIZE];
        for (int i = 0; i < 2000; i++)
        {
            final int length = 1 + random.nextInt(i % 3 == 0 ? a.session.maxTransfer() : 40);
            final int offset = i % 7 == 0 ?
                4096 - random.nextInt(Math.min(length, 4096) + 1) : random.nextInt(model.length - length);
            final byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            while (!a.write(offset, bytes, true))
            {
                network.step();
            }
            a.session.flush();
            System.arraycopy(bytes, 0, model, offset, length);
        }
        network.runUntil(network::isQuiet, SECOND);
        assertArrayEquals(model, b.memory.bytes());
    }

    @Test
    void shouldReadAndTellWhereItMayNot()
    {
        connect();
        final byte[] bytes = new byte[777];
        Arrays.fill(bytes, (byte)0x5A);
        assertTrue(b.session.state() == SessionState.UP);
        a.write(1003, bytes, true);
        assertTrue(a.session.read(RemoteAddress.of(TestPeer.REGION, 1003), TestPeer.KEY, 777, 41));
        assertTrue(a.session.read(RemoteAddress.of(TestPeer.REGION, 65_530), TestPeer.KEY, 6, 42));
        assertTrue(a.session.read(RemoteAddress.of(TestPeer.REGION, 65_536), TestPeer.KEY, 9, 43));
        assertTrue(a.session.read(RemoteAddress.of(TestPeer.REGION, 0), TestPeer.KEY + 1, 8, 44));
        a.session.flush();
        network.runUntil(() -> a.readBytes.size() == 4, SECOND);

        assertEquals(List.of("up", "read 41 0", "read 42 0", "read 43 " + AccessStatus.OUT_OF_RANGE,
            "read 44 " + AccessStatus.WRONG_KEY), a.events);
        assertArrayEquals(bytes, a.readBytes.get(0));
        assertArrayEquals(new byte[9], a.readBytes.get(2));
        assertArrayEquals(new byte[8], a.readBytes.get(3));
    }

    @Test
    void shouldReadAcrossAPage()
    {
        connect();
        final byte[] bytes = new byte[a.session.maxTransfer()];
        new Random(4).nextBytes(bytes);
        while (!a.write(4096 - 700, bytes, true))
        {
            network.step();
        }
        final long page = RemoteAddress.of(TestPeer.REGION, 4096);
        assertTrue(a.session.read(page - 700, TestPeer.KEY, bytes.length, 1));
        for (int i = 1; i < 8; i++)
        {
            assertTrue(a.session.read(page - i, TestPeer.KEY, 8, 1 + i));
        }
        assertTrue(a.session.read(RemoteAddress.of(TestPeer.REGION, 65_533), TestPeer.KEY, 5, 9));
        assertTrue(a.session.read(page, TestPeer.KEY, 8, 10));
        a.session.flush();
        network.runUntil(() -> a.readBytes.size() == 10, SECOND);

        assertArrayEquals(bytes, a.readBytes.get(0));
        for (int i = 1; i < 8; i++)
        {
            assertArrayEquals(Arrays.copyOfRange(bytes, 700 - i, 708 - i), a.readBytes.get(i));
        }
        assertEquals("read 9 " + AccessStatus.OUT_OF_RANGE, a.events.get(9));
        assertArrayEquals(new byte[5], a.readBytes.get(8));
        assertArrayEquals(Arrays.copyOfRange(bytes, 700, 708), a.readBytes.get(9));
    }

    @Test
    void shouldTellOnceThatAReadAcrossAPageIsUnanswered()
    {
        connect();
        assertTrue(a.session.read(RemoteAddress.of(TestPeer.REGION, 4092), TestPeer.KEY, 8, 7));
        a.session.flush();
        a.session.abort();
        assertEquals(1, a.events.stream().filter("unanswered 7"::equals).count());
    }

    @Test
    void shouldDoAtomics()
    {
        connect();
        final long address = RemoteAddress.of(TestPeer.REGION, 128);
        a.session.atomic(AtomicOperation.FETCH_ADD, address, TestPeer.KEY, 5, 0, 8, 1);
        a.session.atomic(AtomicOperation.SWAP, address, TestPeer.KEY, -2, 0, 8, 2);
        a.session.atomic(AtomicOperation.COMPARE_SWAP, address, TestPeer.KEY, 9, 7, 8, 3);
        a.session.atomic(AtomicOperation.COMPARE_SWAP, address, TestPeer.KEY, 9, -2, 8, 4);
        a.session.atomic(AtomicOperation.FETCH_ADD, address + 8, TestPeer.KEY, -1, 0, 4, 5);
        a.session.atomic(AtomicOperation.FETCH_ADD, address + 8, TestPeer.KEY, 3, 0, 4, 6);
        a.session.flush();
        network.runUntil(() -> a.previousValues.size() == 6, SECOND);

        assertEquals(List.of(0L, 5L, -2L, -2L, 0L, 0xFFFF_FFFFL), a.previousValues);
        assertEquals(9, b.getLong(128));
        assertEquals(2, b.getInt(136));
    }

    @Test
    void shouldRingAfterEverythingBefore()
    {
        connect();
        a.writeLong(0, 1, false);
        a.writeLong(8, 2, true);
        assertTrue(a.session.doorbell());
        a.session.flush();
        assertEquals(0, b.doorbells);
        network.runUntil(() -> b.doorbells == 1, SECOND);
        assertEquals(2, b.getLong(8));
        assertEquals(1, b.getLong(0));
    }

    @Test
    void shouldTellARefusedWriteAndGoOn()
    {
        connect();
        a.writeLong(70_000, 1, true);
        a.writeLong(16, 3, true);
        a.session.flush();
        network.runUntil(() -> a.events.size() == 2, SECOND);

        assertEquals("error " + AccessStatus.OUT_OF_RANGE + " 0x500011170", a.events.get(1));
        assertEquals(3, b.getLong(16));
        assertEquals(1, b.session.counter(SessionCounter.REFUSED));
    }

    @Test
    void shouldKeepAWriteThatLeavesItsRegionApartFromOthers()
    {
        connect();
        a.writeLong(0, 1, true);
        a.writeLong(0xFFFF_FFFCL, 2, true);
        a.writeLong(8, 3, true);
        a.session.flush();
        network.runUntil(() -> network.isQuiet() && a.events.size() == 2, SECOND);

        assertEquals("error " + AccessStatus.OUT_OF_RANGE + " 0x600000000", a.events.get(1));
        assertEquals(1, b.session.counter(SessionCounter.OTHER_REGION));
        assertEquals(1, b.getLong(0));
        assertEquals(3, b.getLong(8));
    }

    @Test
    void shouldCloseWhenAllHasLanded()
    {
        connect();
        a.writeLong(16, 3, true);
        a.session.disconnect();
        assertFalse(a.writeLong(16, 4, true));
        network.runUntil(() -> a.session.state() == SessionState.IDLE, SECOND);

        assertEquals(3, b.getLong(16));
        assertEquals(List.of("up", "down 0"), a.events);
        assertEquals(List.of("up", "down 0"), b.events);
        assertEquals(SessionState.IDLE, b.session.state());
    }

    private void connect()
    {
        a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
    }
}
