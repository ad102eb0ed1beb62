package org.fibnuma.core.ring;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Bounded FIFO of frame descriptors for one producer and one consumer thread. Positions only grow. Each side caches the
 * other's position, and reads the shared one only if the ring is full or empty by the cached one.
 * <p>
 * The producer calls {@link #offer} and then {@link #publish}; the consumer calls {@link #readable}, reads by index and
 * calls {@link #consume}. One thread may be both.
 */
public final class DescriptorRing extends DescriptorRingPositions
{
    // Memory: each position on its own pair of cache lines, because the processor prefetches lines in pairs; then the
    // records.
    private static final int TAIL_OFFSET = 0;
    private static final int HEAD_OFFSET = TAIL_OFFSET + 2 * BitUtil.CACHE_LINE_LENGTH;
    private static final int RECORDS_OFFSET = HEAD_OFFSET + 2 * BitUtil.CACHE_LINE_LENGTH;
    private static final int HANDLE_OFFSET = 0;
    private static final int FRAME_OFFSET = HANDLE_OFFSET + Long.BYTES;
    private static final int LENGTH_OFFSET = FRAME_OFFSET + Integer.BYTES;
    private static final int RECORD_SHIFT = 4;

    private final AtomicBuffer buffer;
    private final long records;
    private final int capacity;
    private final int mask;

    /** Makes an empty ring in its own memory, with a capacity in descriptors that is a power of two. */
    public DescriptorRing(final int capacity)
    {
        this(new UnsafeBuffer(ByteBuffer.allocateDirect(bytes(capacity) + 2 * BitUtil.CACHE_LINE_LENGTH)), capacity);
    }

    /**
     * Makes a ring in memory that may be shared with another process. The ring is empty if the memory is zeroed.
     * Otherwise it continues from the published positions.
     *
     * @param buffer   of at least {@link #bytes} bytes outside the heap.
     * @param capacity in descriptors, a power of two.
     */
    public DescriptorRing(final AtomicBuffer buffer, final int capacity)
    {
        if (!BitUtil.isPowerOfTwo(capacity))
        {
            throw new IllegalArgumentException("ring capacity must be a power of two: " + capacity);
        }
        if (buffer.byteArray() != null)
        {
            throw new IllegalArgumentException("a ring needs a buffer outside the heap");
        }
        buffer.checkLimit(bytes(capacity));
        this.buffer = buffer;
        this.records = buffer.addressOffset() + RECORDS_OFFSET;
        this.capacity = capacity;
        this.mask = capacity - 1;
        this.head = buffer.getLongVolatile(HEAD_OFFSET);
        this.headCopy = head;
        this.tail = buffer.getLongVolatile(TAIL_OFFSET);
        this.tailCopy = tail;
    }

    /** Returns the memory in bytes that a ring of a capacity in descriptors needs. */
    public static int bytes(final int capacity)
    {
        return RECORDS_OFFSET + (capacity << RECORD_SHIFT);
    }

    /**
     * Producer: adds a descriptor, which {@link #publish} makes visible to the consumer.
     *
     * @param handle  chunk of the frame.
     * @param address native address of the first byte of the frame, at most 2 GiB after the handle.
     * @param length  of the frame in bytes.
     * @return false if the ring is full.
     */
    public boolean offer(final long handle, final long address, final int length)
    {
        if (isFull(tail - headCopy))
        {
            headCopy = buffer.getLongVolatile(HEAD_OFFSET);
            if (isFull(tail - headCopy))
            {
                return false;
            }
        }
        final long record = record(tail);
        UnsafeApi.putLong(record + HANDLE_OFFSET, handle);
        UnsafeApi.putInt(record + FRAME_OFFSET, (int)(address - handle));
        UnsafeApi.putInt(record + LENGTH_OFFSET, length);
        tail++;
        return true;
    }

    /** Producer: makes all offered descriptors and the bytes of their frames visible (release semantics). */
    public void publish()
    {
        buffer.putLongRelease(TAIL_OFFSET, tail);
    }

    /** Producer: returns how many more descriptors fit, 0 to the capacity. */
    public int room()
    {
        headCopy = buffer.getLongVolatile(HEAD_OFFSET);
        return isFull(tail - headCopy) ? 0 : capacity - (int)(tail - headCopy);
    }

    /** Returns true also for an invalid position, which another process may have stored. */
    private boolean isFull(final long used)
    {
        return Long.compareUnsigned(used, capacity) >= 0;
    }

    /**
     * Consumer: returns how many descriptors can be read, 0 to {@code limit}, which is 1 or more. If another process
     * has stored an invalid position of the producer, the consumer continues from that position and {@link #skips}
     * grows.
     */
    public int readable(final int limit)
    {
        if (tailCopy - head < limit)
        {
            tailCopy = buffer.getLongVolatile(TAIL_OFFSET);
            if (Long.compareUnsigned(tailCopy - head, capacity) > 0)
            {
                skips++;
                head = tailCopy;
                buffer.putLongRelease(HEAD_OFFSET, head);
            }
        }
        return (int)Math.min(tailCopy - head, limit);
    }

    /** Consumer: returns how often the producer's position was out of range; always 0 in memory of one process. */
    public long skips()
    {
        return skips;
    }

    /** Consumer: returns the handle of a readable descriptor by its index, 0 for the oldest. */
    public long handle(final int i)
    {
        return UnsafeApi.getLong(record(head + i) + HANDLE_OFFSET);
    }

    /** Consumer: returns the address of a readable descriptor by its index, 0 for the oldest. */
    public long address(final int i)
    {
        final long record = record(head + i);
        return UnsafeApi.getLong(record + HANDLE_OFFSET) + UnsafeApi.getInt(record + FRAME_OFFSET);
    }

    /** Consumer: returns the length of a readable descriptor by its index, 0 for the oldest. */
    public int length(final int i)
    {
        return UnsafeApi.getInt(record(head + i) + LENGTH_OFFSET);
    }

    /** Consumer: frees the slots of the oldest descriptors, at most as many as {@link #readable} returned. */
    public void consume(final int count)
    {
        head += count;
        buffer.putLongRelease(HEAD_OFFSET, head);
    }

    /**
     * Consumer: publishes its position again. Needed if another process truncated the memory and it was restored with
     * zeros: the producer of a full ring waits for a position.
     */
    public void republish()
    {
        buffer.putLongRelease(HEAD_OFFSET, head);
    }

    /** Producer: returns the slot of the next offered descriptor, 0 to the capacity - 1, for data beside the ring. */
    public int nextSlot()
    {
        return (int)tail & mask;
    }

    /** Consumer: returns the slot of a readable descriptor by its index, 0 to the capacity - 1. */
    public int slot(final int i)
    {
        return (int)(head + i) & mask;
    }

    private long record(final long position)
    {
        // The mask keeps the address in bounds. Agrona's checks at each access would prevent that the JIT keeps the
        // positions in registers.
        return records + (((int)position & mask) << RECORD_SHIFT);
    }
}
