package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/**
 * C-DPTC, counter-based dynamic pause time control: above its one threshold it sends a pause of the length that
 * {@link PauseTimeLaw} computes. In the paper the pause ends by itself. The law is made for a queue at its threshold. A
 * queue that exceeds it by more than Pktdiff, as after a long duty cycle, gets the longest pause.
 * <p>
 * The law is not used for renewals: it divides by the frames that have arrived since the last pause, and a sender that
 * obeys sends none.
 */
final class CounterPolicy extends PausePolicy
{
    private final PauseTimeLaw law;
    private final long targetDifference;
    private final long[] arrivedAtLastPause = new long[MacControl.PRIORITIES];
    private final DrainRate[] rates = new DrainRate[MacControl.PRIORITIES];

    CounterPolicy(final PauseSettings settings, final PriorityBacklog backlog, final PauseOutput output)
    {
        super(settings, backlog, output);
        law = settings.law();
        targetDifference = settings.marks().xoffBytes() - settings.marks().xonBytes();
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            rates[priority] = new DrainRate(backlog, 1 << priority, settings.bitsPerSecond());
        }
    }

    @Override
    int firstQuanta(final int priority, final long nowNs)
    {
        final boolean isFarAbove =
            backlog().heldBytes(priority) > settings().marks().xoffBytes() + targetDifference;
        return isFarAbove ? PauseQuanta.MAX :
            law.quanta(targetDifference, 1, backlog().arrivedBytes(priority) - arrivedAtLastPause[priority]);
    }

    /** Measures the rate from the last pause. */
    @Override
    int quantaToDrain(final int priority, final long nowNs)
    {
        return rates[priority].quanta(backlog().heldBytes(priority) - settings().marks().xonBytes(), nowNs);
    }

    @Override
    void onPaused(final int priority, final long nowNs)
    {
        arrivedAtLastPause[priority] = backlog().arrivedBytes(priority);
        rates[priority].start(nowNs);
    }
}
