package org.fibnuma.fibnic.lossless;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PfcCounters;

import java.util.TreeMap;

/** The published counters of all ports and priorities of a lossless router, at one moment. */
public final class LosslessReport
{
    private final TreeMap<Integer, PfcCounters> ports = new TreeMap<>();
    private int priorities;

    private LosslessReport()
    {
    }

    /** Reads the published counters of a router; the report is empty if no priority is lossless. */
    public static LosslessReport of(final CountersReader counters)
    {
        final LosslessReport report = new LosslessReport();
        counters.forEach((id, type, key, label) ->
        {
            if (type >= LosslessCounters.TYPE && type < LosslessCounters.TYPE + PfcCounter.count())
            {
                final int priority = key.getInt(LosslessCounters.PRIORITY_OFFSET);
                final PfcCounter counter = PfcCounter.of(type - LosslessCounters.TYPE);
                report.priorities |= counter.isOf(true) ? 1 << priority : 0;
                final int port = key.getInt(LosslessCounters.PORT_OFFSET);
                report.ports.computeIfAbsent(port, index -> new PfcCounters()).set(
                    priority, counter, counters.getCounterValue(id));
            }
        });
        return report;
    }

    /** Returns the lossless priorities, bit n for priority n. */
    public int priorities()
    {
        return priorities;
    }

    /**
     * Returns whether the watchdog has detected a storm of PFC pauses that has not ended.
     *
     * @param port     index of the port in configuration order, from 0.
     * @param priority lossless priority, 0 to 7.
     */
    public boolean isStorm(final int port, final int priority)
    {
        return get(port, priority, PfcCounter.STORMS_DETECTED) > get(port, priority, PfcCounter.STORMS_RESTORED);
    }

    /**
     * Returns the value of a counter, 0 if it is not published.
     *
     * @param port     index of the port in configuration order, from 0.
     * @param priority 0 to 7.
     */
    public long get(final int port, final int priority, final PfcCounter counter)
    {
        final PfcCounters counters = ports.get(port);
        return counters == null ? 0 : counters.get(priority, counter);
    }
}
