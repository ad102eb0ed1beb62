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
     * @param now  on the clock of the time stamps.
     * @param all  records every frame.
     * @param some records them too, or null.
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
