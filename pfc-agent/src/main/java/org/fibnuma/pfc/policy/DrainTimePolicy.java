package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;

/**
 * Sends one frame for all priorities that are about to need a pause. When a queue passes the high mark, the policy
 * pauses it and the other long lossless queues of the port. A queue is long from half of the high mark on, if it is
 * above the low mark. The pause is the time in which they drain to half a low mark each, at the rate at which the
 * port's queues drained.
 * <p>
 * With N queues in step, one frame replaces N of POOC. While the sender is paused, all queues of the port drain
 * together, so the link is idle no longer than necessary. The remaining half marks keep the output busy until new
 * packets arrive. The rate is measured from the last pause or from the time when the port held nothing, whichever is
 * later, so that idle time does not lower it.
 */
final class DrainTimePolicy extends PausePolicy
{
    private final DrainRate rate;
    private boolean isStarted;

    DrainTimePolicy(final PauseSettings settings, final PriorityBacklog backlog, final PauseOutput output)
    {
        super(settings, backlog, output);
        rate = new DrainRate(backlog, settings.losslessPriorities(), settings.bitsPerSecond());
    }

    @Override
    public void onArrival(final int priority, final long nowNs)
    {
        if (!isStarted)
        {
            isStarted = true;
            rate.start(nowNs);
        }
        super.onArrival(priority, nowNs);
    }

    @Override
    public void onDeparture(final int priority, final long nowNs)
    {
        if (backlog().heldBytes(priority) == 0 && held(settings().losslessPriorities()) == 0)
        {
            isStarted = false;
        }
        super.onDeparture(priority, nowNs);
    }

    @Override
    int firstQuanta(final int priority, final long nowNs)
    {
        return quantaToDrain(priority, nowNs);
    }

    @Override
    int quantaToDrain(final int priority, final long nowNs)
    {
        final int together = together(priority);
        return rate.quanta(held(together) - Integer.bitCount(together) * settings().marks().xonBytes() / 2, nowNs);
    }

    @Override
    void onPaused(final int priority, final long nowNs)
    {
        isStarted = true;
        rate.start(nowNs);
    }

    @Override
    int together(final int priority)
    {
        int together = 1 << priority;
        for (int rest = settings().losslessPriorities(); rest != 0; rest &= rest - 1)
        {
            final int other = Integer.numberOfTrailingZeros(rest);
            final long held = backlog().heldBytes(other);
            together |=
                2 * held >= settings().marks().xoffBytes() && held > settings().marks().xonBytes() ? 1 << other : 0;
        }
        return together;
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
}
