package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.config.EcnSettings;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Headroom as the calculator has it against senders at the rate of a link of 10 Gb/s over 100 m, into an egress that is
 * stopped at random; the router looks every 20 us.
 */
class LosslessHeadroomTest
{
    private static final long SPEED = 10_000_000_000L;
    private static final int PRIORITY = 3;
    private static final int EGRESS = 1;
    private static final long POLL_NS = 20_000;
    private static final double CABLE_NS = 100 / 198_000_000.0 * 1e9;
    /** 67 quanta of 51.2 ns: what the standard leaves a peer. */
    private static final double LONGEST_REACTION_NS = 67 * 51.2;
    private static final int STEPS = 20_000;
    private static final long XOFF = 28_000;
    private static final Headroom HEADROOM = HeadroomModel.OWN.compute(
        new HeadroomRequest(SPEED).cableMeters(100).mtu(1500).pollNanos(POLL_NS).ringFrames(64));

    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldBeEnoughForASenderAsSlowAsTheStandardAllows(final PausePolicyKind policy)
    {
        try (RouterFixture router = router(2, policy, null))
        {
            run(router, LONGEST_REACTION_NS, List.of(0));
            assertEquals(0, router.report().dropped());
            final long highWater = count(router, 0, PfcCounter.HEADROOM_HIGH_WATER);
            assertTrue(highWater > 0 && highWater <= HEADROOM.xoff(), highWater + " of " + HEADROOM.xoff());
            assertTrue(count(router, 0, PfcCounter.XOFF_TX) > 20);
            final long senderNs = count(router, 0, PfcCounter.PAUSED_TX_NS);
            final long egressNs = count(router, EGRESS, PfcCounter.PAUSED_RX_NS);
            assertTrue(senderNs > 0 && senderNs <= 1.01 * egressNs, senderNs + " of " + egressNs + " ns");
        }
    }

    @Test
    void shouldBeUsedUpBeforeAnythingOfASlowerSenderIsDropped()
    {
        try (RouterFixture router = router(2, PausePolicyKind.POOC, null))
        {
            run(router, 1e6, List.of(0));
            final long dropped = router.report().get(DropReason.PFC_BEYOND_HEADROOM);
            assertTrue(dropped > 0);
            assertEquals(dropped, router.report().dropped());
            assertEquals(HEADROOM.xoff(), count(router, 0, PfcCounter.HEADROOM_HIGH_WATER), 1538.0);
        }
    }

    /** The case of the DCQCN overview: marking that starts at half of the buffer comes too late for two ports. */
    @ParameterizedTest
    @CsvSource({"50, false", "10, true"})
    void shouldMarkBeforePfcOnlyWhereMarkingStartsInTime(final int percentOfBuffer, final boolean isMarked)
    {
        final long buffer = 3 * (XOFF + HEADROOM.xoff());
        final long start = buffer * percentOfBuffer / 100;
        try (RouterFixture router = router(3, PausePolicyKind.POOC, new EcnSettings(1, start, start, 1)))
        {
            run(router, LONGEST_REACTION_NS, List.of(0, 2));
            assertEquals(0, router.report().dropped());
            assertTrue(count(router, 0, PfcCounter.XOFF_TX) > 0);
            assertTrue(count(router, 2, PfcCounter.XOFF_TX) > 0);
            assertEquals(isMarked, count(router, EGRESS, PfcCounter.ECN_MARKED) > 0);
        }
    }

    private static RouterFixture router(final int ports, final PausePolicyKind policy, final EcnSettings ecn)
    {
        return RouterFixture.lossless(ports, new PfcConfig(
            1, 1 << PRIORITY, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), policy,
            PauseTimeLaw.DEFAULT, 0, ports,
            new PfcLink("", 1, SPEED, XOFF, XOFF / 9, HEADROOM.xoff(), HEADROOM, MacFlowControl.OFF), Map.of(), ecn,
            null), 1);
    }

    private static void run(final RouterFixture router, final double reactionNs, final List<Integer> ingress)
    {
        final List<ObeyingSender> senders = new ArrayList<>();
        ingress.forEach(port -> senders.add(
            new ObeyingSender(router, port, PRIORITY, SPEED, CABLE_NS, reactionNs)));
        final SplittableRandom random = new SplittableRandom(7);
        boolean isStopped = false;
        for (int step = 1; step <= STEPS; step++)
        {
            final double nowNs = (double)step * POLL_NS;
            router.clock.advance(POLL_NS);
            if (random.nextInt(isStopped ? 20 : 5) == 0)
            {
                isStopped = !isStopped;
                egressPause(router, isStopped ? 0xFFFF : 0);
            }
            for (final ObeyingSender sender : senders)
            {
                sender.deliver(nowNs);
            }
            router.run();
            router.sent(EGRESS);
            for (final ObeyingSender sender : senders)
            {
                sender.receive(nowNs);
            }
        }
        egressPause(router, 0);
        router.run();
        router.assertBalanced();
    }

    private static void egressPause(final RouterFixture router, final int quanta)
    {
        router.receive(EGRESS, TestFrame.hex("0180c2000001" + "020000000201" + "8808" + "0101" + "0008" +
            "0000".repeat(3) + String.format("%04x", quanta) + "0000".repeat(4) + "00".repeat(26)));
    }

    private static long count(final RouterFixture router, final int port, final PfcCounter counter)
    {
        router.clock.advance(1_000_000);
        router.agent.doWork();
        return LosslessReport.of(router.counters()).get(port, PRIORITY, counter);
    }
}
