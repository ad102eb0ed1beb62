package org.fibnuma.core.port.shm;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.ring.DescriptorRing;

/**
 * Frames one way.
 *
 * @param file  that both lie in, held so that the mapping lives as long.
 * @param ring  of descriptors, of which only the length says something.
 * @param slots native address of the first frame's slot.
 */
record ShmDirection(AtomicBuffer file, DescriptorRing ring, long slots)
{
    /** The slot beside a place of the ring. */
    long slot(final int place)
    {
        return slots + (long)place * ShmLayout.SLOT_SIZE;
    }
}
