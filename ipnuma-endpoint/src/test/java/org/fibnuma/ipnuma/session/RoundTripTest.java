package org.fibnuma.ipnuma.session;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is sampled as round trip, on one virtual clock: 3 us each way, and what the steps of 1 us add. */
class RoundTripTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final long KEEPALIVE_NS = 5_000_000;
    private static final long WIRE_NS = 6_000;
    /** Each side looks once in a step, and a timestamp counts 256 ns. */
    private static final long HIGHEST_NS = WIRE_NS + 3 * TestNetwork.STEP_NS;
    private static final long ACK_DELAY_NS = new SessionSettings().ackDelayNs();

    /** The probes of one side are always first, so that each echoes what it heard a keepalive ago. */
    private final TestNetwork network = new TestNetwork(
        4,
        new SessionSettings().epoch(10).keepaliveNs(KEEPALIVE_NS),
        new SessionSettings().epoch(20).keepaliveNs(2 * KEEPALIVE_NS));
    private final TestPeer a = network.a;
    private final TestPeer b = network.b;

    @AfterEach
    void closeNetwork()
    {
        network.close();
    }

    @Test
    void shouldMeasureAnIdlePairAsTheWireIs()
    {
        connect();
        network.run(40 * KEEPALIVE_NS);
        assertTimeOfTheWire(a);
        assertEquals(0, b.session.roundTripNs(), "it has accepted and answered, and asked nothing yet");
        b.writeLong(0, 1, true);
        b.session.flush();
        network.runUntil(network::isQuiet, SECOND);
        final long measured = b.session.roundTripNs();
        assertTrue(measured >= WIRE_NS && measured <= HIGHEST_NS + ACK_DELAY_NS, measured + " ns");
    }

    @Test
    void shouldNotSampleTheWaitOfAHello()
    {
        network.isPollingB = false;
        a.session.connect();
        network.run(KEEPALIVE_NS);
        network.isPollingB = true;
        network.runUntil(network::areBothUp, SECOND);
        assertTimeOfTheWire(a);
        network.run(100 * KEEPALIVE_NS);
        assertTimeOfTheWire(a);
    }

    @Test
    void shouldSampleARepeatedDatagramByTheTimeOfItsLastSending()
    {
        connect();
        network.toA.loss(1);
        a.writeLong(0, 1, true);
        a.session.flush();
        network.run(10_000_000);
        assertTrue(a.session.counter(SessionCounter.TIMEOUTS) > 0);
        network.toA.loss(0);
        network.runUntil(network::isQuiet, SECOND);
        assertTimeOfTheWire(a);
    }

    @Test
    void shouldNotSampleThePauseBeforeAWrite()
    {
        connect();
        for (int i = 0; i < 60; i++)
        {
            network.run(3 * KEEPALIVE_NS);
            final TestPeer writer = i % 3 == 0 ? b : a;
            assertTrue(writer.writeLong(0, i, true));
            writer.session.flush();
            network.runUntil(network::isQuiet, SECOND);
            assertTrue(a.session.roundTripNs() <= HIGHEST_NS + ACK_DELAY_NS, a.session.roundTripNs() + " ns");
            assertTrue(b.session.roundTripNs() <= HIGHEST_NS + ACK_DELAY_NS, b.session.roundTripNs() + " ns");
        }
    }

    @Test
    void shouldRepairWithinMicrosecondsAfterPausesWhileAQuarterIsLost()
    {
        connect();
        network.run(3 * KEEPALIVE_NS);
        network.toA.loss(0.25);
        network.toB.loss(0.25);
        final long[] elapsedNs = new long[2_000];
        for (int i = 0; i < elapsedNs.length; i++)
        {
            network.run(i % 10 == 0 ? 3 * KEEPALIVE_NS : 10_000);
            final long value = i + 1;
            final long startNs = network.nowNs();
            send(a, b, value);
            send(b, a, value);
            elapsedNs[i] = network.nowNs() - startNs;
        }
        Arrays.sort(elapsedNs);
        final long p90 = elapsedNs[elapsedNs.length * 9 / 10];
        assertTrue(p90 < 400_000, "p90 " + p90 + " ns");
    }

    private void send(final TestPeer from, final TestPeer to, final long value)
    {
        assertTrue(from.writeLong(0, value, true));
        from.session.flush();
        network.runUntil(() -> to.getLong(0) == value, SECOND);
    }

    private void connect()
    {
        a.session.connect();
        network.runUntil(network::areBothUp, SECOND);
        assertEquals(0, a.session.pendingWrites());
    }

    private static void assertTimeOfTheWire(final TestPeer peer)
    {
        final long sampledNs = peer.session.roundTripNs();
        assertTrue(sampledNs >= WIRE_NS - TestNetwork.STEP_NS && sampledNs <= HIGHEST_NS, sampledNs + " ns");
    }
}
