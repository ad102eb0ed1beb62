package org.fibnuma.bench.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/** A load that repeats a step. A step that fails is a failure of the soak; the next one follows all the same. */
abstract class RepeatedLoad implements Load
{
    /** Longer than the longest wait in a step. */
    private static final long END_MS = TimeUnit.SECONDS.toMillis(150);
    private static final int MOST_FAILURES = 5;

    private final String name;
    private final Lock turn;
    private final long intervalNs;
    private final Thread thread;
    private final List<String> failures = new ArrayList<>();
    private int failureCount;
    private volatile boolean running = true;

    /**
     * Creates the load.
     *
     * @param name     of the load, for failures.
     * @param turn     is held during each step, so that others can have the load stand still.
     * @param interval between the beginnings of two steps, if they take no longer.
     */
    RepeatedLoad(final String name, final Lock turn, final Duration interval)
    {
        this.name = name;
        this.turn = turn;
        this.intervalNs = interval.toNanos();
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /** Does one step, which ends within two minutes. */
    abstract void step() throws Exception;

    @Override
    public final void start()
    {
        thread.start();
    }

    private void run()
    {
        while (running)
        {
            final long startNs = System.nanoTime();
            turn.lock();
            try
            {
                step();
            }
            catch (final Exception ex)
            {
                fail(ex.getMessage() == null ? ex.toString() : ex.getMessage());
            }
            finally
            {
                turn.unlock();
            }
            for (long restNs = intervalNs; running && restNs > 0;
                restNs = intervalNs - (System.nanoTime() - startNs))
            {
                LockSupport.parkNanos(restNs);
            }
        }
    }

    /** Returns whether the load goes on; a long step asks. */
    final boolean isRunning()
    {
        return running;
    }

    /** Adds a failure; of many the first ones are kept. */
    final synchronized void fail(final String what)
    {
        failureCount++;
        if (failureCount <= MOST_FAILURES)
        {
            failures.add(name + ": " + what);
        }
    }

    @Override
    public final synchronized List<String> failures()
    {
        final List<String> all = new ArrayList<>(failures);
        if (failureCount > MOST_FAILURES)
        {
            all.add(name + ": " + (failureCount - MOST_FAILURES) + " failures more");
        }
        return all;
    }

    @Override
    public void close()
    {
        running = false;
        LockSupport.unpark(thread);
        try
        {
            thread.join(END_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
