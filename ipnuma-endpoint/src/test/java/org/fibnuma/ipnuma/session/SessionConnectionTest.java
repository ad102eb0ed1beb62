package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;
import org.fibnuma.ipnuma.wire.fibnuma.VerificationTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SessionConnectionTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLISECOND = 1_000_000L;

    private final TestNetwork network = new TestNetwork(3);
    private final TestPeer a = network.a;
    private final TestPeer b = network.b;

    @AfterEach
    void closeNetwork()
    {
        network.close();
    }

    @Test
    void shouldRepeatHelloesLessAndLessOften()
    {
        network.isPollingB = false;
        a.session.connect();
        network.run(100 * MILLISECOND);
        // The seventh is due after 31.5 to 63 ms, the eighth after 63.5 to 127, the ninth after 127.5 or more.
        assertTrue(network.toB.sent() == 7 || network.toB.sent() == 8, "hellos: " + network.toB.sent());
        assertEquals(SessionState.CONNECTING, a.session.state());

        network.toB.drop();
        network.isPollingB = true;
        network.runUntil(network::areBothUp, SECOND);
    }

    @Test
    void shouldConnectOverANetworkThatLosesMost()
    {
        network.toA.loss(0.6);
        network.toB.loss(0.6);
        a.session.connect();
        b.session.connect();
        network.runUntil(network::areBothUp, 20 * SECOND);
    }

    @Test
    void shouldTellWhatWasPendingWhenThePeerIsGone()
    {
        connect();
        network.isPollingB = false;
        for (int i = 0; i < 7; i++)
        {
            assertTrue(a.writeLong(0, i, true));
            a.session.flush();
        }
        a.session.read(RemoteAddress.of(TestPeer.REGION, 0), TestPeer.KEY, 8, 99);
        a.session.flush();
        network.runUntil(() -> a.events.size() == 3, 10 * SECOND);

        assertEquals(List.of("up", "unanswered 99", "down 7"), a.events);
        assertEquals(0, a.session.pendingWrites());
        assertEquals(7, a.session.counter(SessionCounter.WRITES_LOST));
    }

    @Test
    void shouldNoticeASilentPeerWithoutTraffic()
    {
        connect();
        network.isPollingB = false;
        network.runUntil(() -> a.events.contains("down 0"), 10 * SECOND);
        assertEquals(SessionState.CONNECTING, a.session.state());
    }

    @Test
    void shouldStayUpInSilence()
    {
        connect();
        network.run(3 * SECOND);
        assertTrue(network.areBothUp());
        assertEquals(List.of("up"), a.events);
    }

    @Test
    void shouldConnectAgainWhenThePeerComesBack()
    {
        connect();
        network.isPollingB = false;
        network.runUntil(() -> a.events.contains("down 0"), 10 * SECOND);
        network.toB.drop();
        network.isPollingB = true;
        network.runUntil(network::areBothUp, 10 * SECOND);
        a.writeLong(8, 5, true);
        a.session.flush();
        network.runUntil(network::isQuiet, SECOND);

        assertEquals(5, b.getLong(8));
        assertEquals(List.of("up", "down 0", "up"), a.events);
        assertEquals(List.of("up", "down 0", "up"), b.events);
    }

    @Test
    void shouldLearnOfARestartByAReset()
    {
        connect();
        b.start(new SessionSettings().epoch(21));
        a.writeLong(0, 1, true);
        a.session.flush();
        network.runUntil(() -> a.events.size() == 3, SECOND);
        network.runUntil(network::areBothUp, SECOND);

        assertEquals(List.of("up", "restarted 1", "up"), a.events);
        assertEquals(0, b.getLong(0));
    }

    @Test
    void shouldLandNothingThatWasSentToAnEarlierEpoch()
    {
        connect();
        a.writeLong(0, 1, true);
        a.session.flush();
        network.runUntil(network::isQuiet, SECOND);
        a.writeLong(0, 2, true);
        a.session.flush();
        network.step();
        final byte[] old = network.toB.lastSent(FibnumaHeaderFlyweight.MIN_LENGTH + 24);
        b.start(new SessionSettings().epoch(21));
        network.runUntil(network::areBothUp, SECOND);
        network.runUntil(() -> a.events.size() == 3, SECOND);
        a.writeLong(0, 3, true);
        a.session.flush();
        network.runUntil(network::isQuiet, SECOND);
        network.toB.inject(old, network.nowNs());
        network.run(MILLISECOND);

        assertEquals(3, b.getLong(0));
        assertTrue(b.session.counter(SessionCounter.STRAY) > 0);
        assertTrue(network.areBothUp());
    }

    @Test
    void shouldLeaveAConnectionAloneWhateverHelloComes()
    {
        a.session.connect();
        network.step();
        final byte[] old = network.toB.lastSent(FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        network.runUntil(network::areBothUp, SECOND);
        final List<byte[]> hellos = List.of(
            old, helloOf(new SessionSettings().epoch(10)), helloOf(new SessionSettings().epoch(11)));
        final long answered = b.session.counter(SessionCounter.HELLOS_ANSWERED);
        for (int i = 0; i < 3000; i++)
        {
            a.writeLong(0, i, true);
            a.session.flush();
            network.toB.inject(hellos.get(i % 3), network.nowNs());
            network.step();
            assertTrue(network.areBothUp());
        }
        network.runUntil(network::isQuiet, SECOND);

        assertEquals(2999, b.getLong(0));
        assertEquals(List.of("up"), a.events);
        assertEquals(List.of("up"), b.events);
        assertEquals(3000, b.session.counter(SessionCounter.HELLOS_ANSWERED) - answered);
    }

    @Test
    void shouldAnswerAHelloWithNoMoreBytesAndDropIt()
    {
        final byte[] hello = helloOf(new SessionSettings().epoch(77));
        network.isPollingA = false;
        for (int i = 0; i < 1000; i++)
        {
            network.toB.inject(hello, network.nowNs());
            network.run(200_000);
        }
        assertEquals(SessionState.IDLE, b.session.state());
        assertEquals(1000, network.toA.sent());
        assertEquals(hello.length, network.toA.longest());
    }

    @Test
    void shouldReplaceAConnectionOnlyByAHandshakeThatShowsBothSidesNumbers()
    {
        connect();
        final byte[] replayed = confirmOf(a, b);
        network.run(MILLISECOND);
        for (int offset = 4; offset < FibnumaHeaderFlyweight.HANDSHAKE_LENGTH - 8; offset++)
        {
            network.toB.inject(changed(replayed, offset), network.nowNs());
            network.run(MILLISECOND / 10);
            assertTrue(network.areBothUp(), "byte " + offset);
        }
        network.toB.inject(replayed, network.nowNs());
        network.run(MILLISECOND);
        assertEquals(List.of("up"), a.events);
        assertEquals(List.of("up"), b.events);

        a.start(new SessionSettings().epoch(10).random(new SplittableRandom(9)));
        a.session.connect();
        network.runUntil(() -> b.events.size() == 3, SECOND);
        network.runUntil(network::areBothUp, SECOND);
        network.toB.inject(replayed, network.nowNs());
        network.run(MILLISECOND);
        assertEquals(List.of("up", "down 0", "up"), b.events);
        assertTrue(network.areBothUp());
    }

    @Test
    void shouldDrawOtherNumbersForEveryConnection()
    {
        final Set<String> tags = new HashSet<>();
        final VerificationTag tag = new VerificationTag();
        final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();
        final TestMemory scratch = new TestMemory(FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        for (int i = 0; i < 50; i++)
        {
            header.wrap(scratch.put(helloOf(new SessionSettings())));
            tag.copySource(header);
            assertTrue(tags.add("session " + tag.session()));
            assertTrue(tags.add("nonce " + tag.first()));
            assertTrue(tags.add("nonce " + tag.second()));
            assertTrue(new VerificationTag().isDestination(header));
        }
        scratch.close();
    }

    @Test
    void shouldConnectAPeerThatWasStartedAnewWithItsClockSetBack()
    {
        connect();
        connectAnewAndWrite(9);

        assertEquals(List.of("up", "restarted 0", "up"), b.events);
        assertEquals(6, b.getLong(0));
    }

    @Test
    void shouldConnectThoughSomebodyForgesHellosOfALaterEpoch()
    {
        final byte[] hello = helloOf(new SessionSettings().epoch(0x4000_0000));
        for (int i = 0; i < 20; i++)
        {
            network.toB.inject(hello, network.nowNs());
            network.step();
        }
        a.writeLong(0, 6, true);
        a.session.flush();
        for (int i = 0; i < 20_000 && !network.areBothUp(); i++)
        {
            network.toB.inject(hello, network.nowNs());
            network.run(20_000);
        }
        assertTrue(network.areBothUp(), "not within 400 ms");
        network.runUntil(network::isQuiet, SECOND);

        assertEquals(6, b.getLong(0));
        assertEquals(List.of("up"), a.events);
        assertEquals(List.of("up"), b.events);
    }

    private void connectAnewAndWrite(final int epoch)
    {
        a.start(new SessionSettings().epoch(epoch));
        a.session.connect();
        network.runUntil(() -> b.events.size() == 3, SECOND);
        network.runUntil(network::areBothUp, SECOND);
        a.writeLong(0, 6, true);
        a.session.flush();
        network.runUntil(network::isQuiet, SECOND);
    }

    @Test
    void shouldBelieveAPeerThatForgotTheConnection()
    {
        connect();
        connectAnewAndWrite(10);

        assertEquals(List.of("up", "down 0", "up"), b.events);
        assertEquals(6, b.getLong(0));
    }

    @Test
    void shouldCountDatagramsOfAnotherVersion()
    {
        final byte[] hello = helloOf(new SessionSettings());
        hello[2] = 1;
        network.toB.inject(hello, network.nowNs());
        network.run(MILLISECOND);
        assertEquals(1, b.session.counter(SessionCounter.OTHER_VERSION));
        assertEquals(0, network.toA.sent());
    }

    @Test
    void shouldRefuseNoMoreOftenThanAllowed()
    {
        connect();
        a.writeLong(0, 1, true);
        a.session.flush();
        network.step();
        final byte[] data = network.toB.lastSent(FibnumaHeaderFlyweight.MIN_LENGTH + 24);
        network.runUntil(network::isQuiet, SECOND);
        b.start(new SessionSettings().epoch(21));
        network.isPollingA = false;
        for (int i = 0; i < 1000; i++)
        {
            network.toB.inject(data, network.nowNs());
            network.step();
        }
        final long resets = b.session.counter(SessionCounter.RESETS_SENT);
        assertTrue(resets >= 9 && resets <= 11, resets + " resets in a millisecond");
        assertTrue(network.toA.longest() <= FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
    }

    @Test
    void shouldReportErrorsNoMoreOftenThanAllowed()
    {
        connect();
        final long before = network.toA.sent();
        for (int i = 0; i < 1000; i++)
        {
            a.writeLong(70_000, 1, true);
            a.session.flush();
            network.step();
        }
        network.runUntil(network::isQuiet, SECOND);
        final long errors = a.events.stream().filter(event -> event.startsWith("error")).count();
        assertTrue(errors >= 9 && errors <= 12, errors + " errors in a millisecond");
        assertTrue(network.toA.sent() - before < 1000);
        assertEquals(1000, b.session.counter(SessionCounter.REFUSED));
    }

    /** The HELLO of a peer with these settings. */
    private static byte[] helloOf(final SessionSettings settings)
    {
        final byte[][] hello = new byte[1][];
        try (Session session = new Session(0, settings, new RegionTable(), new TestPeer(8)))
        {
            session.connect();
            session.poll(new OneDatagram(hello), 1);
        }
        return hello[0];
    }

    /** The CONFIRM that made a connection of two peers, with the right CRC. */
    private static byte[] confirmOf(final TestPeer from, final TestPeer to)
    {
        final TestMemory scratch = new TestMemory(FibnumaHeaderFlyweight.HANDSHAKE_LENGTH);
        FrameMemory.zero(scratch.address(), scratch.size());
        final ConnectionId connection = from.session.id;
        new FibnumaHeaderWriter().wrap(scratch.address()).start(FibnumaKind.CONFIRM)
            .sessions(connection.own().session(), connection.remote().session())
            .epochs(connection.epoch(), to.session.id.epoch())
            .length(FibnumaHeaderFlyweight.NONCES_LENGTH, 0)
            .sourceNonce(connection.own().first(), connection.own().second())
            .destinationNonce(connection.remote().first(), connection.remote().second())
            .finish(FibnumaHeaderFlyweight.NONCES_LENGTH);
        final byte[] bytes = scratch.bytes();
        scratch.close();
        return bytes;
    }

    /** The same with another byte and the right CRC. */
    private static byte[] changed(final byte[] datagram, final int offset)
    {
        final TestMemory scratch = new TestMemory(datagram.length);
        scratch.put(datagram);
        FrameMemory.putByte(scratch.address() + offset, datagram[offset] ^ 0x55);
        new FibnumaHeaderWriter().wrap(scratch.address()).finish(FibnumaHeaderFlyweight.NONCES_LENGTH);
        final byte[] bytes = scratch.bytes();
        scratch.close();
        return bytes;
    }

    private void connect()
    {
        a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
    }

    /** Keeps a copy of what is sent. */
    private static final class OneDatagram implements DatagramOutput
    {
        private final byte[][] sent;
        private final TestMemory room = new TestMemory(2048);

        OneDatagram(final byte[][] sent)
        {
            this.sent = sent;
        }

        @Override
        public long claim(final int length)
        {
            return room.address();
        }

        @Override
        public void commit(final int length, final boolean ecnCapable)
        {
            sent[0] = room.bytes(0, length);
            room.close();
        }
    }
}
