package org.fibnuma.bench.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.SoftwarePort;
import org.fibnuma.core.port.TxQueue;

import java.util.List;

/** A port that receives test frames, or none, and whose sent frames return to the pool at once. */
final class ReplayPort extends SoftwarePort<RxQueue, TxQueue> implements TxQueue
{
    private final FramePool pool;
    private final boolean isBusyAtFirst;
    /** While true, no frame is taken; a refused single frame ends this. */
    private boolean isBusy;

    /** A port that is busy at first refuses frames in every duty cycle, so that all pass the egress FIFO. */
    ReplayPort(final int index, final RxQueue rxQueue, final FramePool pool, final boolean isBusyAtFirst)
    {
        super("replay",
            new PortRequest("replay-" + index, "test", index, List.of(pool), PortSettings.DEFAULT),
            new RxQueue[]{rxQueue}, new TxQueue[1]);
        this.pool = pool;
        this.isBusyAtFirst = isBusyAtFirst;
        isBusy = isBusyAtFirst;
        txQueues[0] = this;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (isBusy)
        {
            isBusy = false;
            return false;
        }
        pool.release(handle);
        return true;
    }

    @Override
    public int offer(final FrameBatch batch, final int from, final int to)
    {
        if (isBusy)
        {
            return 0;
        }
        for (int i = FrameBatch.index(from); i < to; i++)
        {
            pool.release(batch.handle(i));
        }
        return to - from;
    }

    @Override
    public void flush()
    {
        isBusy = isBusyAtFirst;
    }

    @Override
    public String mode()
    {
        return "test";
    }

    @Override
    public void start()
    {
        // It receives at once.
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return 0;
    }

    @Override
    public void close()
    {
        // The frames own the memory.
    }
}
