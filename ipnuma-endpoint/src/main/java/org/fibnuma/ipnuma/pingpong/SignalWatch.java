package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.agent.Termination;

import java.util.concurrent.TimeUnit;

/** Wakes a waiting thread on SIGTERM and SIGINT, so that it closes everything in order. */
final class SignalWatch implements AutoCloseable
{
    private final Termination termination = new Termination();
    private final Runnable wake;
    private final Thread watcher = new Thread(this::watch, "signal-watch");

    /** @param wake ends a wait; called by a thread of this class. */
    SignalWatch(final Runnable wake)
    {
        this.wake = wake;
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Returns whether a signal has arrived. Cheap enough for an inner loop. */
    boolean isRequested()
    {
        return termination.isRequested();
    }

    private void watch()
    {
        try
        {
            if (termination.await(TimeUnit.DAYS.toMillis(Integer.MAX_VALUE)))
            {
                wake.run();
            }
        }
        catch (final InterruptedException ignore)
        {
            // Closed.
        }
    }

    /** Ends the watch. Called after everything else is closed. */
    @Override
    public void close()
    {
        watcher.interrupt();
        termination.close();
    }
}
