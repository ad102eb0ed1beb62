package org.fibnuma.core.service.jvmpause;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Times of one thread from the kernel: on a core, and waiting for a core (second field of {@code schedstat}, proc(5)).
 * The thread itself opens it, one other thread reads it. It keeps the latest {@link #KEPT} readings.
 */
final class SchedulerTimes implements AutoCloseable
{
    static final int KEPT = 128;

    private static final Path PROC = Path.of("/proc");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final FileChannel schedstat;
    private final long javaThread;
    private final ByteBuffer text = ByteBuffer.allocateDirect(128);
    private final long[] timesNs = new long[KEPT];
    private final long[] coreNs = new long[KEPT];
    private final long[] waitNs = new long[KEPT];
    private long readings;

    private SchedulerTimes(final FileChannel schedstat, final long javaThread)
    {
        this.schedstat = schedstat;
        this.javaThread = javaThread;
    }

    /** Opens the times of the calling thread; null if the kernel does not provide them. */
    static SchedulerTimes ofCurrentThread()
    {
        try
        {
            final Path thread = PROC.resolve(Files.readSymbolicLink(PROC.resolve("thread-self")));
            final SchedulerTimes times = new SchedulerTimes(
                FileChannel.open(thread.resolve("schedstat"), StandardOpenOption.READ),
                Thread.currentThread().getId());
            if (times.read(System.nanoTime()))
            {
                return times;
            }
            times.close();
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            // Not Linux, or a container without /proc.
            return null;
        }
        return null;
    }

    /** Adds a reading; returns false if the thread has ended or the kernel does not provide the times. */
    boolean read(final long nowNs)
    {
        text.clear();
        try
        {
            if (schedstat.read(text, 0) <= 0)
            {
                return false;
            }
        }
        catch (final IOException ex)
        {
            return false;
        }
        text.flip();
        nextNumber();
        final long wait = nextNumber();
        // Third field: how often the thread got a core; 0 in a kernel without these statistics.
        final boolean isKept = nextNumber() > 0;
        final long core = THREADS.getThreadCpuTime(javaThread);
        if (!isKept || core < 0)
        {
            return false;
        }
        final int slot = (int)(readings++ % KEPT);
        timesNs[slot] = nowNs;
        coreNs[slot] = core;
        waitNs[slot] = wait;
        return true;
    }

    /**
     * Returns the change from the last reading at or before a moment, or from the oldest one, to the latest reading.
     */
    Difference since(final long momentNs)
    {
        final long oldest = Math.max(0, readings - KEPT);
        long reading = readings - 1;
        while (reading > oldest && timesNs[(int)(reading % KEPT)] - momentNs > 0)
        {
            reading--;
        }
        final int from = (int)(reading % KEPT);
        final int to = (int)((readings - 1) % KEPT);
        return new Difference(timesNs[from], timesNs[to], coreNs[to] - coreNs[from], waitNs[to] - waitNs[from]);
    }

    /** Returns the time in ns that the thread had run at the latest reading. */
    long coreNs()
    {
        return coreNs[(int)((readings - 1) % KEPT)];
    }

    @Override
    public void close()
    {
        try
        {
            schedstat.close();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("a file that was only read", ex);
        }
    }

    private long nextNumber()
    {
        long number = 0;
        boolean inside = false;
        while (text.hasRemaining())
        {
            final int digit = text.get() - '0';
            if (digit >= 0 && digit <= 9)
            {
                number = 10 * number + digit;
                inside = true;
            }
            else if (inside)
            {
                return number;
            }
        }
        return number;
    }

    /**
     * Change between two readings, in ns.
     *
     * @param fromNs time of the first reading by {@link System#nanoTime()}.
     * @param toNs   time of the second reading.
     * @param coreNs time that the thread ran.
     * @param waitNs time that it was runnable and waited for a core.
     */
    record Difference(long fromNs, long toNs, long coreNs, long waitNs)
    {
    }
}
