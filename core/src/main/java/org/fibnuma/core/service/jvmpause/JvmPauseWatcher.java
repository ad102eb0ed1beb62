package org.fibnuma.core.service.jvmpause;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.agent.AgentThread;
import org.fibnuma.core.agent.ThreadPinning;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Determines the reasons of JVM pauses of watched threads. Its own thread evaluates the JVM's safepoint log and the
 * scheduler's times of the threads a hundred times a second. Any thread may call the methods.
 */
public final class JvmPauseWatcher implements AutoCloseable
{
    /** A longer pause, in ns, violates the latency goal of the data path. */
    public static final long BAD_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long INTERVAL_MS = 10;

    /** Time in ns after which the JVM has logged a safepoint and reported a collection. */
    static final long SETTLED_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Longer than a pause and the time until it is settled. */
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int MAX_KEPT = 4096;

    private final List<WatchedThread> threads = new ArrayList<>();
    private final Deque<Safepoint> latest = new ArrayDeque<>();
    private final Deque<Safepoint> unsettled = new ArrayDeque<>();
    private final CollectionLog collections = CollectionLog.open();
    private final AgentThread thread;
    /** Null before the watcher's thread has opened it, and if the JVM does not provide it. */
    private SafepointLog log;
    private long count;
    private long longestNs;
    private String longestDetail = "";

    private JvmPauseWatcher(final ErrorHandler errorHandler)
    {
        thread = AgentThread.start(
            new Watch(), new SleepingMillisIdleStrategy(INTERVAL_MS), ThreadPinning.ANY_CORE, errorHandler);
    }

    /**
     * Starts to watch the JVM. Safepoints are recorded from about 100 ms later on. The handler receives exceptions on
     * the watcher's thread, which continues.
     */
    public static JvmPauseWatcher start(final ErrorHandler errorHandler)
    {
        return new JvmPauseWatcher(errorHandler);
    }

    /**
     * Watches the thread that runs the returned agent in place of another one.
     *
     * @param agent  to measure.
     * @param idleNs longest time that its thread sleeps after a cycle without work, in ns; 0 if it never sleeps.
     */
    public WatchedAgent watch(final Agent agent, final long idleNs)
    {
        final JvmPauseMeter meter = new JvmPauseMeter(idleNs);
        final WatchedThread watched = new WatchedThread(meter);
        synchronized (this)
        {
            threads.add(watched);
        }
        final MeteredAgent metered = new MeteredAgent(
            agent, SystemNanoClock.INSTANCE, meter, () -> onStart(watched, SchedulerTimes.ofCurrentThread()));
        return new WatchedAgent(metered, () -> pausesOf(watched));
    }

    /**
     * Watches the calling thread, which calls {@link JvmPauseMeter#alive} itself; {@code idleNs} is as for
     * {@link #watch}.
     */
    public WatchedLoop watchCurrentThread(final long idleNs)
    {
        final JvmPauseMeter meter = new JvmPauseMeter(idleNs);
        final WatchedThread watched = new WatchedThread(meter);
        synchronized (this)
        {
            threads.add(watched);
            watched.onStart(SchedulerTimes.ofCurrentThread());
        }
        meter.start(System.nanoTime());
        return new WatchedLoop(meter, () -> pausesOf(watched));
    }

    /** Returns a summary of the safepoints so far. */
    public synchronized Safepoints safepoints()
    {
        return new Safepoints(log != null, count, longestNs, longestDetail);
    }

    /** Discards all JVM pauses and safepoints so far. */
    public synchronized void restart()
    {
        poll(System.nanoTime());
        count = 0;
        longestNs = 0;
        longestDetail = "";
        unsettled.clear();
        threads.forEach(WatchedThread::forget);
    }

    /** Waits 300 ms, until the results include everything that happened before this call. */
    public void settle()
    {
        final long until = System.nanoTime() + SETTLED_NS;
        long now = System.nanoTime();
        while (now - until <= 0)
        {
            try
            {
                Thread.sleep(INTERVAL_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return;
            }
            now = System.nanoTime();
        }
        synchronized (this)
        {
            poll(now);
        }
    }

    /** Stops watching; the last results stay available. */
    @Override
    public void close()
    {
        thread.close();
        synchronized (this)
        {
            collections.close();
            if (log != null)
            {
                log.close();
            }
            threads.forEach(WatchedThread::close);
        }
    }

    private synchronized JvmPauses pausesOf(final WatchedThread watched)
    {
        return watched.pauses();
    }

    private synchronized void onStart(final WatchedThread watched, final SchedulerTimes times)
    {
        watched.onStart(times);
    }

    private synchronized void onLog(final SafepointLog opened)
    {
        log = opened;
    }

    private synchronized void poll(final long nowNs)
    {
        if (log != null && !log.poll(this::onSafepoint))
        {
            log.close();
            log = null;
        }
        while (!latest.isEmpty() &&
            (latest.size() > MAX_KEPT || nowNs - latest.peekFirst().endNs() > KEPT_NS))
        {
            latest.removeFirst();
        }
        while (!unsettled.isEmpty() && nowNs - unsettled.peekFirst().endNs() >= SETTLED_NS)
        {
            onSettled(unsettled.removeFirst());
        }
        for (final WatchedThread watched : threads)
        {
            watched.poll(nowNs, this::explain);
        }
    }

    private void onSafepoint(final Safepoint safepoint)
    {
        latest.addLast(safepoint);
        unsettled.addLast(safepoint);
    }

    private void onSettled(final Safepoint safepoint)
    {
        count++;
        if (safepoint.lengthNs() > longestNs)
        {
            longestNs = safepoint.lengthNs();
            longestDetail = detailOf(safepoint);
        }
    }

    private JvmPause explain(final WatchedThread.Gap gap)
    {
        final SchedulerTimes.Difference times = gap.times();
        long stoppedNs = 0;
        long partlyStoppedNs = 0;
        long stoppedBesideNs = 0;
        long mostNs = 0;
        Safepoint most = null;
        for (final Safepoint safepoint : latest)
        {
            final long stopped = safepoint.stoppedNsIn(gap.startNs(), gap.endNs());
            final long partly = safepoint.partlyStoppedNsIn(gap.startNs(), gap.endNs());
            stoppedNs += stopped;
            partlyStoppedNs += partly;
            if (times != null)
            {
                stoppedBesideNs += safepoint.stoppedNsIn(times.fromNs(), times.toNs());
            }
            if (stopped + partly > mostNs)
            {
                mostNs = stopped + partly;
                most = safepoint;
            }
        }
        final long blockedNs = times == null ? 0 :
            times.toNs() - times.fromNs() - times.coreNs() - times.waitNs() - stoppedBesideNs;
        return JvmPause.of(
            gap.endNs() - gap.startNs(), stoppedNs, partlyStoppedNs, times == null ? 0 : times.waitNs(), blockedNs,
            times != null && log != null, most == null ? "" : detailOf(most));
    }

    private String detailOf(final Safepoint safepoint)
    {
        final String cause = collections.causeIn(safepoint.startNs(), safepoint.endNs());
        return cause == null ? safepoint.operation() : safepoint.operation() + ", " + cause;
    }

    private final class Watch implements Agent
    {
        @Override
        public void onStart()
        {
            onLog(SafepointLog.open());
        }

        @Override
        public int doWork()
        {
            poll(System.nanoTime());
            return 0;
        }

        @Override
        public String roleName()
        {
            return "pause-watcher";
        }
    }
}
