package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;

/**
 * POOC, pause on/off control (section 2 of the paper that {@link PauseTimeLaw} cites): above the high mark the longest
 * pause, at or below the low mark its end. A pause is renewed when half of it is over or later, if the queue is
 * above the mark then.
 */
final class OnOffPolicy extends PausePolicy
{
    OnOffPolicy(final PauseSettings settings, final PriorityBacklog backlog, final SentPauses sent)
    {
        super(settings, backlog, sent);
    }

    @Override
    public void onArrival(final int priority, final long nowNs)
    {
        pauseAboveMark(priority, nowNs);
    }

    @Override
    public void onDeparture(final int priority, final long nowNs)
    {
        if (backlog().heldBytes(priority) <= settings().marks().xonBytes() && sent().isPaused(priority, nowNs))
        {
            sent().send(priority, 0, nowNs);
        }
    }

    @Override
    void pause(final int priority, final long nowNs)
    {
        sent().send(priority, PauseQuanta.MAX, nowNs);
    }
}
