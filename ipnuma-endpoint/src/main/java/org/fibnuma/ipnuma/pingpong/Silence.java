package org.fibnuma.ipnuma.pingpong;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Watches from beside, at no cost to the loop, whether answers come; ends the wait when none did for too long. */
final class Silence implements AutoCloseable
{
    private static final int LOOKS = 4;

    private final AtomicLong answers = new AtomicLong();
    private final long limitMs;
    private final Runnable wake;
    private final Thread watcher = new Thread(this::watch, "silence");
    private long count;
    private volatile boolean tooLong;

    /**
     * @param limitMs without an answer, above 0.
     * @param wake    what ends a wait; called by a thread of this one's own.
     */
    Silence(final long limitMs, final Runnable wake)
    {
        this.limitMs = limitMs;
        this.wake = wake;
        watcher.setDaemon(true);
        watcher.start();
    }

    /** An answer came; on the thread that waits for them. */
    void broken()
    {
        // Only this thread stores it; the watcher may see it late.
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
            while (silent < LOOKS)
            {
                TimeUnit.MILLISECONDS.sleep(Math.max(1, limitMs / LOOKS));
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
