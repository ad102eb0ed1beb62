package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.seal.DatagramSeal;
import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.seal.SealedOutput;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two sessions whose datagrams are sealed; everything that was sent can be sent again. */
class SealedConnectionTest
{
    private static final SealKey KEY = SealKey.parse("000102030405060708090a0b0c0d0e0f");
    private static final int A = 0x0A09_0001;
    private static final int B = 0x0A09_0002;
    private static final long STEP_NS = 100_000;

    private final TestMemory staging = new TestMemory(64);
    private Side a = new Side(A, B, 10);
    private final Side b = new Side(B, A, 20);
    private long nowNs = 1;

    @AfterEach
    void close()
    {
        a.close();
        b.close();
        staging.close();
    }

    @Test
    void shouldKeepItsConnectionWhateverUnsealedHelloComes()
    {
        connect();
        final List<Integer> kinds = List.of(FibnumaKind.HELLO, FibnumaKind.HELLO_ACK, FibnumaKind.CONFIRM,
            FibnumaKind.CONFIRMED, FibnumaKind.RESET, FibnumaKind.CLOSE);
        for (int i = 0; i < 1000; i++)
        {
            write(i);
            assertEquals(DatagramSeal.NOT_SEALED, b.receive(unsealed(kinds.get(i % kinds.size()))));
            step();
        }
        step();
        assertEquals(999, b.value());
        assertEquals(List.of("up"), a.peer.events);
        assertEquals(List.of("up"), b.peer.events);
    }

    @Test
    void shouldTakeNothingTwiceNorOfAnEarlierRun()
    {
        connect();
        write(1);
        step();
        final List<byte[]> first = List.copyOf(a.sent);
        replay(first);
        assertEquals(List.of("up"), b.peer.events);

        a.close();
        a = new Side(A, B, 9);
        connect();
        assertEquals(List.of("up", "restarted 0", "up"), b.peer.events);
        write(2);
        step();
        assertEquals(2, b.value());
        replay(first);
        replay(List.copyOf(a.sent));
        assertEquals(2, b.value());
        assertEquals(List.of("up", "restarted 0", "up"), b.peer.events);
        assertEquals(List.of("up"), a.peer.events);
    }

    @Test
    void shouldEndWithAnAuthenticatedReset()
    {
        connect();
        write(5);
        a.session.disconnect();
        for (int i = 0; i < 100 && a.session.state() != SessionState.IDLE; i++)
        {
            step();
        }
        assertEquals(5, b.value());
        assertEquals(SessionState.IDLE, a.session.state());
        assertEquals(SessionState.IDLE, b.session.state());
        assertEquals(1, b.session.counter(SessionCounter.RESETS_SENT));
    }

    private void connect()
    {
        a.session.connect();
        for (int i = 0; i < 100 && !(a.session.state() == SessionState.UP && a.peer.events.contains("up")); i++)
        {
            step();
        }
        step();
        assertEquals(SessionState.UP, a.session.state());
        assertEquals(SessionState.UP, b.session.state());
    }

    private void write(final long value)
    {
        FrameMemory.putLong(staging.address(), value);
        assertTrue(a.session.write(
            RemoteAddress.of(TestPeer.REGION, 0), TestPeer.KEY, staging.address(), Long.BYTES, true, 0));
        a.session.flush();
    }

    private void replay(final List<byte[]> datagrams)
    {
        for (final byte[] datagram : datagrams)
        {
            b.receive(datagram);
            step();
        }
    }

    private void step()
    {
        nowNs += STEP_NS;
        a.pollTo(b);
        b.pollTo(a);
    }

    /** With all the numbers of the living connection, as somebody who reads everything can make it. */
    private byte[] unsealed(final int kind)
    {
        final TestMemory memory = new TestMemory(FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        FrameMemory.zero(memory.address(), memory.size());
        final ConnectionId connection = a.session.id;
        new FibnumaHeaderWriter().wrap(memory.address()).start(kind)
            .sessions(connection.own().session(), connection.remote().session())
            .epochs(connection.epoch(), connection.remoteEpoch())
            .length(FibnumaHeaderFlyweight.NONCES_LENGTH, 0)
            .sourceNonce(connection.own().first(), connection.own().second())
            .destinationNonce(b.session.id.fresh().first(), b.session.id.fresh().second())
            .finish(FibnumaHeaderFlyweight.NONCES_LENGTH);
        final byte[] bytes = memory.bytes();
        memory.close();
        return bytes;
    }

    /** One end. */
    private final class Side implements DatagramOutput
    {
        private final List<byte[]> sent = new ArrayList<>();
        private final TestPeer peer = new TestPeer(64);
        private final TestMemory memory = new TestMemory(64);
        private final TestMemory room = new TestMemory(2048);
        private final DatagramSeal seal;
        private final Session session;
        private int delivered;

        Side(final int own, final int other, final int epoch)
        {
            seal = new DatagramSeal(KEY, own, other);
            final RegionTable regions = new RegionTable();
            regions.add(new Region(TestPeer.REGION, "box", memory.address(), memory.size(), RegionAccess.ALL,
                List.of(Ipv4Prefix.parse("10.9.0.0/24")), TestPeer.KEY));
            session = new Session(0, new SessionSettings().epoch(epoch), regions, peer, seal::onConnection);
        }

        long value()
        {
            return FrameMemory.getLong(memory.address());
        }

        void pollTo(final Side other)
        {
            session.poll(new SealedOutput(this, seal), nowNs);
            for (; delivered < sent.size(); delivered++)
            {
                other.receive(sent.get(delivered));
            }
        }

        int receive(final byte[] datagram)
        {
            final TestMemory arrival = new TestMemory(datagram.length);
            final int opened = seal.open(arrival.put(datagram), datagram.length);
            if (opened >= 0)
            {
                session.onDatagram(arrival.address(), opened, false, A, nowNs);
            }
            arrival.close();
            return opened;
        }

        @Override
        public long claim(final int length)
        {
            return room.address();
        }

        @Override
        public void commit(final int length, final boolean ecnCapable)
        {
            sent.add(room.bytes(0, length));
        }

        void close()
        {
            session.close();
            memory.close();
            room.close();
        }
    }
}
