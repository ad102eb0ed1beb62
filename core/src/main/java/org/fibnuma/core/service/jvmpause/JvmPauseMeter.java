package org.fibnuma.core.service.jvmpause;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Records gaps of {@link #RECORDED_NS} or more between the duty cycles of one thread, which calls {@link #alive}. One
 * other thread reads them with {@link #drain}. Neither locks nor allocates.
 */
public final class JvmPauseMeter
{
    /**
     * Shortest gap that is recorded, in ns: longer than an ordinary duty cycle, short compared with a bad pause of 2
     * ms.
     */
    public static final long RECORDED_NS = 100_000;

    /** Gaps that are kept: those of 100 ms. A power of two. */
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
     * Makes a meter for a thread that sleeps up to {@code idleNs}, in ns, after a cycle without work; 0 if it never
     * sleeps.
     */
    public JvmPauseMeter(final long idleNs)
    {
        this.idleNs = idleNs;
    }

    /** Starts to measure at a time of {@link System#nanoTime()}. Metered thread. */
    public void start(final long nowNs)
    {
        dueNs = nowNs;
    }

    /**
     * Reports that the thread has completed a duty cycle. Metered thread.
     *
     * @param nowNs time of {@link System#nanoTime()}.
     * @param work  items of work in the cycle; after 0 the thread may sleep.
     */
    public void alive(final long nowNs, final int work)
    {
        if (nowNs - dueNs >= RECORDED_NS)
        {
            record(dueNs, nowNs);
        }
        dueNs = work == 0 ? nowNs + idleNs : nowNs;
    }

    /** Returns how many gaps were lost because the buffer was full; any thread. */
    public long lost()
    {
        return lost.get();
    }

    /** Returns the position after the last gap that was recorded before this call. */
    long written()
    {
        return written.get();
    }

    /** Passes the gaps before a position to a consumer; one thread at a time. */
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

    /** Receives gaps, in times of {@link System#nanoTime()}. */
    interface GapConsumer
    {
        /** Handles a gap; a duty cycle was due at its start and completed at its end. */
        void onGap(long startNs, long endNs);
    }
}
