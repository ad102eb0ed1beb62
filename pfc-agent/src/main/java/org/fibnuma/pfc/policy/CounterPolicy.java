package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/**
 * C-DPTC, counter-based dynamic pause time control: above the one threshold a pause as long as {@link PauseTimeLaw}
 * says, which ends by itself. What the paper does not say: an arrival above the threshold after the end of a pause
 * brings the next one, and a queue that is still above it when its pause is about to end has it renewed, without which
 * a queue that does not drain at all would overflow. The law is for a queue at its threshold: one that is longer by
 * more than Pktdiff, as after a time in which nobody looked, gets the longest pause, however many packets have come.
 */
final class CounterPolicy extends PausePolicy
{
    private final PauseTimeLaw law;
    private final long targetDifference;
    private final long[] arrivedAtLastPause = new long[MacControl.PRIORITIES];

    CounterPolicy(final PauseSettings settings, final PriorityBacklog backlog, final SentPauses sent)
    {
        super(settings, backlog, sent);
        law = settings.law();
        targetDifference = settings.marks().xoffBytes() - settings.marks().xonBytes();
    }

    @Override
    public void onArrival(final int priority, final long nowNs)
    {
        pauseAboveMark(priority, nowNs);
    }

    @Override
    public void onDeparture(final int priority, final long nowNs)
    {
        // The pause ends by itself.
    }

    @Override
    void pause(final int priority, final long nowNs)
    {
        final long arrived = backlog().arrivedBytes(priority);
        final boolean isFarAbove =
            backlog().heldBytes(priority) > settings().marks().xoffBytes() + targetDifference;
        final int quanta = isFarAbove ? PauseQuanta.MAX :
            law.quanta(targetDifference, 1, arrived - arrivedAtLastPause[priority]);
        if (sent().send(priority, quanta, nowNs))
        {
            arrivedAtLastPause[priority] = arrived;
        }
    }
}
