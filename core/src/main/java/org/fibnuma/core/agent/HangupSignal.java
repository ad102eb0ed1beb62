package org.fibnuma.core.agent;

/** Gives SIGHUP, by which the JVM ends a process, another meaning. */
public final class HangupSignal
{
    private HangupSignal()
    {
    }

    /**
     * Runs an action at each SIGHUP from now on instead of ending the process; also in a process that was started to
     * ignore it (nohup). A JVM with the option -Xrs does not handle signals: SIGHUP then ends it.
     *
     * @param action called on a thread of the JVM, which it must not block.
     */
    public static void handle(final Runnable action)
    {
        EndingSignal.install("HUP", action);
    }
}
