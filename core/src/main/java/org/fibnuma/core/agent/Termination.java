package org.fibnuma.core.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and SIGINT as a request: the main thread is told, takes everything down, and the process ends with 0. The
 * JVM alone would end with 143 or 130 as if it had been killed.
 */
public final class Termination implements AutoCloseable
{
    /** Longer than anything of ours takes to stop; short enough for service managers, which wait 90 s by default. */
    private static final int PATIENCE_SECONDS = 30;
    private static final int CLEAN = 0;
    private static final int UNCLEAN = 1;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "termination");

    /** From here on signals are requests. */
    public Termination()
    {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Waits for a signal.
     *
     * @param milliseconds how long.
     * @return whether it came.
     * @throws InterruptedException where the waiting thread is interrupted.
     */
    public boolean await(final long milliseconds) throws InterruptedException
    {
        return requested.await(milliseconds, TimeUnit.MILLISECONDS);
    }

    /**
     * Whether a signal came; cheap enough for every turn of a loop.
     *
     * @return true from the signal on.
     */
    public boolean isRequested()
    {
        return requested.getCount() == 0;
    }

    /** Everything is taken down. */
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
