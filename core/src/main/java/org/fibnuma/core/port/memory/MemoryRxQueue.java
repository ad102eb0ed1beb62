package org.fibnuma.core.port.memory;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.ring.DescriptorRing;

/**
 * Receives frames from the link and returns a chunk for each. A frame in this end's own region is not copied; an empty
 * chunk of this end's pool is returned. Any other frame is copied, and its own chunk is returned. A frame that does not
 * fit into a chunk here is counted as dropped.
 */
final class MemoryRxQueue implements RxQueue
{
    private final DescriptorRing frames;
    private final DescriptorRing empties;
    private final FramePool pool;
    private final int portIndex;
    private volatile boolean started;
    private volatile long dropped;

    MemoryRxQueue(final MemoryLink.Direction direction, final FramePool pool, final int portIndex)
    {
        this.frames = direction.frames();
        this.empties = direction.empties();
        this.pool = pool;
        this.portIndex = portIndex;
    }

    void start()
    {
        started = true;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (!started)
        {
            return 0;
        }
        final int count = Math.min(frames.readable(batch.room()), pool.available());
        final int sizeBefore = batch.size();
        if (count > 0)
        {
            for (int i = 0; i < count; i++)
            {
                take(batch, frames.handle(i), frames.address(i), frames.length(i));
            }
            empties.publish();
            frames.consume(count);
        }
        return batch.size() - sizeBefore;
    }

    private void take(final FrameBatch batch, final long handle, final long address, final int length)
    {
        if (pool.region().contains(handle))
        {
            final long empty = pool.allocate();
            empties.offer(empty, empty, 0);
            batch.add(handle, address, length, portIndex);
        }
        else
        {
            copy(batch, address, length);
            empties.offer(handle, handle, 0);
        }
    }

    private void copy(final FrameBatch batch, final long address, final int length)
    {
        if (length > pool.chunkSize() - FramePool.HEADROOM)
        {
            // Written by the worker thread only, so that the increment need not be atomic.
            dropped = dropped + 1;
            return;
        }
        final long chunk = pool.allocate();
        final long start = chunk + FramePool.HEADROOM;
        FrameMemory.copy(address, start, length);
        batch.add(chunk, start, length, portIndex);
    }

    /** Returns how many frames were too long for a chunk here; any thread. */
    long dropped()
    {
        return dropped;
    }
}
