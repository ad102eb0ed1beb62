package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/**
 * C-DPTC, counter-based dynamic pause time control: above its one threshold it sends a pause of the length that
 * {@link PauseTimeLaw} computes, which ends by itself. Beyond the paper: an arrival above the threshold after the end
 * of a pause sends the next one, and if the queue is still above the threshold when half of its pause is over, the
 * pause is renewed; otherwise a queue that does not drain would overflow. The law is made for a queue at its threshold:
 * a queue that exceeds it by more than Pktdiff, as after a long duty cycle, gets the longest pause.
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
