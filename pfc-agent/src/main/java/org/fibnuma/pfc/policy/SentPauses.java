package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/** The pauses sent to the peer of one port that have not ended, and the times at which to renew them. */
final class SentPauses
{
    private final PauseOutput output;
    private final long bitsPerSecond;
    private final boolean isRenewing;
    private final int[] quanta = new int[MacControl.PRIORITIES];
    private final long[] endNs = new long[MacControl.PRIORITIES];
    private final long[] dueNs = new long[MacControl.PRIORITIES];
    private int paused;
    private int refused;
    private long firstDueNs;

    SentPauses(final PauseSettings settings, final PauseOutput output)
    {
        this.output = output;
        this.bitsPerSecond = settings.bitsPerSecond();
        this.isRenewing = settings.upkeep() == PauseUpkeep.ROUTER;
    }

    /** Returns whether the last sent pause of a priority has not ended. */
    boolean isPaused(final int priority, final long nowNs)
    {
        return (paused & 1 << priority) != 0 && endNs[priority] - nowNs > 0;
    }

    /** Returns whether the pause of a priority lasts for some quanta from now on. */
    boolean lasts(final int priority, final int time, final long nowNs)
    {
        return endNs[priority] - nowNs >= PauseQuanta.toNanos(time, bitsPerSecond);
    }

    /** Sends a frame with one time for some priorities; time 0 ends their pauses. */
    boolean send(final int priorities, final int time, final long nowNs)
    {
        for (int rest = priorities; rest != 0; rest &= rest - 1)
        {
            quanta[Integer.numberOfTrailingZeros(rest)] = time;
        }
        if (!output.send(priorities, quanta, nowNs))
        {
            refused |= priorities;
            return false;
        }
        refused &= ~priorities;
        for (int rest = priorities; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            if (time == 0)
            {
                paused &= ~(1 << priority);
            }
            else
            {
                paused |= 1 << priority;
                endNs[priority] = nowNs + PauseQuanta.toNanos(time, bitsPerSecond);
                dueNs[priority] = halfTime(priority, nowNs);
            }
        }
        findFirstDue();
        return true;
    }

    /** Returns whether the last frame for some priority could not be sent. */
    boolean isRefused()
    {
        return refused != 0;
    }

    boolean isDue(final long nowNs)
    {
        return refused != 0 || paused != 0 && firstDueNs - nowNs <= 0;
    }

    /** Resends what was refused, renews pauses that are due and still needed, and removes those that have ended. */
    void onTime(final long nowNs, final PausePolicy policy)
    {
        if (refused != 0)
        {
            tryAgain(nowNs, policy);
        }
        for (int rest = paused; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            // Another priority's frame may have renewed this one.
            if (dueNs[priority] - nowNs <= 0)
            {
                if (isRenewing && policy.isAboveMark(priority) && policy.renew(priority, nowNs))
                {
                    continue;
                }
                if (endNs[priority] - nowNs <= 0)
                {
                    paused &= ~(1 << priority);
                }
                else
                {
                    dueNs[priority] = isRenewing ? halfTime(priority, nowNs) : endNs[priority];
                }
            }
        }
        findFirstDue();
    }

    /** Returns when half of the time from now to the end of a pause is over, later than now. */
    private long halfTime(final int priority, final long nowNs)
    {
        return nowNs + Math.max(1, (endNs[priority] - nowNs) / 2);
    }

    /** Decides again on what was refused: it may no longer be needed. */
    private void tryAgain(final long nowNs, final PausePolicy policy)
    {
        final int again = refused;
        refused = 0;
        for (int rest = again; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            policy.pauseAboveMark(priority, nowNs);
            policy.onDeparture(priority, nowNs);
        }
    }

    private void findFirstDue()
    {
        boolean found = false;
        for (int rest = paused; rest != 0; rest &= rest - 1)
        {
            final long due = dueNs[Integer.numberOfTrailingZeros(rest)];
            if (!found || due - firstDueNs < 0)
            {
                firstDueNs = due;
                found = true;
            }
        }
    }
}
