package org.fibnuma.fibnic.fate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Dropped frames by the port that received them and by reason. They are not in the counters file, which would have some
 * hundred counters more for each worker. A worker writes its own {@link Counts}; any thread reads the sums.
 */
public final class PortDrops
{
    private static final int REASONS = DropReason.count();
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

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
                sums[reason] += (long)VALUE.getAcquire(worker.values, port * REASONS + reason);
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
            final int index = port * REASONS + reason;
            VALUE.setRelease(values, index, values[index] + 1);
        }

        void begin(final int port)
        {
            for (int index = port * REASONS; index < (port + 1) * REASONS; index++)
            {
                VALUE.setRelease(values, index, 0L);
            }
        }
    }
}
