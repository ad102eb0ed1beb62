package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.policy.PauseOutput;
import org.fibnuma.pfc.quanta.PauseQuanta;

import java.util.IntSummaryStatistics;

/**
 * The sender at one input: stops while paused and counts the pauses. A pause takes effect one slot after it was sent.
 */
final class PausedSender implements PauseOutput
{
    private final long bitsPerSecond;
    private final long delayNs;
    private final long[] stoppedUntilNs = new long[InputQueues.CLASSES];
    private final IntSummaryStatistics pauseQuanta = new IntSummaryStatistics();
    private long frames;

    PausedSender(final long bitsPerSecond, final long delayNs)
    {
        this.bitsPerSecond = bitsPerSecond;
        this.delayNs = delayNs;
    }

    @Override
    public boolean send(final int classEnable, final int[] quanta, final long nowNs)
    {
        frames++;
        for (int rest = classEnable; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            final int time = quanta[priority];
            stoppedUntilNs[priority] = time == 0 ? nowNs : nowNs + delayNs + PauseQuanta.toNanos(time, bitsPerSecond);
            if (time != 0)
            {
                pauseQuanta.accept(time);
            }
        }
        return true;
    }

    boolean isStopped(final int priority, final long nowNs)
    {
        return stoppedUntilNs[priority] > nowNs;
    }

    long frames()
    {
        return frames;
    }

    /** Returns the times of all pauses in quanta, without ends of pauses. */
    IntSummaryStatistics pauseQuanta()
    {
        return pauseQuanta;
    }
}
