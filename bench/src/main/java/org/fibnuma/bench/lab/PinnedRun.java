package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;

/** Runs something on a thread of its own, on one core, so that the caller's thread stays where it is. */
public final class PinnedRun
{
    private PinnedRun()
    {
    }

    /**
     * Waits until it has run.
     *
     * @param core   of the thread.
     * @param name   of the thread.
     * @param action whose exception becomes the caller's.
     * @throws UserException where the caller is interrupted meanwhile.
     */
    public static void on(final int core, final String name, final Runnable action)
    {
        final RuntimeException[] failure = new RuntimeException[1];
        final Thread thread = new Thread(() ->
        {
            try
            {
                ThreadPinning.load().pinCurrentThread(core);
                action.run();
            }
            catch (final RuntimeException ex)
            {
                failure[0] = ex;
            }
        }, name);
        thread.start();
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", ex);
        }
        if (failure[0] != null)
        {
            throw failure[0];
        }
    }
}
