package org.fibnuma.core;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

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
        until(() -> what, condition);
    }

    /**
     * Waits until a count is large enough.
     *
     * @param what  that is counted, as the failure names it.
     * @param least number to wait for.
     * @param count asked every 10 ms.
     * @return the count, at least {@code least}.
     * @throws AssertionError if it is less after two minutes, or cannot be asked.
     */
    public static long atLeast(final String what, final long least, final Callable<Long> count)
    {
        final long[] last = new long[1];
        until(() -> what + " to be " + least + " or more, not " + last[0], () ->
        {
            last[0] = count.call();
            return last[0] >= least;
        });
        return last[0];
    }

    /**
     * Waits until a condition holds, as {@link #until(String, Callable)} does.
     *
     * @param what      that is waited for, asked when the wait has failed.
     * @param condition asked every 10 ms.
     * @throws AssertionError if it does not hold within two minutes, or cannot be asked.
     */
    public static void until(final Supplier<String> what, final Callable<Boolean> condition)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        try
        {
            while (!condition.call())
            {
                if (System.nanoTime() - deadlineNs >= 0)
                {
                    throw new AssertionError("waited in vain for " + what.get());
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        catch (final Exception ex)
        {
            throw new AssertionError(what.get(), ex);
        }
    }
}
