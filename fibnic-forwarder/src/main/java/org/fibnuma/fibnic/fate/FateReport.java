package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.status.CountersReader;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sums of the published counters of all workers at one moment, from this process or from a counters file. */
public final class FateReport
{
    private static final int ALL_WORKERS = -1;

    private final long[] counts = new long[ForwarderCounter.values().length];
    private final long[] drops = new long[DropReason.count()];
    private final Map<Integer, long[]> ports = new TreeMap<>();
    /** By port index; empty if the drops by port were not read. */
    private final List<long[]> portDrops = new ArrayList<>();

    private FateReport()
    {
    }

    /** Reads the published counters of a router. */
    public static FateReport of(final CountersReader counters)
    {
        return of(counters, ALL_WORKERS);
    }

    /**
     * Reads the published counters and drops by port of a router. The drops of a reason are the sum of those by port,
     * so that both agree while workers publish.
     */
    public static FateReport of(final CountersReader counters, final PortDrops portDrops)
    {
        final FateReport report = of(counters);
        Arrays.fill(report.drops, 0);
        for (int port = 0; port <= PortDrops.REPLACED; port++)
        {
            final long[] dropped = portDrops.get(port);
            report.portDrops.add(dropped);
            Arrays.setAll(report.drops, reason -> report.drops[reason] + dropped[reason]);
        }
        return report;
    }

    /** Reads the published counters of one worker, by its number from 0. */
    public static FateReport ofWorker(final CountersReader counters, final int worker)
    {
        return of(counters, worker);
    }

    private static FateReport of(final CountersReader counters, final int worker)
    {
        final FateReport report = new FateReport();
        counters.forEach((id, type, key, label) ->
        {
            if (worker != ALL_WORKERS && key.getInt(FateLayout.WORKER_OFFSET) != worker)
            {
                return;
            }
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

    /** Returns the sum of a counter over all workers. */
    public long get(final ForwarderCounter counter)
    {
        return counts[counter.id()];
    }

    /** Returns the number of frames that all workers dropped for a reason. */
    public long get(final DropReason reason)
    {
        return drops[reason.id()];
    }

    /** Returns the sum of a counter of a port, by its index, over all workers; 0 for a port without counters. */
    public long get(final int port, final PortTraffic traffic)
    {
        final long[] values = ports.get(port);
        return values == null ? 0 : values[traffic.id()];
    }

    /**
     * Returns the dropped frames that a port has received, by the id of the {@link DropReason}; only of a report that
     * was read with the drops by port.
     */
    public long[] portDrops(final int port)
    {
        return portDrops.get(port);
    }

    /** Returns the number of frames that all workers dropped for any reason. */
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
     * Returns whether every received frame is counted with a disposition.
     *
     * @return true if the workers are between two duty cycles and no frame is missing; false also while frames are
     *         processed.
     */
    public boolean isBalanced()
    {
        return get(ForwarderCounter.RECEIVED) + get(ForwarderCounter.QUEUE_DROPPED) ==
            get(ForwarderCounter.FORWARDED) + get(ForwarderCounter.PUNTED) + get(ForwarderCounter.CONSUMED) +
            get(ForwarderCounter.HELD) + dropped();
    }
}
