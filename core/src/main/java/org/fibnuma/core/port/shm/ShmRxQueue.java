package org.fibnuma.core.port.shm;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.ring.DescriptorRing;

/**
 * Copies frames out of slots. The length that the peer wrote is validated against the sizes of the slot and the chunk.
 */
final class ShmRxQueue implements RxQueue
{
    private static final int EMPTY_POLLS_MASK = (1 << 10) - 1;

    private final ShmDirection direction;
    private final DescriptorRing ring;
    private final FramePool pool;
    private final int room;
    private final int portIndex;
    private long skips;
    private int emptyPolls;
    private volatile boolean started;
    private volatile long dropped;

    ShmRxQueue(final ShmDirection direction, final FramePool pool, final int portIndex)
    {
        this.direction = direction;
        this.ring = direction.ring();
        this.pool = pool;
        this.room = Math.min(ShmLayout.SLOT_SIZE, pool.chunkSize() - FramePool.HEADROOM);
        this.portIndex = portIndex;
    }

    /** Discards frames for a previous owner of this end. Called before a worker receives. */
    void start()
    {
        ring.consume(ring.readable(Integer.MAX_VALUE));
        started = true;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (!started)
        {
            return 0;
        }
        final int count = Math.min(ring.readable(batch.room()), pool.available());
        final int sizeBefore = batch.size();
        if (count > 0)
        {
            for (int i = 0; i < count; i++)
            {
                take(batch, direction.slot(ring.slot(i)), ring.length(i));
            }
            ring.consume(count);
        }
        else
        {
            onEmpty();
        }
        return batch.size() - sizeBefore;
    }

    private void onEmpty()
    {
        if (ring.skips() != skips)
        {
            skips = ring.skips();
            drop();
        }
        if ((++emptyPolls & EMPTY_POLLS_MASK) == 0)
        {
            // If the file was truncated and restored, the peer has lost this end's position and may wait for it.
            ring.republish();
        }
    }

    private void take(final FrameBatch batch, final long slot, final int length)
    {
        if (length <= 0 || length > room)
        {
            drop();
            return;
        }
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        UnsafeApi.copyMemory(slot, frame, length);
        batch.add(chunk, frame, length, portIndex);
    }

    private void drop()
    {
        // Written by the worker thread only, so that the increment need not be atomic.
        dropped = dropped + 1;
    }

    /** Returns how many frames had an invalid length and how often the peer's position was invalid; any thread. */
    long dropped()
    {
        return dropped;
    }
}
