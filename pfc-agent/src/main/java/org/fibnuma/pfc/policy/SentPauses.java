package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/** What the peer of one port was told and has not forgotten yet, and when it has to be told again. */
final class SentPauses
{
    private final PauseOutput output;
    private final long bitsPerSecond;
    private final long marginNs;
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
        this.marginNs = settings.refreshMarginNs();
    }

    /** Whether the peer, as far as we know, still obeys a pause of a priority. */
    boolean isPaused(final int priority, final long nowNs)
    {
        return (paused & 1 << priority) != 0 && endNs[priority] - nowNs > 0;
    }

    /** Sends one priority's pause, or its end where the time is 0. */
    boolean send(final int priority, final int time, final long nowNs)
    {
        quanta[priority] = time;
        return send(1 << priority, nowNs);
    }

    /** Puts down the time of a priority for {@link #send(int, long)}. */
    void time(final int priority, final int time)
    {
        quanta[priority] = time;
    }

    /** Sends a frame that speaks of some priorities, with the times put down for them. */
    boolean send(final int priorities, final long nowNs)
    {
        if (!output.send(priorities, quanta, nowNs))
        {
            refused |= priorities;
            return false;
        }
        refused &= ~priorities;
        for (int rest = priorities; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            if (quanta[priority] == 0)
            {
                paused &= ~(1 << priority);
            }
            else
            {
                paused |= 1 << priority;
                endNs[priority] = nowNs + PauseQuanta.toNanos(quanta[priority], bitsPerSecond);
                // A pause shorter than the margin is not renewed before half of it is over.
                dueNs[priority] = Math.max(endNs[priority] - marginNs, nowNs + (endNs[priority] - nowNs) / 2);
            }
        }
        findFirstDue();
        return true;
    }

    /** Whether the last frame about some priority could not be sent. */
    boolean isRefused()
    {
        return refused != 0;
    }

    boolean isDue(final long nowNs)
    {
        return refused != 0 || paused != 0 && firstDueNs - nowNs <= 0;
    }

    /** Sends what was refused, renews what is due and still needed, and forgets what is over. */
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
                if (marginNs > 0 && policy.isAboveMark(priority))
                {
                    policy.pause(priority, nowNs);
                }
                else if (endNs[priority] - nowNs <= 0)
                {
                    paused &= ~(1 << priority);
                }
                else
                {
                    dueNs[priority] = Math.min(endNs[priority], nowNs + Math.max(1, marginNs / 8));
                }
            }
        }
        findFirstDue();
    }

    /** What was refused may be needed no longer, or the opposite of it. */
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
