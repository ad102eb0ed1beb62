package org.fibnuma.fibnic.fate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of dropped frames by the port that received them and by reason. They are not in the counters file, which would
 * have some hundred counters more for each worker. A worker counts in its own {@link Counts} and publishes them
 * together with its other counters.
 */
public final class PortDrops
{
    /** Index of the drops of ports whose index another port has now. */
    static final int REPLACED = FateCounters.MAX_PORTS;

    private static final int REASONS = DropReason.count();
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

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
     * Returns the published numbers of dropped frames by the id of the {@link DropReason}; any thread.
     *
     * @param port index of the port that received them, from 0, or {@link #REPLACED}.
     * @return sums over the workers since the start or since the port has had the index.
     */
    long[] get(final int port)
    {
        final long[] sums = new long[REASONS];
        for (final Counts worker : workers)
        {
            for (int reason = 0; reason < REASONS; reason++)
            {
                sums[reason] += (long)COUNT.getOpaque(worker.published, port * REASONS + reason);
            }
        }
        return sums;
    }

    /** The counts of one worker, whose thread writes. */
    public static final class Counts
    {
        private final long[] values = new long[(REPLACED + 1) * REASONS];
        private final long[] published = new long[values.length];
        /** Bits of the ports whose counts changed since they were published. */
        private long changed;

        private Counts()
        {
        }

        void dropped(final int port, final int reason)
        {
            values[port * REASONS + reason]++;
            changed |= 1L << port;
        }

        /** Publishes the changed counts of some reasons, one bit for each. */
        void publish(final long reasons)
        {
            for (; changed != 0; changed &= changed - 1)
            {
                final int first = Long.numberOfTrailingZeros(changed) * REASONS;
                for (long rest = reasons; rest != 0; rest &= rest - 1)
                {
                    publish(first + Long.numberOfTrailingZeros(rest));
                }
            }
        }

        void begin(final int port)
        {
            for (int reason = 0; reason < REASONS; reason++)
            {
                final int index = port * REASONS + reason;
                final int replaced = REPLACED * REASONS + reason;
                values[replaced] += values[index];
                values[index] = 0;
                publish(replaced);
                publish(index);
            }
        }

        private void publish(final int index)
        {
            COUNT.setOpaque(published, index, values[index]);
        }
    }
}
