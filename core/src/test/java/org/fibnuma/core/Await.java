package org.fibnuma.core;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for what another thread or process does a little later. The counters of a router are an example: a worker
 * publishes them after it has sent the frames, and a loaded machine may suspend it in between.
 */
public final class Await
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private Await()
    {
    }

    /**
     * Waits until a condition holds.
     *
     * @param what      that is waited for, as the failure names it.
     * @param condition asked every 10 ms.
     * @throws AssertionError if it does not hold within two minutes, or cannot be asked.
     */
    public static void until(final String what, final Callable<Boolean> condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        try
        {
            while (!condition.call())
            {
                if (System.nanoTime() - deadlineNs >= 0)
                {
                    throw new AssertionError("waited in vain for " + what);
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        catch (final Exception ex)
        {
            throw new AssertionError(what, ex);
        }
    }
}
