package org.fibnuma.core.ring;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

import static org.fibnuma.core.ring.DescriptorRingLayout.FRAME_OFFSET;
import static org.fibnuma.core.ring.DescriptorRingLayout.HANDLE_OFFSET;
import static org.fibnuma.core.ring.DescriptorRingLayout.HEAD_OFFSET;
import static org.fibnuma.core.ring.DescriptorRingLayout.LENGTH_OFFSET;
import static org.fibnuma.core.ring.DescriptorRingLayout.RECORDS_OFFSET;
import static org.fibnuma.core.ring.DescriptorRingLayout.RECORD_SHIFT;
import static org.fibnuma.core.ring.DescriptorRingLayout.TAIL_OFFSET;

/**
 * Bounded FIFO of frame descriptors for one producer and one consumer thread. Positions only grow; each side keeps a
 * copy of the other's position and reads the shared one only when its copy says full or empty.
 * <p>
 * The producer {@link #offer}s and then {@link #publish}es what it offered; the consumer asks what is
 * {@link #readable}, reads by index and {@link #consume}s. One thread may be both.
 */
public final class DescriptorRing extends DescriptorRingPositions
{
    private final AtomicBuffer buffer;
    private final long records;
    private final int capacity;
    private final int mask;

    /**
     * An empty ring in memory of its own.
     *
     * @param capacity in descriptors, a power of two.
     */
    public DescriptorRing(final int capacity)
    {
        this(new UnsafeBuffer(ByteBuffer.allocateDirect(bytes(capacity) + 2 * BitUtil.CACHE_LINE_LENGTH)), capacity);
    }

    /**
     * A ring in memory that somebody else may share: empty where the memory is zeroed, else going on from the positions
     * that its users before published.
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
            throw new IllegalArgumentException("a ring needs memory outside the heap");
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

    /**
     * Memory that a ring takes.
     *
     * @param capacity in descriptors.
     * @return bytes.
     */
    public static int bytes(final int capacity)
    {
        return RECORDS_OFFSET + (capacity << RECORD_SHIFT);
    }

    /**
     * Producer: adds a descriptor that the consumer sees after {@link #publish}.
     *
     * @param handle  chunk of the frame.
     * @param address first byte of the frame, within 2 GiB behind the handle.
     * @param length  of the frame in bytes.
     * @return false where the ring is full.
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

    /** Producer: makes everything offered so far visible; release, so that the frame bytes are seen with it. */
    public void publish()
    {
        buffer.putLongRelease(TAIL_OFFSET, tail);
    }

    /**
     * Producer: how many more descriptors fit.
     *
     * @return 0 to the capacity.
     */
    public int room()
    {
        headCopy = buffer.getLongVolatile(HEAD_OFFSET);
        return isFull(tail - headCopy) ? 0 : capacity - (int)(tail - headCopy);
    }

    /** Also where another process has stored a position that no consumer can have. */
    private boolean isFull(final long used)
    {
        return Long.compareUnsigned(used, capacity) >= 0;
    }

    /**
     * Consumer: how many descriptors can be read. Where another process has stored a position that no producer of this
     * ring can have, the consumer goes on from that position and {@link #skips} grows.
     *
     * @param limit as many as the caller wants, 1 or more.
     * @return 0 to {@code limit}.
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

    /**
     * Consumer: how often the position of the producer was out of range.
     *
     * @return 0 in memory of one process.
     */
    public long skips()
    {
        return skips;
    }

    /**
     * Consumer: handle of a readable descriptor.
     *
     * @param i 0 for the oldest.
     * @return the handle that was offered.
     */
    public long handle(final int i)
    {
        return UnsafeApi.getLong(record(head + i) + HANDLE_OFFSET);
    }

    /**
     * Consumer: address of a readable descriptor.
     *
     * @param i 0 for the oldest.
     * @return the address that was offered.
     */
    public long address(final int i)
    {
        final long record = record(head + i);
        return UnsafeApi.getLong(record + HANDLE_OFFSET) + UnsafeApi.getInt(record + FRAME_OFFSET);
    }

    /**
     * Consumer: length of a readable descriptor.
     *
     * @param i 0 for the oldest.
     * @return the length that was offered.
     */
    public int length(final int i)
    {
        return UnsafeApi.getInt(record(head + i) + LENGTH_OFFSET);
    }

    /**
     * Consumer: gives the oldest descriptors' places back.
     *
     * @param count at most what {@link #readable} said.
     */
    public void consume(final int count)
    {
        head += count;
        buffer.putLongRelease(HEAD_OFFSET, head);
    }

    /**
     * Consumer: publishes its position once more, for memory that another process can cut and that was zeroed when it
     * was restored: a producer that finds the ring full there waits for a position.
     */
    public void republish()
    {
        buffer.putLongRelease(HEAD_OFFSET, head);
    }

    /**
     * Where the next descriptor that is offered will lie, for a producer who keeps something beside each.
     *
     * @return its place, 0 to the capacity less one.
     */
    public int nextPlace()
    {
        return (int)tail & mask;
    }

    /**
     * Where a readable descriptor lies.
     *
     * @param i of the descriptor, from 0.
     * @return its place, 0 to the capacity less one, whatever the producer wrote.
     */
    public int place(final int i)
    {
        return (int)(head + i) & mask;
    }

    private long record(final long position)
    {
        // The mask keeps it inside; without Agrona's checks and without the question whether the memory is a Java
        // array, which it asks at each access, the JIT keeps the positions in registers.
        return records + (((int)position & mask) << RECORD_SHIFT);
    }
}
