package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

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
        assertEquals(7, network.toB.sent());
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
        b.start(new SessionSettings().epoch(21).firstSession(9));
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
        b.start(new SessionSettings().epoch(21).firstSession(9));
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
    void shouldNotBelieveAnOldHello()
    {
        a.session.connect();
        network.step();
        final byte[] hello = network.toB.lastSent(FibnumaHeaderFlyweight.MIN_LENGTH);
        network.runUntil(network::areBothUp, SECOND);
        network.toB.inject(hello, network.nowNs());
        network.run(MILLISECOND);
        a.start(new SessionSettings().epoch(11).firstSession(1));
        a.session.connect();
        network.runUntil(() -> b.events.size() == 3, SECOND);
        network.toB.inject(hello, network.nowNs());
        network.run(10 * MILLISECOND);

        assertEquals(List.of("up", "restarted 0", "up"), b.events);
        assertTrue(network.areBothUp());
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
        b.start(new SessionSettings().epoch(21).firstSession(9));
        network.isPollingA = false;
        for (int i = 0; i < 1000; i++)
        {
            network.toB.inject(data, network.nowNs());
            network.step();
        }
        final long resets = b.session.counter(SessionCounter.RESETS_SENT);
        assertTrue(resets >= 9 && resets <= 11, resets + " resets in a millisecond");
        assertTrue(network.toA.longest() <= data.length);
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

    private void connect()
    {
        a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
    }
}
