package org.fibnuma.fibnic.fib;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Quiescent-state-based reclamation. The control thread releases what it has removed from a shared structure when no
 * worker can hold it any more. Each worker reports once per duty cycle that it holds nothing; what was retired before
 * the last report of every registered worker is free.
 * <p>
 * {@link #register()} and {@link Reader} are for workers, {@link #close} is for the owner of what they read, everything
 * else for the one control thread.
 */
public final class ReaderEpochs
{
    /** Workers end within a duty cycle, a cancelled comparison of the whole table within milliseconds. */
    private static final long CLOSE_PATIENCE_MS = TimeUnit.SECONDS.toMillis(10);

    private final ArrayDeque<Retired> retired = new ArrayDeque<>();
    private volatile Reader[] readers = new Reader[0];
    private volatile long epoch = 1;
    private boolean closed;

    /**
     * Adds a worker, before its first access to a shared structure; on the worker's thread or the one that starts it.
     *
     * @return reader through which the worker reports.
     * @throws IllegalStateException after {@link #close}.
     */
    public synchronized Reader register()
    {
        if (closed)
        {
            throw new IllegalStateException("the tables are closed");
        }
        final Reader reader = new Reader(this);
        final Reader[] now = Arrays.copyOf(readers, readers.length + 1);
        now[now.length - 1] = reader;
        readers = now;
        // A writer that has not seen this reader yet must have unlinked before the reader's first load.
        VarHandle.fullFence();
        return reader;
    }

    private synchronized void unregister(final Reader reader)
    {
        readers = Arrays.stream(readers).filter(other -> other != reader).toArray(Reader[]::new);
        notifyAll();
    }

    /**
     * Refuses new readers, waits until every reader has closed, and releases what was retired; any thread without a
     * reader.
     *
     * @param table name of the caller, for the exception.
     * @throws IllegalStateException if a reader is left after 10 s: nothing that it can access may be freed.
     */
    void close(final String table)
    {
        final int left = awaitReaders();
        if (left != 0)
        {
            throw new IllegalStateException(left + " readers of " + table + " have not ended within " +
                TimeUnit.MILLISECONDS.toSeconds(CLOSE_PATIENCE_MS) + " s: its memory is not freed");
        }
        reclaim();
    }

    private synchronized int awaitReaders()
    {
        closed = true;
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_PATIENCE_MS);
        boolean interrupted = false;
        long leftMs = CLOSE_PATIENCE_MS;
        while (readers.length != 0 && leftMs > 0)
        {
            try
            {
                wait(leftMs);
            }
            catch (final InterruptedException ex)
            {
                // Memory must not be freed early; the interrupt is restored below.
                interrupted = true;
            }
            leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return readers.length;
    }

    /**
     * Defers the release of an object until no worker can hold it. At this call no worker may find it any more.
     *
     * @param release runs in {@link #reclaim()}, on the control thread.
     */
    public void retire(final Runnable release)
    {
        final long next = epoch + 1;
        epoch = next;
        retired.addLast(new Retired(next, release));
    }

    /** Releases the retired objects that no worker can hold any more; returns their number. */
    public int reclaim()
    {
        if (retired.isEmpty())
        {
            return 0;
        }
        final long reached = reachedByAll();
        int count = 0;
        while (!retired.isEmpty() && retired.peekFirst().epoch <= reached)
        {
            retired.pollFirst().release.run();
            count++;
        }
        return count;
    }

    /** Returns the number of objects that are retired and not yet released. */
    public int pending()
    {
        return retired.size();
    }

    private long reachedByAll()
    {
        long reached = epoch;
        for (final Reader reader : readers)
        {
            reached = Math.min(reached, reader.reached());
        }
        return reached;
    }

    private record Retired(long epoch, Runnable release)
    {
    }

    /** The reports of one worker, used by that worker only. */
    public static final class Reader implements AutoCloseable
    {
        private static final VarHandle REACHED;

        static
        {
            try
            {
                REACHED = MethodHandles.lookup().findVarHandle(Reader.class, "reached", long.class);
            }
            catch (final ReflectiveOperationException ex)
            {
                throw new ExceptionInInitializerError(ex);
            }
        }

        private final ReaderEpochs epochs;
        private long reached;

        private Reader(final ReaderEpochs epochs)
        {
            this.epochs = epochs;
            this.reached = epochs.epoch;
        }

        /** Reports that the worker holds nothing; between batches, at least once per duty cycle, also when idle. */
        public void quiesce()
        {
            final long now = epochs.epoch;
            if (now != reached)
            {
                // Release: every load from the structures comes before this store.
                REACHED.setRelease(this, now);
            }
        }

        /** Unregisters the worker, which must not access the structures any more. */
        @Override
        public void close()
        {
            epochs.unregister(this);
        }

        private long reached()
        {
            return (long)REACHED.getAcquire(this);
        }
    }
}
