package org.fibnuma.core.agent;

import java.util.ArrayList;
import java.util.List;

/** What a thread has to give back at its end, for libraries that know threads. */
public final class ThreadEnd
{
    private static final ThreadLocal<List<Runnable>> ACTIONS = new ThreadLocal<>();

    private ThreadEnd()
    {
    }

    /**
     * Has something done at the end of the calling thread, on that thread.
     *
     * @param action run once.
     */
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

    /** Does it now: the calling thread is about to end. */
    public static void run()
    {
        final List<Runnable> actions = ACTIONS.get();
        if (actions != null)
        {
            ACTIONS.remove();
            actions.forEach(Runnable::run);
        }
    }
}
