package org.fibnuma.fibnic.stage;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

import java.util.Locale;

/**
 * The time that each stage of one worker took for sampled batches, in the counters file. For the thread of the worker;
 * other threads read a {@link StageTimesReport}.
 */
public final class StageTimes
{
    /** Number of counters of one worker. */
    public static final int COUNTERS = Stage.values().length * Value.values().length;

    /** Type id of the first {@link Value} of the first stage. */
    static final int TYPE = 1500;

    /** The counters of each stage. */
    enum Value
    {
        /** Nanoseconds. */
        NANOSECONDS,
        /** Frames that the stage was given. */
        FRAMES,
        /** Batches with such frames. */
        BATCHES
    }

    private static final int VALUES = Value.values().length;
    private static final int WORKER_OFFSET = 0;

    private final long[] values = new long[COUNTERS];
    private final AtomicCounter[] published = new AtomicCounter[COUNTERS];
    /** Bits of the stages that changed since they were published. */
    private long changed;

    /** Creates the counters of a worker, by its number from 0; all are 0. */
    public StageTimes(final CountersManager counters, final int worker)
    {
        for (final Stage stage : Stage.values())
        {
            for (final Value value : Value.values())
            {
                final int index = index(stage, value);
                published[index] = counters.newCounter(
                    "worker " + worker + " sampled " + stage.label() + " " + value.name().toLowerCase(Locale.ROOT),
                    TYPE + index,
                    key -> key.putInt(WORKER_OFFSET, worker));
            }
        }
    }

    static int index(final Stage stage, final Value value)
    {
        return stage.ordinal() * VALUES + value.ordinal();
    }

    /**
     * Adds a batch with at least one frame for a stage.
     *
     * @param ns time that the stage took, in nanoseconds.
     */
    public void add(final Stage stage, final long ns, final int frames)
    {
        values[index(stage, Value.NANOSECONDS)] += ns;
        values[index(stage, Value.FRAMES)] += frames;
        values[index(stage, Value.BATCHES)]++;
        changed |= 1L << stage.ordinal();
    }

    /** Publishes what was added since the last call, with release ordering. */
    public void publish()
    {
        for (long rest = changed; rest != 0; rest &= rest - 1)
        {
            final int first = Long.numberOfTrailingZeros(rest) * VALUES;
            for (int i = first; i < first + VALUES; i++)
            {
                published[i].setRelease(values[i]);
            }
        }
        changed = 0;
    }
}
