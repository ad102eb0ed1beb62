package org.fibnuma.core.port.shm;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.ring.DescriptorRing;

/**
 * Layout of a link's file: a header of one page, then for each queue the ring and the slots from the near end to the
 * far end, then those of the other direction. Numbers are in the machine's byte order.
 */
final class ShmLayout
{
    /** Longest frame without FCS that a slot can contain, in bytes. */
    static final int SLOT_SIZE = 2048;

    private static final long MAGIC = 0x4649_424E_5348_4D31L;
    private static final int MAGIC_OFFSET = 0;
    private static final int RING_SIZE_OFFSET = MAGIC_OFFSET + Long.BYTES;
    private static final int QUEUE_COUNT_OFFSET = RING_SIZE_OFFSET + Integer.BYTES;
    private static final int HEADER_LENGTH = 4096;
    private static final int DIRECTIONS = 2;

    private ShmLayout()
    {
    }

    static long fileLength(final int ringSize, final int queueCount)
    {
        return HEADER_LENGTH + (long)queueCount * DIRECTIONS * directionLength(ringSize);
    }

    private static long directionLength(final int ringSize)
    {
        return ringLength(ringSize) + (long)ringSize * SLOT_SIZE;
    }

    private static int ringLength(final int ringSize)
    {
        return BitUtil.align(DescriptorRing.bytes(ringSize), SLOT_SIZE);
    }

    static void writeHeader(final AtomicBuffer file, final int ringSize, final int queueCount)
    {
        file.putInt(RING_SIZE_OFFSET, ringSize);
        file.putInt(QUEUE_COUNT_OFFSET, queueCount);
        file.putLongRelease(MAGIC_OFFSET, MAGIC);
    }

    /** Returns whether the file is that of a link. */
    static boolean isLink(final AtomicBuffer file)
    {
        return file.capacity() >= HEADER_LENGTH && file.getLongVolatile(MAGIC_OFFSET) == MAGIC;
    }

    static int ringSize(final AtomicBuffer file)
    {
        return file.getInt(RING_SIZE_OFFSET);
    }

    static int queueCount(final AtomicBuffer file)
    {
        return file.getInt(QUEUE_COUNT_OFFSET);
    }

    /** Returns one direction of a queue; its buffer keeps the mapping alive. */
    static ShmDirection direction(
        final AtomicBuffer file, final int ringSize, final int queue, final boolean toFar)
    {
        final long number = (long)queue * DIRECTIONS + (toFar ? 0 : 1);
        final int offset = (int)(HEADER_LENGTH + number * directionLength(ringSize));
        final DescriptorRing ring = new DescriptorRing(
            new UnsafeBuffer(file, offset, DescriptorRing.bytes(ringSize)), ringSize);
        return new ShmDirection(file, ring, file.addressOffset() + offset + ringLength(ringSize));
    }
}
