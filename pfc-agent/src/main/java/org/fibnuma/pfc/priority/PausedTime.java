package org.fibnuma.pfc.priority;

import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;

/**
 * The priorities of one link that are paused in one direction, and how long each has been paused. A renewed pause does
 * not count twice. For one thread; times {@code nowNs} are from one monotonic clock. Priorities are 0 to 7.
 */
public final class PausedTime
{
    private final long bitsPerSecond;
    private final long[] startNs = new long[MacControl.PRIORITIES];
    private final long[] endNs = new long[MacControl.PRIORITIES];
    private final long[] totalNs = new long[MacControl.PRIORITIES];
    private final long[] transitions = new long[MacControl.PRIORITIES];
    private int stopped;

    /** Starts with no priority paused; the speed of the link gives the duration of a quantum. */
    public PausedTime(final long bitsPerSecond)
    {
        this.bitsPerSecond = bitsPerSecond;
    }

    /**
     * Records a received or sent pause, which replaces the earlier one of the priority.
     *
     * @param quanta 0 to 65,535; 0 ends the pause.
     * @param nowNs  when it took effect.
     */
    public void onPause(final int priority, final int quanta, final long nowNs)
    {
        settle(nowNs);
        final int bit = 1 << priority;
        if (quanta == 0)
        {
            totalNs[priority] += (stopped & bit) != 0 ? nowNs - startNs[priority] : 0;
            stopped &= ~bit;
            endNs[priority] = nowNs;
            return;
        }
        if ((stopped & bit) == 0)
        {
            stopped |= bit;
            startNs[priority] = nowNs;
            transitions[priority]++;
        }
        endNs[priority] = nowNs + PauseQuanta.toNanos(quanta, bitsPerSecond);
    }

    /** {@return the paused priorities, bit n for priority n} */
    public int stopped(final long nowNs)
    {
        if (stopped != 0)
        {
            settle(nowNs);
        }
        return stopped;
    }

    /** {@return when the last pause of a priority ends or ended; undefined before the first pause} */
    public long endNs(final int priority)
    {
        return endNs[priority];
    }

    /** {@return how long a priority has been paused since the start, in nanoseconds up to now} */
    public long totalNs(final int priority, final long nowNs)
    {
        settle(nowNs);
        return totalNs[priority] + ((stopped & 1 << priority) != 0 ? nowNs - startNs[priority] : 0);
    }

    /** {@return how often a priority changed from not paused to paused} */
    public long transitions(final int priority)
    {
        return transitions[priority];
    }

    private void settle(final long nowNs)
    {
        for (int rest = stopped; rest != 0; rest &= rest - 1)
        {
            final int priority = Integer.numberOfTrailingZeros(rest);
            if (endNs[priority] - nowNs <= 0)
            {
                totalNs[priority] += endNs[priority] - startNs[priority];
                stopped &= ~(1 << priority);
            }
        }
    }
}
