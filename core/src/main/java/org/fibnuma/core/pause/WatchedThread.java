package org.fibnuma.core.pause;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** One thread of a {@link PauseWatcher}, which guards it with its lock: gaps that wait for a reason, and the tally. */
final class WatchedThread
{
    private final PauseMeter meter;
    private final Deque<Gap> unsettled = new ArrayDeque<>();
    /** Null before the thread has started, after its end, and where the kernel does not tell. */
    private SchedulerTimes times;
    private long count;
    private long lostBefore;
    private long badByJvm;
    private Pause longest = Pause.NONE;
    private Pause longestByJvm = Pause.NONE;

    WatchedThread(final PauseMeter meter)
    {
        this.meter = meter;
    }

    /** The thread has started; null where the kernel does not tell of it. */
    void onStart(final SchedulerTimes newTimes)
    {
        close();
        times = newTimes;
    }

    /** Takes new gaps, and finds the reasons of those whose facts are all there. */
    void poll(final long nowNs, final Function<Gap, Pause> explain)
    {
        // What is recorded below this position ended before the reading, which therefore holds all of its wait.
        final long limit = meter.written();
        if (times != null && !times.read(System.nanoTime()))
        {
            close();
        }
        meter.drain(limit, this::onGap);
        while (!unsettled.isEmpty() && nowNs - unsettled.peekFirst().endNs() >= PauseWatcher.SETTLED_NS)
        {
            onPause(explain.apply(unsettled.removeFirst()));
        }
    }

    /** What is known now. */
    ThreadPauses pauses()
    {
        return new ThreadPauses(count, meter.lost() - lostBefore, longest, longestByJvm, badByJvm);
    }

    /** Begins anew. */
    void forget()
    {
        meter.drain(meter.written(), this::onGap);
        unsettled.clear();
        count = 0;
        lostBefore = meter.lost();
        badByJvm = 0;
        longest = Pause.NONE;
        longestByJvm = Pause.NONE;
    }

    /** Needs the kernel no more; the tally stays. */
    void close()
    {
        if (times != null)
        {
            times.close();
            times = null;
        }
    }

    private void onGap(final long startNs, final long endNs)
    {
        unsettled.addLast(new Gap(startNs, endNs, times == null ? null : times.since(startNs)));
    }

    private void onPause(final Pause pause)
    {
        count++;
        badByJvm += pause.jvmNs() > PauseWatcher.BAD_NS ? 1 : 0;
        longest = pause.lengthNs() > longest.lengthNs() ? pause : longest;
        longestByJvm = pause.jvmNs() > longestByJvm.jvmNs() ? pause : longestByJvm;
    }

    /**
     * A gap of the thread.
     *
     * @param startNs when the thread should have run, by {@link System#nanoTime()}.
     * @param endNs   when it did.
     * @param times   of the thread from the start to its end or later; null where the kernel does not tell.
     */
    record Gap(long startNs, long endNs, SchedulerTimes.Difference times)
    {
    }
}
