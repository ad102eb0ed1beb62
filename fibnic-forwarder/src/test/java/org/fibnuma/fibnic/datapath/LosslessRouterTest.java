package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.config.EcnSettings;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A router with lossless priorities 3 and 4 over links of 1 Gb/s, in memory; pauses written as hex. */
class LosslessRouterTest
{
    private static final long GBPS = 1_000_000_000L;
    private static final String PFC_HEADER = "0180c2000001" + "020000000201" + "8808" + "0101";
    private static final int FRAME = 1000;
    private static final int WIRE = FRAME + 24;
    /** Ten frames, two frames, and five frames of headroom. */
    private static final PfcLink LINK = new PfcLink(
        "", 1, GBPS, 10 * WIRE, 2 * WIRE, 5 * WIRE, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)),
        MacFlowControl.OFF);

    private EcnSettings ecn;
    private PfcLink link = LINK;
    private PausePolicyKind policy = PausePolicyKind.POOC;
    private StormAction action = StormAction.DROP;
    private RouterFixture router;

    @AfterEach
    void close()
    {
        router.close();
    }

    @Test
    void shouldStopExactlyWhatThePeerNames()
    {
        open();
        pause(1, 3, 1_000);
        receive(3, 2);
        receive(0, 1);
        receive(4, 1);
        assertEquals(List.of(0, 4), priorities(router.sent(1)));
        advance(511_999);
        assertEquals(List.of(), priorities(router.sent(1)));
        advance(1);
        assertEquals(List.of(3, 3), priorities(router.sent(1)));
        assertEquals(1, count(1, 3, PfcCounter.XOFF_RX));
        assertEquals(0, count(1, 4, PfcCounter.XOFF_RX));
        assertEquals(512_000, count(1, 3, PfcCounter.PAUSED_RX_NS));
        assertEquals(1, router.count(ForwarderCounter.CONSUMED));
        router.assertBalanced();
    }

    /** The traffic class of RFC 8200 section 7 has the DSCP that the priority is read from. */
    @Test
    void shouldStopIpv6OfThePriorityThatThePeerNames()
    {
        open();
        pause(1, 3, 1_000);
        final byte[] stopped = TestFrame6.ipv6().trafficClass(3 << 5).payload(100).bytes();
        final byte[] other = TestFrame6.ipv6().trafficClass(4 << 5).payload(100).bytes();
        router.receive(0, stopped);
        receive(4, 1);
        router.receive(0, other);
        router.run();
        final List<byte[]> sent = router.sent(1);
        assertEquals(List.of(0x0800, 0x86DD), sent.stream().map(frame -> TestFrame.u16(frame, 12)).toList());
        assertEquals(0x6801, TestFrame.u16(sent.get(1), TestFrame.ETHERNET), "class and flow label");
        advance(512_000);
        final List<byte[]> later = router.sent(1);
        assertEquals(1, later.size());
        assertEquals(0x6601, TestFrame.u16(later.get(0), TestFrame.ETHERNET), "class and flow label");
        assertEquals(63, TestFrame.u8(later.get(0), TestFrame.ETHERNET + 7), "hop limit");
        router.assertBalanced();
    }

    @Test
    void shouldGoOnWhenThePeerSaysSo()
    {
        open();
        pause(1, 3, 65_535);
        receive(3, 2);
        assertEquals(List.of(), router.sent(1));
        pause(1, 3, 0);
        assertEquals(2, router.sent(1).size());
        assertEquals(1, count(1, 3, PfcCounter.XON_RX));
        router.assertBalanced();
    }

    @Test
    void shouldStopEveryLosslessPriorityForAPause()
    {
        open();
        router.receive(1, TestFrame.hex(
            "0180c2000001" + "020000000201" + "8808" + "0001" + "03e8" + "00".repeat(42)));
        router.run();
        receive(3, 1);
        receive(4, 1);
        assertEquals(List.of(), router.sent(1));
        receive(0, 1);
        receive(7, 1);
        assertEquals(List.of(0, 7), priorities(router.sent(1)));
        advance(512_000);
        assertEquals(List.of(3, 4), priorities(router.sent(1)));
        assertEquals(1, count(1, 7, PfcCounter.XOFF_IGNORED));
        router.assertBalanced();
    }

    @Test
    void shouldCountAndNotObeyPausesOfPrioritiesThatAreNotLossless()
    {
        open();
        for (int i = 0; i < 30; i++)
        {
            // The vector has priorities 0 and 3.
            router.receive(1, TestFrame.hex(
                PFC_HEADER + "0009" + "ffff" + "0000".repeat(2) + "ffff" + "00".repeat(34)));
            router.run();
            receive(0, 1);
            assertEquals(List.of(0), priorities(router.sent(1)));
            advance(20_000_000);
        }
        pause(1, 0, 0);
        receive(3, 1);
        assertEquals(List.of(), router.sent(1), "the lossless priority of the same frames is paused");
        assertEquals(30, count(1, 0, PfcCounter.XOFF_IGNORED));
        assertEquals(0, count(1, 3, PfcCounter.XOFF_IGNORED));
        assertEquals(30, count(1, 3, PfcCounter.XOFF_RX));
        assertEquals(1 << 3 | 1 << 4, LosslessReport.of(router.counters()).priorities());
        pause(1, 3, 0);
        router.assertBalanced();
    }

    /** At 1 Gb/s the longest pause lasts 33.6 ms. */
    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldLeaveNoGapBetweenPausesWhereDutyCyclesAreLate(final PausePolicyKind kind)
    {
        policy = kind;
        action = StormAction.ALERT;
        open();
        pause(1, 3, 65_535);
        receive(3, 14);
        // The first pauses of C-DPTC and drain are short.
        for (int i = 0; i < 10; i++)
        {
            advance(200_000);
        }
        long endNs = router.clock.nanoTime();
        int pauses = 0;
        for (int i = 0; i < 100; i++)
        {
            for (final byte[] frame : router.sent(0))
            {
                endNs = router.clock.nanoTime() + TestFrame.u16(frame, 18 + 3 * 2) * 512L;
                pauses++;
            }
            assertTrue(endNs - router.clock.nanoTime() > 15_000_000, "a gap at cycle " + i);
            advance(15_000_000);
            pause(1, 3, 65_535);
        }
        assertTrue(pauses >= 40, pauses + " pauses in 1.5 s");
        pause(1, 3, 0);
        router.assertBalanced();
    }

    /**
     * The egress is paused for 8 ms and 36 frames arrive. The first pauses of C-DPTC and drain end or are renewed
     * during that time, and nothing arrives from a sender that obeys.
     */
    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldLetTheSenderGoOnAsSoonAsTheQueueIsBelowXon(final PausePolicyKind kind)
    {
        policy = kind;
        link = new PfcLink("", 1, GBPS, 30_720, 10_240, 20_000, LINK.needed(), MacFlowControl.OFF);
        open();
        final long startNs = router.clock.nanoTime();
        long pauseEndNs = startNs;
        final List<Integer> quanta = new ArrayList<>();
        pause(1, 3, 15_625);
        receive(3, 36);
        for (int i = 0; i < 2_000; i++)
        {
            final long nowNs = router.clock.nanoTime();
            for (final byte[] frame : router.sent(0))
            {
                quanta.add(TestFrame.u16(frame, 18 + 3 * 2));
                pauseEndNs = nowNs + TestFrame.u16(frame, 18 + 3 * 2) * 512L;
            }
            final boolean isEgressStopped = nowNs - startNs < 8_000_000;
            assertEquals(isEgressStopped, pauseEndNs > nowNs, nowNs - startNs + " ns: " + quanta);
            advance(20_000);
        }
        assertEquals(36, router.sent(1).size());
        assertEquals(kind == PausePolicyKind.CDPTC ? 1_445 : 65_535, quanta.get(0));
        assertEquals(8_000_000, count(1, 3, PfcCounter.PAUSED_RX_NS));
        assertEquals(8_000_000, count(0, 3, PfcCounter.PAUSED_TX_NS), 80_000);
        assertEquals(0, quanta.get(quanta.size() - 1));
        assertEquals(1, count(0, 3, PfcCounter.XON_TX));
        router.assertBalanced();
    }

    @Test
    void shouldStopTheSenderAboveTheMarkAndLetItGoOnBelow()
    {
        open();
        pause(1, 3, 65_535);
        receive(3, 10);
        assertEquals(List.of(), router.sent(0));
        receive(3, 1);
        final String xoff = hex(router.sent(0));
        assertEquals("0180c2000001" + "020000000100" + "8808" + "0101" + "0008" + "000000000000ffff" +
            "00".repeat(34), xoff);
        pause(1, 3, 0);
        router.run();
        assertEquals(11, router.sent(1).size());
        assertEquals("0180c2000001" + "020000000100" + "8808" + "0101" + "0008" + "00".repeat(42),
            hex(router.sent(0)));
        advance(1_000_000);
        assertEquals(1, count(0, 3, PfcCounter.XOFF_TX));
        assertEquals(1, count(0, 3, PfcCounter.XON_TX));
        assertEquals(WIRE, count(0, 3, PfcCounter.HEADROOM_HIGH_WATER));
        router.assertBalanced();
    }

    @Test
    void shouldComputeThePauseByThePolicy()
    {
        policy = PausePolicyKind.CDPTC;
        open();
        pause(1, 3, 65_535);
        receive(3, 11);
        // 7 * (8 * 1024)^2 / (64 * 11 * 1024)
        final int quanta = 7 * (8 * WIRE) / 11 * 8 / 64;
        final byte[] frame = router.sent(0).get(0);
        assertEquals(quanta, TestFrame.u16(frame, 18 + 3 * 2), 1);
        pause(1, 3, 0);
        router.assertBalanced();
    }

    @Test
    void shouldDropBeyondTheHeadroomOnly()
    {
        open();
        pause(1, 3, 65_535);
        receive(3, 15);
        assertEquals(0, router.report().dropped());
        receive(3, 3);
        assertEquals(3, router.report().get(DropReason.PFC_BEYOND_HEADROOM));
        advance(1_000_000);
        assertEquals(3, count(0, 3, PfcCounter.DROPPED_BEYOND_HEADROOM));
        assertEquals(5 * WIRE, count(0, 3, PfcCounter.HEADROOM_HIGH_WATER));
        receive(4, 1);
        assertEquals(1, router.sent(1).size(), "another priority goes on");
        pause(1, 3, 0);
        assertEquals(15, router.sent(1).size());
        router.assertBalanced();
    }

    @Test
    void shouldDropLossyPrioritiesWhenTheirFifoIsFull()
    {
        open();
        receive(0, RouterFixture.RING);
        receive(0, 70);
        assertEquals(6, router.report().get(DropReason.EGRESS_FULL));
        assertEquals(List.of(), router.sent(0), "and stop nobody");
        assertEquals(RouterFixture.RING + 64, router.sent(1).size());
        router.assertBalanced();
    }

    @Test
    void shouldDropWhatWaitsForAPortThatIsReplaced()
    {
        open();
        pause(1, 3, 65_535);
        pause(1, 4, 65_535);
        receive(3, 4);
        receive(4, 2);
        final int waiting = router.agent.pipeline.egressQueues.waiting(1);
        assertEquals(6, waiting);
        final int free = router.routerPool.available();
        router.agent.pipeline.egressQueues.dropWaiting(1);
        assertEquals(0, router.agent.pipeline.egressQueues.waiting(1));
        assertEquals(free + waiting, router.routerPool.available());
        router.run();
        assertEquals(waiting, router.report().get(DropReason.EGRESS_FULL));
        assertEquals(0, router.report().get(DropReason.PFC_STORM));
        assertEquals(0, count(1, 3, PfcCounter.DROPPED_IN_STORM));
        assertEquals(waiting, router.count(ForwarderCounter.QUEUE_DROPPED));
        router.assertBalanced();
    }

    @Test
    void shouldDropInAStormUntilItIsOver()
    {
        open();
        pause(1, 3, 65_535);
        receive(3, 4);
        for (int i = 0; i < 30; i++)
        {
            advance(20_000_000);
            pause(1, 3, 65_535);
        }
        assertEquals(1, count(1, 3, PfcCounter.STORMS_DETECTED));
        assertEquals(4, router.report().get(DropReason.PFC_STORM));
        assertEquals(4, router.count(ForwarderCounter.FORWARDED), "never falls");
        assertEquals(4, router.count(ForwarderCounter.QUEUE_DROPPED));
        receive(3, 1);
        receive(4, 1);
        assertEquals(5, router.report().get(DropReason.PFC_STORM));
        assertEquals(List.of(4), priorities(router.sent(1)));
        for (int i = 0; i < 30; i++)
        {
            // Ends of pauses are no pauses: they keep no storm alive.
            advance(20_000_000);
            pause(1, 3, 0);
        }
        assertEquals(1, count(1, 3, PfcCounter.STORMS_RESTORED));
        assertEquals(5, count(1, 3, PfcCounter.DROPPED_IN_STORM));
        receive(3, 1);
        assertEquals(List.of(3), priorities(router.sent(1)));
        router.assertBalanced();
    }

    @Test
    void shouldSendInAStormWhereThatIsTheAction()
    {
        action = StormAction.FORWARD;
        open();
        pause(1, 3, 65_535);
        receive(3, 4);
        for (int i = 0; i < 30; i++)
        {
            advance(20_000_000);
            pause(1, 3, 65_535);
        }
        assertEquals(4, router.sent(1).size());
        assertEquals(0, router.report().dropped());
        router.assertBalanced();
    }

    @Test
    void shouldMarkWhatJoinsALongQueue()
    {
        ecn = new EcnSettings(1, 3 * FRAME, 3 * FRAME, 1);
        open();
        pause(1, 3, 65_535);
        for (int i = 0; i < 5; i++)
        {
            router.receive(0, frame(3, 2));
        }
        router.receive(0, frame(3, 0));
        router.run();
        pause(1, 3, 0);
        final List<byte[]> sent = router.sent(1);
        assertEquals(List.of(2, 2, 3, 3, 3, 0), sent.stream().map(frame -> frame[15] & 3).collect(Collectors.toList()));
        sent.forEach(frame -> assertEquals(0, TestFrame.checksumOf(frame, TestFrame.ETHERNET, 20)));
        advance(1_000_000);
        assertEquals(3, count(1, 3, PfcCounter.ECN_MARKED));
        router.assertBalanced();
    }

    /** Of 60 bytes, 239 frames are 20,076 bytes on the wire and 14,340 without what is between frames. */
    @ParameterizedTest
    @CsvSource({"60, 18000", "60, 19999", "576, 18000", "1000, 19999", "1514, 19999"})
    void shouldMarkBeforeTheFirstPauseWithFramesOfAnyLength(final int length, final int minBytes)
    {
        ecn = new EcnSettings(1, minBytes, minBytes, 1);
        link = new PfcLink("", 1, GBPS, 20_000, 2_000, 20_000, LINK.needed(), MacFlowControl.OFF);
        open();
        pause(1, 3, 65_535);
        int frames = 0;
        while (router.sent(0).isEmpty())
        {
            router.receive(0, TestFrame.ipv4().trafficClass(3 << 5 | 2).payload(length - 34).bytes());
            router.run();
            frames++;
        }
        assertEquals(20_000 / (length + 24) + 1, frames);
        assertEquals(frames - (minBytes + length + 23) / (length + 24) + 1, count(1, 3, PfcCounter.ECN_MARKED));
        pause(1, 3, 0);
        router.assertBalanced();
    }

    @Test
    void shouldObeyNobodyWithoutLosslessPriorities()
    {
        router = new RouterFixture();
        pause(1, 3, 65_535);
        receive(3, 1);
        assertEquals(1, router.sent(1).size());
        assertEquals(1, router.count(ForwarderCounter.PUNTED));
        assertEquals(0, LosslessReport.of(router.counters()).priorities());
        assertTrue(router.report().isBalanced());
    }

    private void open()
    {
        final PfcConfig config = new PfcConfig(
            1, 1 << 3 | 1 << 4, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), policy,
            PauseTimeLaw.DEFAULT, 0, 2, link, Map.of(), ecn, new WatchdogSettings(100, 200, 200, action));
        router = RouterFixture.lossless(config, 1);
        router.run();
    }

    private void pause(final int port, final int priority, final int quanta)
    {
        router.receive(port, TestFrame.hex(
            PFC_HEADER + String.format("%04x", 1 << priority) + "0000".repeat(priority) +
            String.format("%04x", quanta) + "0000".repeat(7 - priority) + "00".repeat(26)));
        router.run();
    }

    private void receive(final int priority, final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            router.receive(0, frame(priority, 0));
        }
        router.run();
    }

    private static byte[] frame(final int priority, final int ecn)
    {
        return TestFrame.ipv4().trafficClass(priority << 5 | ecn).payload(FRAME - 34).bytes();
    }

    private void advance(final long nanos)
    {
        router.clock.update(router.clock.nanoTime() + nanos);
        router.agent.doWork();
        router.run();
    }

    private long count(final int port, final int priority, final PfcCounter counter)
    {
        router.clock.update(router.clock.nanoTime() + 1_000_000);
        router.agent.doWork();
        return LosslessReport.of(router.counters()).get(port, priority, counter);
    }

    private static List<Integer> priorities(final List<byte[]> frames)
    {
        return frames.stream().map(frame -> (frame[15] & 0xFF) >> 5).collect(Collectors.toList());
    }

    private static String hex(final List<byte[]> frames)
    {
        assertEquals(1, frames.size());
        return HexFormat.of().formatHex(frames.get(0));
    }
}
