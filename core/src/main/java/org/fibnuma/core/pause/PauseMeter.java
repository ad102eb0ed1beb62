package org.fibnuma.core.pause;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The gaps of one thread's duty cycle. The thread calls {@link #alive}; gaps of {@link #RECORDED_NS} or more are handed
 * to one other thread through {@link #drain}, without a lock and without allocation.
 */
public final class PauseMeter
{
    /** Shortest gap that is recorded: longer than an ordinary duty cycle, short beside the 2 ms of a bad stop. */
    public static final long RECORDED_NS = 100_000;

    /** More than the gaps of 100 ms; a power of two. */
    static final int CAPACITY = 1024;

    private static final int MASK = CAPACITY - 1;

    private final long[] starts = new long[CAPACITY];
    private final long[] ends = new long[CAPACITY];
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final long idleNs;
    private long dueNs;

    /**
     * A meter that has not seen its thread yet.
     *
     * @param idleNs longest time that the thread sleeps of its own will after a cycle without work, in ns; 0 where it
     *               never sleeps.
     */
    public PauseMeter(final long idleNs)
    {
        this.idleNs = idleNs;
    }

    /**
     * The thread begins: what was before is no gap. Metered thread.
     *
     * @param nowNs by {@link System#nanoTime()}.
     */
    public void start(final long nowNs)
    {
        dueNs = nowNs;
    }

    /**
     * The thread has come round its cycle. Metered thread.
     *
     * @param nowNs by {@link System#nanoTime()}.
     * @param work  that the cycle has done; after 0 the thread may sleep.
     */
    public void alive(final long nowNs, final int work)
    {
        if (nowNs - dueNs >= RECORDED_NS)
        {
            record(dueNs, nowNs);
        }
        dueNs = work == 0 ? nowNs + idleNs : nowNs;
    }

    /**
     * How many gaps there have been for which there was no room; any thread.
     *
     * @return 0 or more.
     */
    public long lost()
    {
        return lost.get();
    }

    /** Position after the last recorded gap; what was recorded before this call is below it. */
    long written()
    {
        return written.get();
    }

    /** Takes the gaps below a position; one thread at a time. */
    void drain(final long limit, final GapConsumer consumer)
    {
        long position = taken.get();
        while (position < limit)
        {
            final int slot = (int)position & MASK;
            consumer.onGap(starts[slot], ends[slot]);
            position++;
        }
        taken.set(position);
    }

    private void record(final long startNs, final long endNs)
    {
        final long position = written.get();
        if (position - taken.get() == CAPACITY)
        {
            lost.lazySet(lost.get() + 1);
            return;
        }
        final int slot = (int)position & MASK;
        starts[slot] = startNs;
        ends[slot] = endNs;
        written.lazySet(position + 1);
    }

    /** Takes a gap; the times are those of {@link System#nanoTime()}. */
    interface GapConsumer
    {
        /** From the moment at which the thread should have run to the one at which it did. */
        void onGap(long startNs, long endNs);
    }
}
