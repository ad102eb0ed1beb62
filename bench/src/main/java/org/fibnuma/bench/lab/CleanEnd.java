package org.fibnuma.bench.lab;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Lets a thread clean up when the process is told to end: on SIGINT and SIGTERM it is interrupted, and the process
 * waits until it says that it is done.
 */
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
     * Lets the calling thread do all that the process is for, and clean up after itself, and ends the process.
     *
     * @param work yields the exit status.
     */
    public static void exitAfter(final IntSupplier work)
    {
        System.exit(during(work));
    }

    /**
     * Lets the calling thread do something of which it must clean up. It should heed interruption meanwhile.
     *
     * @param work yields an exit status.
     * @return that status.
     */
    public static int during(final IntSupplier work)
    {
        final CleanEnd end = new CleanEnd();
        try
        {
            return work.getAsInt();
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
