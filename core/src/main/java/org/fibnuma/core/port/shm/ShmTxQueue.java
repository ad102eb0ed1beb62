package org.fibnuma.core.port.shm;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.ring.DescriptorRing;

/** Copies frames into slots and releases their chunks. A frame longer than a slot is counted and dropped. */
final class ShmTxQueue implements TxQueue
{
    private static final long NOTHING = 0;

    private final ShmDirection direction;
    private final DescriptorRing ring;
    private final FramePool pool;
    private boolean unpublished;
    private volatile long tooLong;

    ShmTxQueue(final ShmDirection direction, final FramePool pool)
    {
        this.direction = direction;
        this.ring = direction.ring();
        this.pool = pool;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (length > ShmLayout.SLOT_SIZE)
        {
            // Written by the worker thread only, so that the increment need not be atomic.
            tooLong = tooLong + 1;
        }
        else
        {
            final long slot = direction.slot(ring.nextSlot());
            if (!ring.offer(NOTHING, NOTHING, length))
            {
                // Published again, because the peer loses the position if the file is truncated and restored.
                ring.publish();
                return false;
            }
            UnsafeApi.copyMemory(address, slot, length);
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
