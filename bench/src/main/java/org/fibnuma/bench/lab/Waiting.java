package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;

import java.time.Duration;

/** Waits of a measurement, which end with an exception when the user ends the command. */
public final class Waiting
{
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
