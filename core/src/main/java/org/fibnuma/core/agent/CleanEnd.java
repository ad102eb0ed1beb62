package org.fibnuma.core.agent;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Interrupts a thread on SIGINT and SIGTERM, so that it releases its resources before the process ends. */
public final class CleanEnd
{
    private static final long PATIENCE_SECONDS = 15;

    private final CountDownLatch done = new CountDownLatch(1);

    private CleanEnd()
    {
        final Thread worker = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(worker), "clean-end"));
    }

    /**
     * Runs work on the calling thread and returns its exit status. SIGINT and SIGTERM interrupt the thread, and the
     * process then waits up to 15 s for the end of the work. On interruption the work must end and release its
     * resources.
     *
     * @throws Exception which the work throws.
     */
    public static int during(final Callable<Integer> work) throws Exception
    {
        final CleanEnd end = new CleanEnd();
        try
        {
            return work.call();
        }
        finally
        {
            end.done.countDown();
        }
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
}
