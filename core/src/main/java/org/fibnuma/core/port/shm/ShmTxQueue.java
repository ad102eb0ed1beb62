package org.fibnuma.core.port.shm;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

/** Copies frames into slots and releases their chunks. A frame longer than a slot is counted and dropped. */
final class ShmTxQueue implements TxQueue
{
    private final SlotRing ring;
    private final FramePool pool;
    private boolean unpublished;
    private volatile long tooLong;

    ShmTxQueue(final SlotRing ring, final FramePool pool)
    {
        this.ring = ring;
        this.pool = pool;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (length > ShmLayout.LONGEST_FRAME)
        {
            // Written by the worker thread only, so that the increment need not be atomic.
            tooLong = tooLong + 1;
        }
        else
        {
            if (!ring.offer(address, length))
            {
                // Published again, because the peer loses the position if the file is truncated and restored.
                ring.publish();
                return false;
            }
            unpublished = true;
        }
        pool.release(handle);
        return true;
    }

    @Override
    public void flush()
    {
        if (unpublished)
        {
            ring.publish();
            unpublished = false;
        }
    }

    /** Returns how many frames were too long for a slot; any thread. */
    long tooLong()
    {
        return tooLong;
    }
}
