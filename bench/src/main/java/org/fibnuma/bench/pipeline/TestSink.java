package org.fibnuma.bench.pipeline;

import org.HdrHistogram.Histogram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

/** A host that receives frames and releases their chunks. Used by one thread. */
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

    /** Receives up to a batch and returns the number of frames. */
    int drain()
    {
        batch.clear();
        final int count = rxQueue.receive(batch);
        release(count);
        return count;
    }

    /**
     * Receives up to a batch and records the latency of each frame.
     *
     * @param now  time, on the clock of the time stamps.
     * @param all  records every frame.
     * @param some also records every frame, or null.
     */
    int drain(final long now, final Histogram all, final Histogram some)
    {
        batch.clear();
        final int count = rxQueue.receive(batch);
        for (int i = 0; i < count; i++)
        {
            final long latency = now - FrameMemory.getLong(batch.address(i) + TestTraffic.STAMP_OFFSET);
            all.recordValue(latency);
            if (some != null)
            {
                some.recordValue(latency);
            }
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
