package org.fibnuma.fibnic.warmup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A thread that forwards frames of every kind through a {@link Rehearsal} while the process starts. So the JIT has
 * compiled the data path before the first port opens. It runs once per process, because it warms up code, not a router.
 */
public final class WarmUp implements AutoCloseable
{
    /**
     * System property: the number of batches; {@link #DEFAULT_BATCHES} without it, no warm-up with 0. With
     * {@code -XX:TieredStopAtLevel=1} the JIT compiles a method after 200 calls (Tier3InvocationThreshold), so that 300
     * batches are enough.
     */
    public static final String BATCHES_PROPERTY = "fibnuma.warm-up.batches";

    /** Twice the calls of a method that the JIT's last tier requires (Tier4InvocationThreshold). */
    public static final int DEFAULT_BATCHES = 10_000;

    private static final int BATCHES = Integer.getInteger(BATCHES_PROPERTY, DEFAULT_BATCHES);

    /** Bounds the delay of the start on a busy machine. */
    private static final long LONGEST_MS = 2000;

    private static final Logger LOGGER = LoggerFactory.getLogger(WarmUp.class);
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private final Thread thread = new Thread(this::run, "warm-up");
    private volatile boolean ended;

    private WarmUp()
    {
        thread.setDaemon(true);
    }

    /** Starts the warm-up once per process. It has to be awaited before frames are received. */
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
        LOGGER.debug("warm-up: {} batches in {} ms", batches, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    /** Waits for the end of the warm-up. An interrupt ends it early. */
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

    /** Ends the warm-up early. */
    @Override
    public void close()
    {
        ended = true;
    }
}
