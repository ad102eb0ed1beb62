package org.fibnuma.bench.memif;

import java.util.concurrent.TimeUnit;

/**
 * Times at which the machine stopped a polling thread: rounds that took longer than {@link #STALL_NS}. A round with a
 * full batch takes one to two microseconds. Written by that thread, read after its end.
 */
final class StallLog
{
    /** Pauses longer than this count as stalls, as in bench pipeline. */
    static final long STALL_NS = TimeUnit.MICROSECONDS.toNanos(5);

    private static final int CAPACITY = 1 << 18;

    private final long[] starts = new long[CAPACITY];
    private final long[] ends = new long[CAPACITY];
    private int count;
    private long lastNs;

    /** Starts a series with its first round. */
    void begin(final long nowNs)
    {
        lastNs = nowNs;
        count = 0;
    }

    /** Ends a round and starts the next. */
    void round(final long nowNs)
    {
        if (nowNs - lastNs > STALL_NS && count < CAPACITY)
        {
            starts[count] = lastNs;
            ends[count] = nowNs;
            count++;
        }
        lastNs = nowNs;
    }

    int count()
    {
        return count;
    }

    long start(final int stall)
    {
        return starts[stall];
    }

    long end(final int stall)
    {
        return ends[stall];
    }

    long stalledNs()
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += ends[i] - starts[i];
        }
        return sum;
    }
}
