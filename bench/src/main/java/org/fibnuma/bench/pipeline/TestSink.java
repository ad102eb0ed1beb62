package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

/** A host that takes frames off its link and gives their chunks back. Used by one thread. */
final class TestSink
{
    private final RxQueue rxQueue;
    private final TxQueue txQueue;
    private final FramePool pool;
    private final FrameBatch batch = new FrameBatch();

    TestSink(final Port port, final FramePool pool)
    {
        this.rxQueue = port.rxQueue(0);
        this.txQueue = port.txQueue(0);
        this.pool = pool;
    }

    /** Takes what is there, up to a batch. */
    int drain()
    {
        batch.clear();
        final int count = rxQueue.receive(batch);
        release(count);
        return count;
    }

    /**
     * Takes what is there, up to a batch, and records how long each frame was under way.
     *
     * @param now on the clock of the time stamps.
     */
    int drain(final Histogram latencies, final long now)
    {
        batch.clear();
        final int count = rxQueue.receive(batch);
        for (int i = 0; i < count; i++)
        {
            latencies.recordValue(now - FrameMemory.getLong(batch.address(i) + TestTraffic.STAMP_OFFSET));
        }
        release(count);
        return count;
    }

    private void release(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            pool.release(batch.handle(i));
        }
        txQueue.flush();
    }
}
