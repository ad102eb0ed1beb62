package org.fibnuma.core.port.shm;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.ring.DescriptorRing;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

/**
 * Layout of a link's file, in the machine's byte order: a header of one memory page; for each queue the ring and slots
 * from the near end to the far end, then those of the other direction; the rings of cache lines of both directions.
 */
final class ShmLayout
{
    /** Longest frame without FCS that a slot can contain, in bytes. */
    static final int SLOT_SIZE = 2048;

    private static final long MAGIC = 0x4649_424E_5348_4D35L;
    private static final int MAGIC_OFFSET = 0;
    private static final int RING_SIZE_OFFSET = MAGIC_OFFSET + Long.BYTES;
    private static final int QUEUE_COUNT_OFFSET = RING_SIZE_OFFSET + Integer.BYTES;
    /** IPv4 address of the endpoint of an end, 0 for none; each on separate cache lines. */
    private static final int NEAR_ADDRESS_OFFSET = 4 * BitUtil.CACHE_LINE_LENGTH;
    private static final int FAR_ADDRESS_OFFSET = NEAR_ADDRESS_OFFSET + 2 * BitUtil.CACHE_LINE_LENGTH;
    private static final int HEADER_LENGTH = 4096;
    private static final int DIRECTIONS = 2;
    /** Cache lines of a ring, 256 KiB. A process fills them in 30 us if the other one does not run. */
    private static final int LINES = 4096;
    private static final int LINE_RING_LENGTH = BitUtil.align(LineRingProducer.bytes(LINES), SLOT_SIZE);

    private ShmLayout()
    {
    }

    static long fileLength(final int ringSize, final int queueCount)
    {
        return lineRingOffset(ringSize, queueCount, true) + (long)DIRECTIONS * LINE_RING_LENGTH;
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

    /** Stores the IPv4 address of the endpoint of an end, 0 for none. */
    static void announce(final AtomicBuffer file, final boolean far, final int ipv4)
    {
        file.putIntVolatile(far ? FAR_ADDRESS_OFFSET : NEAR_ADDRESS_OFFSET, ipv4);
    }

    /** Returns the IPv4 address of the endpoint of an end, 0 for none. */
    static int announced(final AtomicBuffer file, final boolean far)
    {
        return file.getIntVolatile(far ? FAR_ADDRESS_OFFSET : NEAR_ADDRESS_OFFSET);
    }

    static LineRingProducer producer(final AtomicBuffer file, final boolean toFar)
    {
        return new LineRingProducer(lineRing(file, toFar), LINES);
    }

    static LineRingConsumer consumer(final AtomicBuffer file, final boolean toFar)
    {
        return new LineRingConsumer(lineRing(file, toFar), LINES);
    }

    private static AtomicBuffer lineRing(final AtomicBuffer file, final boolean toFar)
    {
        return new UnsafeBuffer(
            file, (int)lineRingOffset(ringSize(file), queueCount(file), toFar), LineRingProducer.bytes(LINES));
    }

    private static long lineRingOffset(final int ringSize, final int queueCount, final boolean toFar)
    {
        return HEADER_LENGTH + (long)queueCount * DIRECTIONS * directionLength(ringSize) +
            (toFar ? 0 : LINE_RING_LENGTH);
    }

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
