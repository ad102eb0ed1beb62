package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.agent.Termination;

import java.util.concurrent.TimeUnit;

/** SIGTERM and SIGINT end a wait for the other end; then everything is taken down in order. */
final class SignalWatch implements AutoCloseable
{
    private final Termination termination = new Termination();
    private final Runnable wake;
    private final Thread watcher = new Thread(this::watch, "signal-watch");

    /**
     * @param wake what ends a wait; called by a thread of this one's own.
     */
    SignalWatch(final Runnable wake)
    {
        this.wake = wake;
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Whether a signal came; cheap enough for every turn of a loop. */
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

    /** Everything is taken down. */
    @Override
    public void close()
    {
        watcher.interrupt();
        termination.close();
    }
}
