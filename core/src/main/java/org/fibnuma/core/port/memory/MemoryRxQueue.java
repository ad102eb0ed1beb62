package org.fibnuma.core.port.memory;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.ring.DescriptorRing;

/** Takes frames from the link; a frame is only taken when an empty chunk can be given in exchange. */
final class MemoryRxQueue implements RxQueue
{
    private final DescriptorRing frames;
    private final DescriptorRing empties;
    private final FramePool pool;
    private final int portIndex;
    private volatile boolean started;

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
        if (count > 0)
        {
            for (int i = 0; i < count; i++)
            {
                final long empty = pool.allocate();
                empties.offer(empty, empty, 0);
                batch.add(frames.handle(i), frames.address(i), frames.length(i), portIndex);
            }
            empties.publish();
            frames.consume(count);
        }
        return count;
    }
}
