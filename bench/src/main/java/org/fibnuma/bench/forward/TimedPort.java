package org.fibnuma.bench.forward;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

/** A port with one pair of queues that measures the time spent in its calls. For one thread. */
final class TimedPort extends DelegatingPort
{
    private final TimedRxQueue rxQueue;
    private final TimedTxQueue txQueue;

    TimedPort(final Port port)
    {
        super(port);
        this.rxQueue = new TimedRxQueue(port.rxQueue(0));
        this.txQueue = new TimedTxQueue(port.txQueue(0));
    }

    Usage receiving()
    {
        return rxQueue.usage;
    }

    Usage sending()
    {
        return txQueue.usage;
    }

    @Override
    public int queueCount()
    {
        return 1;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueue;
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueue;
    }

    /** Time spent in calls, and the number of calls and frames. */
    static final class Usage
    {
        private long nanos;
        private long calls;
        private long frames;

        private void add(final long start, final int count)
        {
            nanos += System.nanoTime() - start;
            calls++;
            frames += count;
        }

        long nanos()
        {
            return nanos;
        }

        long calls()
        {
            return calls;
        }

        long frames()
        {
            return frames;
        }

        void reset()
        {
            nanos = 0;
            calls = 0;
            frames = 0;
        }
    }

    private static final class TimedRxQueue implements RxQueue
    {
        private final Usage usage = new Usage();
        private final RxQueue queue;

        TimedRxQueue(final RxQueue queue)
        {
            this.queue = queue;
        }

        @Override
        public int receive(final FrameBatch batch)
        {
            final long start = System.nanoTime();
            final int count = queue.receive(batch);
            usage.add(start, count);
            return count;
        }
    }

    private static final class TimedTxQueue implements TxQueue
    {
        private final Usage usage = new Usage();
        private final TxQueue queue;

        TimedTxQueue(final TxQueue queue)
        {
            this.queue = queue;
        }

        @Override
        public boolean offer(final long handle, final long address, final int length)
        {
            return queue.offer(handle, address, length);
        }

        @Override
        public int offer(final FrameBatch batch, final int from, final int to)
        {
            final long start = System.nanoTime();
            final int count = queue.offer(batch, from, to);
            usage.add(start, count);
            return count;
        }

        @Override
        public void flush()
        {
            final long start = System.nanoTime();
            queue.flush();
            usage.add(start, 0);
        }
    }
}
