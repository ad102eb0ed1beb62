package org.fibnuma.core.port.shm;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.ring.DescriptorRing;

/** Copies frames into slots; chunks go back to the pool at once. A frame longer than a slot is counted and lost. */
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
            // Only the worker stores it, so that reading and adding need not be one step.
            final long before = tooLong;
            tooLong = before + 1;
        }
        else
        {
            final long slot = direction.slot(ring.nextPlace());
            if (!ring.offer(NOTHING, NOTHING, length))
            {
                // Again: where the file was cut and restored meanwhile, the peer has lost the position.
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

    /** Frames that no slot has room for; any thread. */
    long tooLong()
    {
        return tooLong;
    }
}
