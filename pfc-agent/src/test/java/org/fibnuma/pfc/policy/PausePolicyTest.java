package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The frames of each policy for arrivals and departures at 1 Gb/s, with times computed by hand. */
class PausePolicyTest
{
    private static final long GBPS = 1_000_000_000L;
    private static final long LONGEST_NS = 65_535L * 512;
    private static final int FRAME = 1000;

    private final List<String> sent = new ArrayList<>();
    private final PriorityBacklog backlog = new PriorityBacklog();
    private boolean isOutputOpen = true;
    private long now = -5_000_000;
    private PausePolicy policy;

    @Test
    void shouldPauseAboveTheHighMarkAndResumeAtTheLowOne()
    {
        policy = policy(PausePolicyKind.POOC);
        arrive(3, 10);
        assertEquals(List.of(), sent);
        arrive(3, 5);
        assertEquals(List.of("3:65535"), sent);
        leave(3, 12);
        assertEquals(List.of("3:65535"), sent);
        leave(3, 1);
        assertEquals(List.of("3:65535", "3:0"), sent);
        leave(3, 2);
        assertEquals(2, sent.size());
    }

    @Test
    void shouldRenewOnOffPausesAtHalfTheirTimeWhileAboveTheMark()
    {
        policy = policy(PausePolicyKind.POOC);
        arrive(3, 11);
        pass(LONGEST_NS / 2 - 1);
        assertEquals(1, sent.size());
        now++;
        policy.onTime(now);
        assertEquals(List.of("3:65535", "3:65535"), sent);
        leave(3, 2);
        pass(LONGEST_NS);
        assertEquals(2, sent.size(), "below the mark the pause runs out");
        leave(3, 8);
        assertEquals(2, sent.size(), "and needs no end");
        arrive(3, 10);
        assertEquals(3, sent.size());
    }

    @Test
    void shouldRenewAPauseAsSoonAsTheQueueIsAboveTheMarkAgainInItsSecondHalf()
    {
        policy = policy(PausePolicyKind.POOC);
        arrive(3, 11);
        leave(3, 1);
        pass(LONGEST_NS / 2);
        arrive(3, 1);
        policy.onTime(now + LONGEST_NS / 4 - 1);
        assertEquals(1, sent.size());
        policy.onTime(now + LONGEST_NS / 4);
        assertEquals(List.of("3:65535", "3:65535"), sent);
    }

    @Test
    void shouldTellAPriorityApartFromTheOthers()
    {
        policy = policy(PausePolicyKind.POOC);
        arrive(3, 10);
        arrive(4, 10);
        assertEquals(List.of(), sent);
        arrive(4, 1);
        assertEquals(List.of("4:65535"), sent);
    }

    @Test
    void shouldTryAgainWhereAFrameCouldNotBeSent()
    {
        policy = policy(PausePolicyKind.POOC);
        isOutputOpen = false;
        arrive(3, 11);
        isOutputOpen = true;
        assertEquals(List.of(), sent);
        arrive(3, 1);
        assertEquals(List.of("3:65535"), sent);
    }

    @Test
    void shouldSendInTimeWhatCouldNotBeSent()
    {
        policy = policy(PausePolicyKind.POOC);
        isOutputOpen = false;
        arrive(3, 11);
        policy.onTime(now);
        assertTrue(policy.owesPause());
        isOutputOpen = true;
        policy.onTime(now);
        assertEquals(List.of("3:65535"), sent);
        assertFalse(policy.owesPause());

        isOutputOpen = false;
        leave(3, 11);
        assertTrue(policy.owesPause());
        isOutputOpen = true;
        policy.onTime(now);
        assertEquals(List.of("3:65535", "3:0"), sent);
        assertFalse(policy.owesPause());
    }

    @Test
    void shouldForgetWhatCouldNotBeSentAndIsNeededNoLonger()
    {
        policy = policy(PausePolicyKind.POOC);
        isOutputOpen = false;
        arrive(3, 11);
        leave(3, 11);
        isOutputOpen = true;
        policy.onTime(now);
        assertEquals(List.of(), sent);
        assertFalse(policy.owesPause());
    }

    @Test
    void shouldComputeThePauseAndNeverResumeAsInThePaper()
    {
        // Pktdiff 8,000 bytes, 11,000 bytes have arrived: 7 * 8000^2 / (64 * 11000) = 636.
        policy = policy(PausePolicyKind.CDPTC, PauseUpkeep.PAPER, new PauseMarks(10_000, 2_000));
        arrive(3, 11);
        assertEquals(List.of("3:636"), sent);
        leave(3, 11);
        assertEquals(1, sent.size());
        pass(636 * 512);
        // 22,000 bytes more: half as long.
        arrive(3, 5);
        leave(3, 5);
        arrive(3, 6);
        leave(3, 6);
        arrive(3, 11);
        assertEquals(List.of("3:636", "3:318"), sent);
    }

    @Test
    void shouldRenewAComputedPauseWhereNothingDrains()
    {
        policy = policy(PausePolicyKind.CDPTC);
        arrive(3, 11);
        pass(636 * 512 / 2);
        assertEquals(List.of("3:636", "3:65535"), sent);
    }

    @Test
    void shouldRenewAComputedPauseForTheTimeToDrain()
    {
        policy = policy(PausePolicyKind.CDPTC);
        arrive(3, 25);
        now += 636 * 512 / 2;
        leave(3, 2);
        policy.onTime(now);
        // 2,000 bytes left in 162,816 ns, 21,000 are above the low mark: 1,709,568 ns.
        assertEquals(List.of("3:636", "3:3339"), sent);
        now += 3339 * 512 / 2;
        leave(3, 11);
        policy.onTime(now);
        // 11,000 bytes left in 854,784 ns, 10,000 are above the low mark: 777,076 ns, and the pause has more left.
        assertEquals(2, sent.size(), sent.toString());
        pass(3339 * 512 / 4);
        // Nothing more has left: 10,000 bytes need 1,165,614 ns.
        assertEquals(List.of("3:636", "3:3339", "3:2276"), sent);
    }

    /** A renewal lasts at least for twice the time in which the link fills the headroom of 32,000 bytes. */
    @Test
    void shouldRenewForLongerThanADutyCycleMayBeLate()
    {
        policy = policy(PausePolicyKind.CDPTC);
        arrive(3, 20);
        now += 636 * 512 / 2;
        leave(3, 5);
        policy.onTime(now);
        // 5,000 bytes left in 162,816 ns, 13,000 are above the low mark: 826 quanta.
        assertEquals(List.of("3:636", "3:1000"), sent);
    }

    @Test
    void shouldRenewThePauseOfAllLongQueuesForTheTimeToDrain()
    {
        policy = policy(PausePolicyKind.DRAIN);
        arrive(3, 10);
        leave(3, 5);
        now += 1_000_000;
        arrive(3, 6);
        arrive(3, 4);
        arrive(4, 6);
        now += 3906 * 512 / 2;
        leave(3, 3);
        policy.onTime(now);
        // 3,000 bytes left in 999,936 ns; 12,000 and 6,000 are held, 1,000 of each may remain.
        assertEquals(List.of("3:3906", "3:10416 4:10416"), sent);
    }

    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldEndAPauseAtTheLowMark(final PausePolicyKind kind)
    {
        policy = policy(kind);
        arrive(3, 11);
        assertEquals(1, sent.size());
        leave(3, 8);
        assertEquals(1, sent.size());
        leave(3, 1);
        assertEquals("3:0", sent.get(1));
        leave(3, 2);
        pass(LONGEST_NS);
        assertEquals(2, sent.size());
    }

    @Test
    void shouldNotStopAQueueAtTheLowMarkTogetherWithALongOne()
    {
        policy = policy(PausePolicyKind.DRAIN, PauseUpkeep.ROUTER, new PauseMarks(10_000, 8_000));
        arrive(4, 8);
        arrive(5, 9);
        arrive(3, 11);
        assertEquals(List.of("3:65535 5:65535"), sent);
    }

    @Test
    void shouldAskForTheLongestPauseFarAboveTheThreshold()
    {
        policy = policy(PausePolicyKind.CDPTC);
        isOutputOpen = false;
        arrive(3, 18);
        isOutputOpen = true;
        arrive(3, 1);
        assertEquals(List.of("3:65535"), sent);
    }

    @Test
    void shouldStopAllLongQueuesWithOneFrameUntilTheyAreDrained()
    {
        policy = policy(PausePolicyKind.DRAIN);
        arrive(3, 10);
        arrive(4, 6);
        arrive(5, 4);
        leave(3, 6);
        now += 1_000_000;
        arrive(3, 7);
        // 6,000 bytes left in a millisecond; 11,000 and 6,000 are held, 1,000 of each may remain: 15,000 take 2.5 ms.
        assertEquals(List.of("3:4882 4:4882"), sent);
    }

    @Test
    void shouldNotCountIdleTimeAsSlow()
    {
        policy = policy(PausePolicyKind.DRAIN);
        arrive(3, 1);
        leave(3, 1);
        now += 10_000_000_000L;
        arrive(3, 10);
        leave(3, 5);
        now += 1_000_000;
        arrive(3, 6);
        // 5,000 bytes in a millisecond, 10,000 too many.
        assertEquals(List.of("3:3906"), sent);
    }

    @Test
    void shouldStopForAsLongAsAFrameCanSayWhereNothingDrains()
    {
        policy = policy(PausePolicyKind.DRAIN);
        arrive(3, 10);
        now += 1_000_000;
        arrive(3, 1);
        assertEquals(List.of("3:65535"), sent);
        pass(LONGEST_NS / 2);
        assertEquals(List.of("3:65535", "3:65535"), sent);
    }

    private void arrive(final int priority, final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            backlog.onArrival(priority, FRAME);
            policy.onArrival(priority, now);
        }
    }

    private void leave(final int priority, final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            backlog.onDeparture(priority, FRAME);
            policy.onDeparture(priority, now);
        }
    }

    /** Lets nanoseconds pass until the next duty cycle. */
    private void pass(final long nanos)
    {
        now += nanos;
        policy.onTime(now);
    }

    private PausePolicy policy(final PausePolicyKind kind)
    {
        return policy(kind, PauseUpkeep.ROUTER, new PauseMarks(10_000, 2_000));
    }

    private PausePolicy policy(final PausePolicyKind kind, final PauseUpkeep upkeep, final PauseMarks marks)
    {
        return kind.create(
            new PauseSettings(0b111000, marks, 32_000, GBPS, upkeep, PauseTimeLaw.DEFAULT), backlog, this::record);
    }

    private boolean record(final int classEnable, final int[] quanta, final long nowNs)
    {
        if (isOutputOpen)
        {
            final List<String> parts = new ArrayList<>();
            for (int priority = 0; priority < 8; priority++)
            {
                if ((classEnable & 1 << priority) != 0)
                {
                    parts.add(priority + ":" + quanta[priority]);
                }
            }
            sent.add(String.join(" ", parts));
        }
        return isOutputOpen;
    }
}
