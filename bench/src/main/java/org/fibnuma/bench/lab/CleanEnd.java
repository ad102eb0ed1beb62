package org.fibnuma.bench.lab;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a thread clean up when the process is told to end: on SIGINT and SIGTERM it is interrupted, and the process
 * waits until it says that it is done.
 */
public final class CleanEnd
{
    private static final long PATIENCE_SECONDS = 15;

    private final CountDownLatch done = new CountDownLatch(1);

    /** For the calling thread. */
    public CleanEnd()
    {
        final Thread worker = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(worker), "clean-end"));
    }

    private void end(final Thread worker)
    {
        if (done.getCount() > 0)
        {
            worker.interrupt();
            try
            {
                done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            catch (final InterruptedException ignore)
            {
                // The process ends now either way.
            }
        }
    }

    /** Everything is cleaned up. */
    public void done()
    {
        done.countDown();
    }
}
