package org.fibnuma.pfc.dcqcn;

import org.fibnuma.pfc.ecn.EcnProfile;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Closed forms of the algorithm's recurrences, and two flows that share a link. */
class ReactionPointTest
{
    private static final double LINE = 40e9;
    private static final DcqcnParameters PAPER = DcqcnParameters.PAPER;
    private static final double G = 1.0 / 256;
    private static final long MICROS = 1_000;

    @Test
    void shouldSendAtLineRateUntilTheFirstNotification()
    {
        final ReactionPoint flow = new ReactionPoint(PAPER, LINE);
        flow.onSent(1L << 40);
        flow.onTime(Long.MAX_VALUE);
        assertEquals(LINE, flow.rate());
        assertEquals(Long.MAX_VALUE, flow.deadlineNs());
    }

    @Test
    void shouldCutByHalfOfAlphaAndRecoverToTheRateBefore()
    {
        final ReactionPoint flow = new ReactionPoint(PAPER, LINE);
        flow.onNotification(0);
        assertEquals(LINE / 2, flow.rate());
        assertEquals(LINE, flow.targetRate());
        for (int stage = 1; stage < 5; stage++)
        {
            flow.onTime(stage * 55 * MICROS);
            assertEquals(LINE - LINE / 2 / (1 << stage), flow.rate(), 1, "stage " + stage);
        }
    }

    @Test
    void shouldLowerAlphaAsAPowerOfTime()
    {
        final ReactionPoint flow = new ReactionPoint(PAPER, LINE);
        flow.onNotification(0);
        flow.onTime(100 * 55 * MICROS);
        assertEquals(Math.pow(1 - G, 100), flow.alpha(), 1e-12);
    }

    @Test
    void shouldRaiseAlphaAsAPowerOfNotifications()
    {
        final ReactionPoint flow = new ReactionPoint(PAPER, LINE);
        flow.onNotification(0);
        flow.onTime(200 * 55 * MICROS);
        final double start = flow.alpha();
        for (int i = 1; i <= 50; i++)
        {
            flow.onNotification(200 * 55 * MICROS + i);
        }
        assertEquals(1 - (1 - start) * Math.pow(1 - G, 50), flow.alpha(), 1e-12);
    }

    @Test
    void shouldCutWithAlphaBeforeAlphaRises()
    {
        final ReactionPoint flow = new ReactionPoint(PAPER, LINE);
        flow.onNotification(0);
        // alpha starts at 1 and falls to (1 - g)^20.
        flow.onTime(20 * 55 * MICROS);
        final double before = flow.rate();
        final double alpha = Math.pow(1 - G, 20);
        flow.onNotification(20 * 55 * MICROS);
        assertEquals(before * (1 - alpha / 2), flow.rate(), 1);
        assertEquals((1 - G) * alpha + G, flow.alpha(), 1e-12);
    }

    @Test
    void shouldGoFromRecoveryToAdditiveToHyperIncrease()
    {
        final DcqcnParameters parameters = new DcqcnParameters(
            G, 50 * MICROS, 55 * MICROS, 55 * MICROS, 1_000, 2, 10e6, 100e6, 1e6, PAPER.marking());
        final ReactionPoint flow = new ReactionPoint(parameters, 1e9);
        flow.onNotification(0);
        flow.onNotification(0);
        assertEquals(500e6, flow.targetRate());
        flow.onTime(55 * MICROS);
        assertEquals(500e6, flow.targetRate(), 1, "fast recovery: stage 1 of the timer is below F = 2");
        flow.onTime(2 * 55 * MICROS);
        assertEquals(510e6, flow.targetRate(), 1, "additive");
        flow.onSent(999);
        assertEquals(510e6, flow.targetRate(), 1, "not a stage yet");
        flow.onSent(1);
        assertEquals(520e6, flow.targetRate(), 1, "additive, by bytes");
        flow.onSent(1_000);
        flow.onTime(3 * 55 * MICROS);
        assertEquals(540e6, flow.targetRate(), 1, "stages 3 and 2: additive still");
        flow.onSent(1_000);
        assertEquals(640e6, flow.targetRate(), 1, "stages 3 and 3: hyper");
        flow.onSent(1_000_000);
        assertEquals(1e9, flow.targetRate(), 1, "not above the line");
    }

    @Test
    void shouldNotGoBelowTheLowestRate()
    {
        final ReactionPoint flow = new ReactionPoint(PAPER, LINE);
        for (int i = 0; i < 100; i++)
        {
            flow.onNotification(i);
        }
        assertEquals(10e6, flow.rate());
    }

    @Test
    void shouldNotifyOnceInAnInterval()
    {
        final NotificationPoint receiver = new NotificationPoint(PAPER);
        assertTrue(receiver.onMarked(-7));
        assertFalse(receiver.onMarked(-7 + 49_999));
        assertTrue(receiver.onMarked(-7 + 50_000));
        assertFalse(receiver.onMarked(-7 + 99_999));
        assertTrue(receiver.onMarked(10_000_000));
    }

    @Test
    void shouldHaveTheNamedParameters()
    {
        assertEquals(new EcnProfile(5_000, 200_000, 0.01), DcqcnParameters.PAPER.marking());
        assertEquals(new EcnProfile(41_200, 1_030_000, 1), DcqcnParameters.NS3_RDMA.marking());
        assertEquals(300_000_000, DcqcnParameters.NS3_RDMA.byteCounter());
        assertEquals(60_000, DcqcnParameters.NS3_RDMA.rateTimerNs());
        assertEquals(200e6, DcqcnParameters.NS3_RDMA.hyperIncrease());
    }

    @Test
    void shouldLetTwoFlowsSettleAtHalfEach()
    {
        final SharedLink link = new SharedLink(PAPER, LINE, 2);
        // The second starts 20 ms later, also at line rate.
        link.run(0, 20_000, 1);
        link.run(20_000, 300_000, 2);
        final double[] shares = link.run(300_000, 500_000, 2);
        assertEquals(0.5, shares[0], 0.05);
        assertEquals(0.5, shares[1], 0.05);
    }

    /** A link with one queue, in steps of 1 us, with marking and notifications. */
    private static final class SharedLink
    {
        private static final int PACKET_BYTES = 1000;
        private final Random random = new Random(5);
        private final double lineRate;
        private final EcnProfile marking;
        private final ReactionPoint[] senders;
        private final NotificationPoint[] receivers;
        private final double[] credit;
        private double queueBytes;

        SharedLink(final DcqcnParameters parameters, final double lineRate, final int flows)
        {
            this.lineRate = lineRate;
            marking = parameters.marking();
            senders = new ReactionPoint[flows];
            receivers = new NotificationPoint[flows];
            credit = new double[flows];
            for (int i = 0; i < flows; i++)
            {
                senders[i] = new ReactionPoint(parameters, lineRate);
                receivers[i] = new NotificationPoint(parameters);
            }
        }

        /** Runs for a time in microseconds; returns the share of the link that each flow used. */
        double[] run(final int from, final int to, final int flows)
        {
            final double[] sent = new double[flows];
            for (int micros = from; micros < to; micros++)
            {
                queueBytes = Math.max(0, queueBytes - lineRate / 8e6);
                for (int i = 0; i < flows; i++)
                {
                    senders[i].onTime(micros * MICROS);
                    credit[i] += senders[i].rate() / 8e6;
                    while (credit[i] >= PACKET_BYTES)
                    {
                        credit[i] -= PACKET_BYTES;
                        sent[i] += PACKET_BYTES;
                        queueBytes += PACKET_BYTES;
                        senders[i].onSent(PACKET_BYTES);
                        if (random.nextDouble() < marking.probability((long)queueBytes) &&
                            receivers[i].onMarked(micros * MICROS))
                        {
                            senders[i].onNotification(micros * MICROS);
                        }
                    }
                }
            }
            for (int i = 0; i < flows; i++)
            {
                sent[i] /= lineRate / 8e6 * (to - from);
            }
            return sent;
        }
    }
}
