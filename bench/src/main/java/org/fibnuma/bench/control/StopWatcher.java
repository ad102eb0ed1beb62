package org.fibnuma.bench.control;

import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

/**
 * Stands for a worker: looks up addresses without a pause on the last core and notes the longest time between two
 * looks at the clock. What another process takes of the core counts too.
 */
final class StopWatcher implements AutoCloseable
{
    private static final int LOOKUPS = 64;

    private final Ipv4Fib fib;
    private final ReaderEpochs epochs;
    private final Thread thread = new Thread(this::watch, "stop-watcher");
    private volatile boolean ended;
    private volatile long longestNs;
    private volatile boolean restart;
    private long sum;

    StopWatcher(final Ipv4Fib fib, final ReaderEpochs epochs)
    {
        this.fib = fib;
        this.epochs = epochs;
        thread.setDaemon(true);
        thread.start();
    }

    /** Forgets what was. */
    void restart()
    {
        restart = true;
        while (restart)
        {
            Thread.onSpinWait();
        }
    }

    long longestNs()
    {
        return longestNs;
    }

    @Override
    public void close()
    {
        ended = true;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void watch()
    {
        ThreadPinning.load().pinCurrentThread(Runtime.getRuntime().availableProcessors() - 1);
        try (ReaderEpochs.Reader reader = epochs.register())
        {
            long before = System.nanoTime();
            long longest = 0;
            int address = 0;
            while (!ended)
            {
                for (int i = 0; i < LOOKUPS; i++)
                {
                    sum += fib.lookup(address += 0x9E3779B9);
                }
                reader.quiesce();
                final long now = System.nanoTime();
                if (restart)
                {
                    longest = 0;
                    longestNs = 0;
                    restart = false;
                }
                else if (now - before > longest)
                {
                    longest = now - before;
                    longestNs = longest;
                }
                before = now;
            }
        }
    }
}
