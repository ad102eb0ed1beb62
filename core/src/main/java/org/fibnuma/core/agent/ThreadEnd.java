package org.fibnuma.core.agent;

import java.util.ArrayList;
import java.util.List;

/** Actions at the end of a thread, for libraries that must release resources of each thread. */
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
}
