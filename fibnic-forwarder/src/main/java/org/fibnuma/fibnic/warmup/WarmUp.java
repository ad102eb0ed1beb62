package org.fibnuma.fibnic.warmup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The warm-up of this process, beside whatever else it does to start: a thread that lets frames of every kind through
 * a {@link Rehearsal}. Once is enough for a process, since what it warms is the code and not a router.
 */
public final class WarmUp implements AutoCloseable
{
    /** As many calls of every stage as the JIT's last tier asks for (Tier4InvocationThreshold), twice. */
    private static final int BATCHES = 10_000;

    /** On a machine that is busy with something else a router that starts cold is better than none. */
    private static final long LONGEST_MS = 2000;

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private final Thread thread = new Thread(this::run, "warm-up");
    private volatile boolean ended;

    private WarmUp()
    {
        thread.setDaemon(true);
    }

    /** Starts the warm-up unless this process has done so before. It has to be awaited before frames are received. */
    public static WarmUp start()
    {
        final WarmUp warmUp = new WarmUp();
        if (BEGUN.compareAndSet(false, true))
        {
            warmUp.thread.start();
        }
        return warmUp;
    }

    private void run()
    {
        final long start = System.nanoTime();
        final long end = start + TimeUnit.MILLISECONDS.toNanos(LONGEST_MS);
        int batches = 0;
        try (Rehearsal rehearsal = new Rehearsal())
        {
            while (!ended && batches < BATCHES && System.nanoTime() - end < 0)
            {
                rehearsal.run(batches++);
            }
        }
        LOG.debug("warm-up: {} batches in {} ms", batches, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    /** Waits until it is over. An interrupt ends it early. */
    public void await()
    {
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            close();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it early. */
    @Override
    public void close()
    {
        ended = true;
    }
}
