package org.fibnuma.bench.control;

import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.core.service.jvmpause.JvmPauseWatcher;
import org.fibnuma.core.service.jvmpause.Safepoints;
import org.fibnuma.core.service.jvmpause.JvmPauses;
import org.fibnuma.core.service.jvmpause.WatchedLoop;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.concurrent.CountDownLatch;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;

/**
 * A thread in place of a worker, which looks up addresses all the time on the last core. Its pauses are measured as
 * those of a router's workers are. Pauses because another process uses the core count too.
 */
final class StopWatcher implements AutoCloseable
{
    private static final int LOOKUPS = 64;
    /** 2^64 over the golden ratio (Knuth, TAOCP 6.4). */
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final LongToIntFunction lookup;
    private final ReaderEpochs epochs;
    private final JvmPauseWatcher watcher = JvmPauseWatcher.start(Throwable::printStackTrace);
    private final Thread thread = new Thread(this::watch, "stop-watcher");
    private final CountDownLatch started = new CountDownLatch(1);
    private volatile Supplier<JvmPauses> pauses;
    private volatile boolean ended;
    private long sum;

    /**
     * Starts the thread.
     *
     * @param lookup of an address in the FIB, given bits for it that are spread over all values.
     * @param epochs of the FIB.
     */
    StopWatcher(final LongToIntFunction lookup, final ReaderEpochs epochs)
    {
        this.lookup = lookup;
        this.epochs = epochs;
        thread.setDaemon(true);
        thread.start();
        await();
        watcher.settle();
    }

    /** Discards all pauses and safepoints measured so far. */
    void restart()
    {
        watcher.restart();
    }

    /** Waits until all pauses and safepoints up to now are recorded. */
    void settle()
    {
        watcher.settle();
    }

    /** Returns the pauses of the thread that looks up addresses. */
    JvmPauses pauses()
    {
        return pauses.get();
    }

    /** Returns the safepoints of the JVM. */
    Safepoints safepoints()
    {
        return watcher.safepoints();
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
        watcher.close();
    }

    private void await()
    {
        try
        {
            started.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void watch()
    {
        PinnedRun.pinToLastCore();
        final WatchedLoop watched = watcher.watchCurrentThread(0);
        pauses = watched.pauses();
        started.countDown();
        try (ReaderEpochs.Reader reader = epochs.register())
        {
            long bits = 0;
            while (!ended)
            {
                for (int i = 0; i < LOOKUPS; i++)
                {
                    sum += lookup.applyAsInt(bits += MULTIPLIER);
                }
                reader.quiesce();
                watched.meter().alive(System.nanoTime(), LOOKUPS);
            }
        }
    }
}
