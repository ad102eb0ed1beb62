package org.fibnuma.fibnic.fate;

import java.util.Arrays;

/**
 * Dropped frames by the port that received them and by reason. They are not in the counters file, which would have some
 * hundred counters more for each worker. A worker writes its own {@link Counts}, without ordering; a thread that has
 * read a {@link FateReport} before reads at least the drops that the report has.
 */
public final class PortDrops
{
    private static final int REASONS = DropReason.count();

    private final Counts[] workers;

    /** Creates the counters of a router, all 0. */
    public PortDrops(final int workerCount)
    {
        workers = new Counts[workerCount];
        for (int worker = 0; worker < workerCount; worker++)
        {
            workers[worker] = new Counts();
        }
    }

    /** Returns the counts of one worker. */
    public Counts ofWorker(final int worker)
    {
        return workers[worker];
    }

    /**
     * Returns the number of dropped frames by the id of the {@link DropReason}.
     *
     * @param port index of the port that received them, from 0.
     * @return sums over the workers since the start or since the port has had the index.
     */
    public long[] get(final int port)
    {
        final long[] sums = new long[REASONS];
        for (final Counts worker : workers)
        {
            for (int reason = 0; reason < REASONS; reason++)
            {
                sums[reason] += worker.values[port * REASONS + reason];
            }
        }
        return sums;
    }

    /** The counts of one worker, whose thread writes. */
    public static final class Counts
    {
        private final long[] values = new long[FateCounters.MAX_PORTS * REASONS];

        private Counts()
        {
        }

        void dropped(final int port, final int reason)
        {
            values[port * REASONS + reason]++;
        }

        void begin(final int port)
        {
            Arrays.fill(values, port * REASONS, (port + 1) * REASONS, 0);
        }
    }
}
