package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.priority.PriorityBacklog;
import org.fibnuma.pfc.quanta.PauseQuanta;

/**
 * Measures the rate at which queues of one port drain, and gives the time that they need at this rate. The time is
 * {@code bytes to drain * (now - start) / bytes that left since the start}. If nothing has left, the egress shows no
 * rate, and the time is the longest that a frame can contain.
 */
final class DrainRate
{
    private final PriorityBacklog backlog;
    private final int priorities;
    private final double nanosPerQuantum;
    private long startNs;
    private long departedAtStart;

    /** Measures the queues of some priorities together; bit n for priority n. */
    DrainRate(final PriorityBacklog backlog, final int priorities, final long bitsPerSecond)
    {
        this.backlog = backlog;
        this.priorities = priorities;
        this.nanosPerQuantum = PauseQuanta.nanosPerQuantum(bitsPerSecond);
    }

    void start(final long nowNs)
    {
        startNs = nowNs;
        departedAtStart = departedBytes();
    }

    /** Returns the quanta in which some bytes drain, 1 to 65,535. */
    int quanta(final long bytes, final long nowNs)
    {
        final long departed = departedBytes() - departedAtStart;
        final double quanta = departed == 0 ? PauseQuanta.MAX :
            bytes * (double)(nowNs - startNs) / departed / nanosPerQuantum;
        return (int)Math.max(1, Math.min(PauseQuanta.MAX, quanta));
    }

    private long departedBytes()
    {
        long departed = 0;
        for (int rest = priorities; rest != 0; rest &= rest - 1)
        {
            departed += backlog.departedBytes(Integer.numberOfTrailingZeros(rest));
        }
        return departed;
    }
}
