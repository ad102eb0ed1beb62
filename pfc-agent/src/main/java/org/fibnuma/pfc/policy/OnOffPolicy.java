package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;

/**
 * POOC, pause on/off control (section 2 of the paper that {@link PauseTimeLaw} cites): above the high mark the longest
 * pause, at or below the low mark its end. Renewals are the longest pause too, since the low mark ends them.
 */
final class OnOffPolicy extends PausePolicy
{
    OnOffPolicy(final PauseSettings settings, final PriorityBacklog backlog, final PauseOutput output)
    {
        super(settings, backlog, output);
    }

    @Override
    int firstQuanta(final int priority, final long nowNs)
    {
        return PauseQuanta.MAX;
    }

    @Override
    int quantaToDrain(final int priority, final long nowNs)
    {
        return PauseQuanta.MAX;
    }

    @Override
    void onPaused(final int priority, final long nowNs)
    {
        // The time does not depend on earlier pauses.
    }

    @Override
    boolean endsPauses()
    {
        return true;
    }
}
