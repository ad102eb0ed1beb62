package org.fibnuma.fibnic.lossless;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PfcCounters;

import java.util.TreeMap;

/** The lossless priorities of all ports as their worker has published them. */
public final class LosslessReport
{
    private final TreeMap<Integer, PfcCounters> ports = new TreeMap<>();
    private int priorities;

    private LosslessReport()
    {
    }

    /**
     * Reads what was published.
     *
     * @param counters that {@link LosslessCounters} were made in.
     * @return nothing in it where no priority is lossless.
     */
    public static LosslessReport of(final CountersReader counters)
    {
        final LosslessReport report = new LosslessReport();
        counters.forEach((id, type, key, label) ->
        {
            if (type >= LosslessCounters.TYPE && type < LosslessCounters.TYPE + PfcCounter.count())
            {
                final int priority = key.getInt(LosslessCounters.PRIORITY_OFFSET);
                report.priorities |= 1 << priority;
                final int port = key.getInt(LosslessCounters.PORT_OFFSET);
                report.ports.computeIfAbsent(port, index -> new PfcCounters()).set(
                    priority, PfcCounter.of(type - LosslessCounters.TYPE), counters.getCounterValue(id));
            }
        });
        return report;
    }

    /**
     * Which priorities are lossless.
     *
     * @return bit n for priority n.
     */
    public int priorities()
    {
        return priorities;
    }

    /**
     * Whether the watchdog sees a storm of pauses.
     *
     * @param port     its index.
     * @param priority lossless.
     * @return true from its detection to its end.
     */
    public boolean isStorm(final int port, final int priority)
    {
        return get(port, priority, PfcCounter.STORMS_DETECTED) > get(port, priority, PfcCounter.STORMS_RESTORED);
    }

    /**
     * A count.
     *
     * @param port     its index.
     * @param priority lossless.
     * @param counter  which.
     * @return its value, 0 where nobody counts.
     */
    public long get(final int port, final int priority, final PfcCounter counter)
    {
        final PfcCounters counters = ports.get(port);
        return counters == null ? 0 : counters.get(priority, counter);
    }
}
