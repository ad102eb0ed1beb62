package org.fibnuma.core.port.shm;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;

/**
 * Copies frames out of slots. The length that the peer wrote is validated against the sizes of the slot and the chunk.
 */
final class ShmRxQueue implements RxQueue
{
    private static final int EMPTY_POLLS_MASK = (1 << 10) - 1;

    private final SlotRing ring;
    private final FramePool pool;
    private final int room;
    private final int portIndex;
    private long skips;
    private int emptyPolls;
    private volatile boolean started;
    private volatile long dropped;

    ShmRxQueue(final SlotRing ring, final FramePool pool, final int portIndex)
    {
        this.ring = ring;
        this.pool = pool;
        this.room = Math.min(ShmLayout.LONGEST_FRAME, pool.chunkSize() - FramePool.HEADROOM);
        this.portIndex = portIndex;
    }

    /** Discards old frames, which were sent to a previous owner of this end. Called before a worker receives. */
    void start()
    {
        ring.discard();
        started = true;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (!started)
        {
            return 0;
        }
        final int sizeBefore = batch.size();
        final int limit = Math.min(batch.room(), pool.available());
        int length = SlotRing.NONE;
        int taken = 0;
        while (taken < limit && (length = ring.poll()) != SlotRing.NONE)
        {
            take(batch, length);
            ring.advance();
            taken++;
        }
        if (taken > 0)
        {
            ring.consume();
        }
        else if (limit > 0)
        {
            onEmpty();
        }
        return batch.size() - sizeBefore;
    }

    private void onEmpty()
    {
        if ((++emptyPolls & EMPTY_POLLS_MASK) == 0)
        {
            ring.skipLost();
            if (ring.skips() != skips)
            {
                skips = ring.skips();
                drop();
            }
            // If the file was truncated and restored, the peer has lost this end's position and may wait for it.
            ring.consume();
        }
    }

    private void take(final FrameBatch batch, final int length)
    {
        if (length > room)
        {
            drop();
            return;
        }
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        UnsafeApi.copyMemory(ring.frame(), frame, length);
        batch.add(chunk, frame, length, portIndex);
    }

    private void drop()
    {
        // Written by the worker thread only, so that the increment need not be atomic.
        dropped = dropped + 1;
    }

    /** Returns how many frames had an invalid length and how often frames were lost with their slots; any thread. */
    long dropped()
    {
        return dropped;
    }
}
