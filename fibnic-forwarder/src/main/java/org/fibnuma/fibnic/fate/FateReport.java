package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.status.CountersReader;

import java.util.Map;
import java.util.TreeMap;

/** The counters of all workers added up, as they were at one moment; from this process or another's counters file. */
public final class FateReport
{
    private final long[] counts = new long[ForwarderCounter.values().length];
    private final long[] drops = new long[DropReason.count()];
    private final Map<Integer, long[]> ports = new TreeMap<>();

    private FateReport()
    {
    }

    /**
     * Reads what the workers have published.
     *
     * @param counters that {@link FateCounters} were made in.
     * @return the sums over all workers.
     */
    public static FateReport of(final CountersReader counters)
    {
        final FateReport report = new FateReport();
        counters.forEach((id, type, key, label) ->
        {
            final long value = counters.getCounterValue(id);
            if (type >= FateLayout.FORWARDER_TYPE && type < FateLayout.FORWARDER_TYPE + report.counts.length)
            {
                report.counts[type - FateLayout.FORWARDER_TYPE] += value;
            }
            else if (type >= FateLayout.DROP_TYPE && type < FateLayout.DROP_TYPE + report.drops.length)
            {
                report.drops[type - FateLayout.DROP_TYPE] += value;
            }
            else if (type >= FateLayout.PORT_TYPE && type < FateLayout.PORT_TYPE + PortTraffic.values().length)
            {
                report.ports.computeIfAbsent(
                    key.getInt(FateLayout.PORT_OFFSET), port -> new long[PortTraffic.values().length])[
                    type - FateLayout.PORT_TYPE] += value;
            }
        });
        return report;
    }

    /**
     * A count.
     *
     * @param counter which.
     * @return its sum over all workers.
     */
    public long get(final ForwarderCounter counter)
    {
        return counts[counter.id()];
    }

    /**
     * Frames dropped for a reason.
     *
     * @param reason which.
     * @return the sum over all workers.
     */
    public long get(final DropReason reason)
    {
        return drops[reason.id()];
    }

    /**
     * What went through a port.
     *
     * @param port    its index.
     * @param traffic which way and unit.
     * @return the sum over all workers, 0 for a port that nobody counted.
     */
    public long get(final int port, final PortTraffic traffic)
    {
        final long[] values = ports.get(port);
        return values == null ? 0 : values[traffic.id()];
    }

    /**
     * Frames dropped for any reason.
     *
     * @return the sum over all workers.
     */
    public long dropped()
    {
        long sum = 0;
        for (final long count : drops)
        {
            sum += count;
        }
        return sum;
    }

    /**
     * Whether every received frame has a fate: true whenever the workers are between two duty cycles.
     *
     * @return false while frames are on their way, or where some got lost in the books.
     */
    public boolean isBalanced()
    {
        return get(ForwarderCounter.RECEIVED) ==
            get(ForwarderCounter.FORWARDED) + get(ForwarderCounter.PUNTED) + get(ForwarderCounter.CONSUMED) +
            get(ForwarderCounter.HELD) + dropped();
    }
}
