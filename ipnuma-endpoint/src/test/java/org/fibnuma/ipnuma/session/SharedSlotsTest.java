package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sessions of one pool, of which only one has a peer that answers. */
class SharedSlotsTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final int LIMIT = 4 * SlotPool.BLOCK;
    /** Sessions whose full windows would need more than the pool has. */
    private static final int DOWN = 10;
    private static final int FULL_WINDOW = SendWindow.SLOTS - SendWindow.RESERVED;

    private final SlotPool pool = new SlotPool(1472, LIMIT);
    private final TestNetwork network =
        new TestNetwork(11, new SessionSettings().epoch(10).slots(pool), new SessionSettings().epoch(20));
    private final List<Session> down = new ArrayList<>();
    private final TestMemory data = new TestMemory(Long.BYTES);

    @AfterEach
    void close()
    {
        down.forEach(Session::close);
        network.close();
        assertEquals(0, pool.used());
        pool.close();
        data.close();
    }

    @Test
    void shouldLeaveAFullWindowToAConnectedPeer()
    {
        connect();
        fillPeersThatAreDown();
        assertEquals(FULL_WINDOW, writeWhileTaken());
        network.runUntil(network::isQuiet, SECOND);
        assertEquals(FULL_WINDOW - 1, network.b.getLong(0));
    }

    @Test
    void shouldLeaveSlotsToEarlyDatagramsOfAConnectedPeer()
    {
        connect();
        fillPeersThatAreDown();
        network.toA.loss(0.2);
        int next = 0;
        while (next < 2_000)
        {
            while (network.b.writeLong(0, next, true))
            {
                network.b.session.flush();
                next++;
            }
            network.step();
        }
        network.runUntil(network::isQuiet, 10 * SECOND);
        assertEquals(next - 1, network.a.getLong(0));
        assertEquals(0, network.a.session.counter(SessionCounter.NO_ROOM));
    }

    @Test
    void shouldConnectAPeerWhoseFirstWriteGetsNoSlot()
    {
        fillPeersThatAreDown();
        assertFalse(network.a.writeLong(0, 5, true));
        assertEquals(SessionState.CONNECTING, network.a.session.state());
        network.runUntil(network::areBothUp, SECOND);
        assertEquals(FULL_WINDOW, writeWhileTaken());
        network.runUntil(network::isQuiet, SECOND);
        assertEquals(FULL_WINDOW - 1, network.b.getLong(0));
    }

    @Test
    void shouldTakeNoMoreThanTheShareAfterTheConnectionIsLost()
    {
        fillPeersThatAreDown();
        final int waiting = pool.used();
        network.a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
        writeWhileTaken();
        network.isPollingB = false;
        network.runUntil(() -> network.a.events.contains("down " + FULL_WINDOW), 10 * SECOND);
        assertEquals(waiting, pool.used());
        assertEquals(0, writeWhileTaken());
        down.get(0).abort();
        assertEquals(FULL_WINDOW, writeWhileTaken());
    }

    private void connect()
    {
        network.a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
    }

    /** Writes to peers that do not answer until no write is taken. */
    private void fillPeersThatAreDown()
    {
        IntStream.range(0, DOWN).forEach(i -> down.add(new Session(
            0, new SessionSettings().epoch(10).slots(pool), new RegionTable(), ChannelListener.NONE)));
        for (final Session session : down)
        {
            while (session.write(
                RemoteAddress.of(TestPeer.REGION, 0), TestPeer.KEY, data.address(), Long.BYTES, true, 0))
            {
                session.flush();
            }
            assertEquals(SessionState.CONNECTING, session.state());
        }
        assertTrue(pool.used() < DOWN * FULL_WINDOW);
    }

    private int writeWhileTaken()
    {
        int count = 0;
        while (network.a.writeLong(0, count, true))
        {
            network.a.session.flush();
            count++;
        }
        return count;
    }
}
