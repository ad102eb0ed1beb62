package org.fibnuma.ipnuma.pingpong;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Detects missing answers on a separate thread, at no cost to the measured loop, and ends the wait. */
final class AnswerWatchdog implements AutoCloseable
{
    private static final int CHECKS = 4;

    private final AtomicLong answers = new AtomicLong();
    private final long limitMs;
    private final Runnable wake;
    private final Thread watcher = new Thread(this::watch, "answer-watchdog");
    private long count;
    private volatile boolean tooLong;

    /**
     * Starts to watch. After a time in ms without an answer, a thread of this class runs an action that ends the wait.
     */
    AnswerWatchdog(final long limitMs, final Runnable wake)
    {
        this.limitMs = limitMs;
        this.wake = wake;
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Records an answer. Called by the thread that waits for answers. */
    void onAnswer()
    {
        // Only this thread stores it. The watcher may read it late.
        answers.lazySet(++count);
    }

    boolean isTooLong()
    {
        return tooLong;
    }

    long limitMs()
    {
        return limitMs;
    }

    private void watch()
    {
        long seen = -1;
        int silent = 0;
        try
        {
            while (silent < CHECKS)
            {
                TimeUnit.MILLISECONDS.sleep(Math.max(1, limitMs / CHECKS));
                final long now = answers.get();
                silent = now == seen ? silent + 1 : 0;
                seen = now;
            }
            tooLong = true;
            wake.run();
        }
        catch (final InterruptedException ignore)
        {
            // Closed.
        }
    }

    @Override
    public void close()
    {
        watcher.interrupt();
    }
}
