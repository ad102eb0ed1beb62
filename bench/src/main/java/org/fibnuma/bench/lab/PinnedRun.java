package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;

/** Runs an action on a new thread that is pinned to a core; the caller's thread keeps its affinity. */
public final class PinnedRun
{
    private PinnedRun()
    {
    }

    /**
     * Runs the action and waits for its end.
     *
     * @param core   core for the new thread.
     * @param name   name of the new thread.
     * @param action action to run; its exception is thrown to the caller.
     * @throws UserException if the caller is interrupted while it waits.
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
