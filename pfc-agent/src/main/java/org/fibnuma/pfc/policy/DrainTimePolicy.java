package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/**
 * Sends one frame for all priorities that are about to need a pause. When a queue passes the high mark, the policy
 * pauses it and every other lossless queue of the port that is at least half as long as the mark, for
 * <pre>
 *  T = (bytes in these queues - half a low mark for each) / the rate at which the port's queues drained
 * </pre>
 * With N queues in step, one frame replaces the 2 N of POOC. While the sender is paused, all queues of the port drain
 * together, so the link is idle no longer than necessary; the remaining half marks keep the output busy until new
 * packets arrive. The rate is measured from the last frame or from the time when the port held nothing, whichever is
 * later, so that idle time does not lower it.
 */
final class DrainTimePolicy extends PausePolicy
{
    private final long[] departedAtStart = new long[MacControl.PRIORITIES];
    private long startNs;
    private boolean isStarted;

    DrainTimePolicy(final PauseSettings settings, final PriorityBacklog backlog, final SentPauses sent)
    {
        super(settings, backlog, sent);
    }

    @Override
    public void onArrival(final int priority, final long nowNs)
    {
        if (!isStarted)
        {
            start(nowNs);
        }
        pauseAboveMark(priority, nowNs);
    }

    @Override
    public void onDeparture(final int priority, final long nowNs)
    {
        if (backlog().heldBytes(priority) == 0 && held(settings().losslessPriorities()) == 0)
        {
            isStarted = false;
        }
    }

    @Override
    void pause(final int priority, final long nowNs)
    {
        final int together = longQueues() | 1 << priority;
        final int quanta = quantaToDrain(together, nowNs);
        for (int rest = together; rest != 0; rest &= rest - 1)
        {
            sent().time(Integer.numberOfTrailingZeros(rest), quanta);
        }
        if (sent().send(together, nowNs))
        {
            start(nowNs);
        }
    }

    private int quantaToDrain(final int priorities, final long nowNs)
    {
        long departed = 0;
        for (int rest = settings().losslessPriorities(); rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            departed += backlog().departedBytes(priority) - departedAtStart[priority];
        }
        final long excess = held(priorities) - Integer.bitCount(priorities) * settings().marks().xonBytes() / 2;
        final double nanos = excess * (double)(nowNs - startNs) / Math.max(1, departed);
        return (int)Math.max(
            1, Math.min(PauseQuanta.MAX, nanos / PauseQuanta.nanosPerQuantum(settings().bitsPerSecond())));
    }

    private int longQueues()
    {
        int longQueues = 0;
        for (int rest = settings().losslessPriorities(); rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            longQueues |= 2 * backlog().heldBytes(priority) >= settings().marks().xoffBytes() ? 1 << priority : 0;
        }
        return longQueues;
    }

    private long held(final int priorities)
    {
        long held = 0;
        for (int rest = priorities; rest != 0; rest &= rest - 1)
        {
            held += backlog().heldBytes(Integer.numberOfTrailingZeros(rest));
        }
        return held;
    }

    private void start(final long nowNs)
    {
        isStarted = true;
        startNs = nowNs;
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            departedAtStart[priority] = backlog().departedBytes(priority);
        }
    }
}
