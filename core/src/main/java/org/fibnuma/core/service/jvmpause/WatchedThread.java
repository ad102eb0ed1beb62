package org.fibnuma.core.service.jvmpause;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * One thread of a {@link JvmPauseWatcher}: gaps that are not evaluated yet, and results. The watcher's lock guards it.
 */
final class WatchedThread
{
    private final JvmPauseMeter meter;
    private final Deque<Gap> unsettled = new ArrayDeque<>();
    /** Null before the thread has started, after its end, and if the kernel does not provide the times. */
    private SchedulerTimes times;
    private long count;
    private long lostBefore;
    private long coreNs;
    private long badByJvm;
    private JvmPause longest = JvmPause.NONE;
    private JvmPause longestByJvm = JvmPause.NONE;

    WatchedThread(final JvmPauseMeter meter)
    {
        this.meter = meter;
    }

    /** Called when the thread has started; the times are null if the kernel does not provide them. */
    void onStart(final SchedulerTimes newTimes)
    {
        close();
        times = newTimes;
    }

    /** Takes new gaps, and evaluates those whose data is complete. */
    void poll(final long nowNs, final Function<Gap, JvmPause> explain)
    {
        // Gaps before this position ended before the reading, which includes all of their waiting time.
        final long limit = meter.written();
        if (times != null && !times.read(System.nanoTime()))
        {
            close();
        }
        coreNs = times == null ? coreNs : times.coreNs();
        meter.drain(limit, this::onGap);
        while (!unsettled.isEmpty() && nowNs - unsettled.peekFirst().endNs() >= JvmPauseWatcher.SETTLED_NS)
        {
            onPause(explain.apply(unsettled.removeFirst()));
        }
    }

    JvmPauses pauses()
    {
        return new JvmPauses(count, meter.lost() - lostBefore, longest, longestByJvm, badByJvm, coreNs);
    }

    void forget()
    {
        meter.drain(meter.written(), this::onGap);
        unsettled.clear();
        count = 0;
        lostBefore = meter.lost();
        badByJvm = 0;
        longest = JvmPause.NONE;
        longestByJvm = JvmPause.NONE;
    }

    /** Stops reading the times of the thread; the results stay available. */
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

    private void onPause(final JvmPause pause)
    {
        count++;
        badByJvm += pause.jvmNs() > JvmPauseWatcher.BAD_NS ? 1 : 0;
        longest = pause.lengthNs() > longest.lengthNs() ? pause : longest;
        longestByJvm = pause.jvmNs() > longestByJvm.jvmNs() ? pause : longestByJvm;
    }

    /**
     * A gap of the thread.
     *
     * @param startNs when a duty cycle was due, by {@link System#nanoTime()}.
     * @param endNs   when it was complete.
     * @param times   of the thread from the start to the end or later; null if the kernel does not provide them.
     */
    record Gap(long startNs, long endNs, SchedulerTimes.Difference times)
    {
    }
}
