package org.fibnuma.core.agent;

/** Replaces the effect of SIGHUP, which is the end of the process. */
public final class HangupSignal
{
    private HangupSignal()
    {
    }

    /**
     * Runs an action at each SIGHUP from now on, also in a process that was started to ignore it (nohup). The action
     * runs on a thread of the JVM, which it must not block. With the JVM option -Xrs SIGHUP still ends the process.
     */
    public static void handle(final Runnable action)
    {
        EndingSignal.install("HUP", action);
    }
}
