package org.fibnuma.bench.memif;

import java.util.concurrent.TimeUnit;

/**
 * When the machine stopped a thread that polls: rounds that took longer than {@link #STALL_NS}, of which a full batch
 * takes one to two. Written by that thread, read after it.
 */
final class StallLog
{
    /** As in bench pipeline. */
    static final long STALL_NS = TimeUnit.MICROSECONDS.toNanos(5);

    private static final int CAPACITY = 1 << 18;

    private final long[] starts = new long[CAPACITY];
    private final long[] ends = new long[CAPACITY];
    private int count;
    private long lastNs;

    /** A round begins a series. */
    void begin(final long nowNs)
    {
        lastNs = nowNs;
        count = 0;
    }

    /** A round has ended, and the next begins. */
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
