package org.fibnuma.core.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes SIGTERM and SIGINT a request to the main thread, which shuts everything down. The process then ends with status
 * 0, not with the JVM's status 143 or 130.
 */
public final class Termination implements AutoCloseable
{
    /** Longer than any shutdown, shorter than the 90 s that systemd waits by default. */
    private static final int PATIENCE_SECONDS = 30;
    private static final int CLEAN = 0;
    private static final int UNCLEAN = 1;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "termination");
    /** Time of the signal; written before {@link #requested} is counted down. */
    private long requestedNs;

    /** Starts to handle signals as requests. */
    public Termination()
    {
        EndingSignal.record();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Waits up to a time for a signal, and returns whether one arrived.
     *
     * @throws InterruptedException if the waiting thread is interrupted.
     */
    public boolean await(final long milliseconds) throws InterruptedException
    {
        return requested.await(milliseconds, TimeUnit.MILLISECONDS);
    }

    /** Returns whether a signal arrived; cheap enough for every cycle of a loop. */
    public boolean isRequested()
    {
        return requested.getCount() == 0;
    }

    /** Returns the name of the signal that ends this process, such as SIGTERM; "no signal" if none was recorded. */
    public String signal()
    {
        final String received = EndingSignal.received();
        return received == null ? "no signal" : received;
    }

    /** Returns the time since the signal in ns; 0 if no signal has arrived. */
    public long nanosSinceRequest()
    {
        return isRequested() ? System.nanoTime() - requestedNs : 0;
    }

    /** Reports that everything is shut down. */
    @Override
    public void close()
    {
        done.countDown();
        if (requested.getCount() > 0)
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void onSignal()
    {
        requestedNs = System.nanoTime();
        requested.countDown();
        boolean clean = false;
        try
        {
            clean = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(clean ? CLEAN : UNCLEAN);
    }
}
