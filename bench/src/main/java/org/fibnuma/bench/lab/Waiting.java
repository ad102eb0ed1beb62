package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits of a measurement, which end with an exception when the user ends the command. */
public final class Waiting
{
    private static final Duration POLL = Duration.ofMillis(10);

    private Waiting()
    {
    }

    private interface Wait
    {
        void run() throws InterruptedException;
    }

    /**
     * Sleeps.
     *
     * @param duration time to sleep.
     * @throws UserException if the calling thread is interrupted.
     */
    public static void sleep(final Duration duration)
    {
        run(() -> Thread.sleep(duration.toMillis()));
    }

    /**
     * Waits for the end of a thread.
     *
     * @param thread whose work ends.
     * @throws UserException if the calling thread is interrupted.
     */
    public static void join(final Thread thread)
    {
        run(thread::join);
    }

    /**
     * Waits for a state.
     *
     * @param state    returns whether it is reached; asked every 10 ms.
     * @param patience longest time to wait.
     * @return whether it was reached.
     * @throws UserException if the calling thread is interrupted.
     */
    public static boolean until(final BooleanSupplier state, final Duration patience)
    {
        final long startNs = System.nanoTime();
        while (!state.getAsBoolean())
        {
            if (System.nanoTime() - startNs > patience.toNanos())
            {
                return false;
            }
            sleep(POLL);
        }
        return true;
    }

    private static void run(final Wait wait)
    {
        try
        {
            wait.run();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", ex);
        }
    }
}
