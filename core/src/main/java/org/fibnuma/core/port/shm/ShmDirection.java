package org.fibnuma.core.port.shm;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.ring.DescriptorRing;

/**
 * One direction of a queue.
 *
 * @param file  with the ring and the slots; the reference keeps the mapping alive.
 * @param ring  of descriptors, of which only the length is used.
 * @param slots native address of the first frame's slot.
 */
record ShmDirection(AtomicBuffer file, DescriptorRing ring, long slots)
{
    /** Returns the native address of the frame of a ring slot. */
    long slot(final int index)
    {
        return slots + (long)index * ShmLayout.SLOT_SIZE;
    }
}
