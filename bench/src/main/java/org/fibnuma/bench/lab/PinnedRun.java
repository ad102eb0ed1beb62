package org.fibnuma.bench.lab;

import org.fibnuma.core.agent.ThreadPinning;

/** Runs an action on a new thread that is pinned to a core; the caller's thread keeps its affinity. */
public final class PinnedRun
{
    private PinnedRun()
    {
    }

    /** Returns the number of the last core, on which a measurement with one thread runs. */
    public static int lastCore()
    {
        return Runtime.getRuntime().availableProcessors() - 1;
    }

    /** Pins the calling thread to the last core. */
    public static void pinToLastCore()
    {
        ThreadPinning.load().pinCurrentThread(lastCore());
    }

    /**
     * Runs the action and waits for its end.
     *
     * @param core   core for the new thread.
     * @param name   name of the new thread.
     * @param action action to run; its exception or error is thrown to the caller.
     * @throws org.fibnuma.core.UserException if the caller is interrupted while it waits.
     */
    public static void on(final int core, final String name, final Runnable action)
    {
        final Throwable[] failure = new Throwable[1];
        final Thread thread = new Thread(() ->
        {
            try
            {
                ThreadPinning.load().pinCurrentThread(core);
                action.run();
            }
            catch (final RuntimeException | Error ex)
            {
                failure[0] = ex;
            }
        }, name);
        thread.start();
        Waiting.join(thread);
        if (failure[0] instanceof Error)
        {
            throw (Error)failure[0];
        }
        if (failure[0] != null)
        {
            throw (RuntimeException)failure[0];
        }
    }
}
