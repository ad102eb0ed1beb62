package org.fibnuma.core.agent;

import java.util.ArrayList;
import java.util.List;

/** The end of a thread: actions of libraries that must release resources of each thread, and the wait for it. */
public final class ThreadEnd
{
    private static final ThreadLocal<List<Runnable>> ACTIONS = new ThreadLocal<>();

    private ThreadEnd()
    {
    }

    /** Registers an action that {@link #run} executes once, on the calling thread. */
    public static void add(final Runnable action)
    {
        List<Runnable> actions = ACTIONS.get();
        if (actions == null)
        {
            actions = new ArrayList<>();
            ACTIONS.set(actions);
        }
        actions.add(action);
    }

    /** Executes the actions of the calling thread, which is about to end. */
    public static void run()
    {
        final List<Runnable> actions = ACTIONS.get();
        if (actions != null)
        {
            ACTIONS.remove();
            actions.forEach(Runnable::run);
        }
    }

    /**
     * Waits until a thread has ended, also if the calling thread is interrupted meanwhile. The interrupt status of the
     * calling thread is then set again before the return.
     *
     * @param thread which ends by itself. One that was never started counts as ended.
     */
    public static void await(final Thread thread)
    {
        boolean interrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
