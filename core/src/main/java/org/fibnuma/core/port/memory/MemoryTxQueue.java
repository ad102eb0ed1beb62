package org.fibnuma.core.port.memory;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.ring.DescriptorRing;

/** Passes frames to the other end and returns its empty chunks to the pool. */
final class MemoryTxQueue implements TxQueue
{
    private final DescriptorRing frames;
    private final DescriptorRing empties;
    private final FramePool pool;
    private boolean unpublished;

    MemoryTxQueue(final MemoryLink.Direction direction, final FramePool pool)
    {
        this.frames = direction.frames();
        this.empties = direction.empties();
        this.pool = pool;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        final boolean taken = frames.offer(handle, address, length);
        unpublished |= taken;
        return taken;
    }

    @Override
    public int offer(final FrameBatch batch, final int from, final int to)
    {
        int i = from;
        while (i < to && frames.offer(batch.handle(i), batch.address(i), batch.length(i)))
        {
            i++;
        }
        unpublished |= i > from;
        return i - from;
    }

    @Override
    public void flush()
    {
        if (unpublished)
        {
            frames.publish();
            unpublished = false;
        }
        reclaim();
    }

    /** Returns the empty chunks from the other end to the pool. */
    void reclaim()
    {
        // All of them at every flush: at most two rings of chunks are then in use, which is the capacity.
        final int count = empties.readable(Integer.MAX_VALUE);
        if (count > 0)
        {
            for (int i = 0; i < count; i++)
            {
                pool.release(empties.handle(i));
            }
            empties.consume(count);
        }
    }
}
