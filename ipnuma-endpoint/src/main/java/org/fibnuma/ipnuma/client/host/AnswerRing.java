package org.fibnuma.ipnuma.client.host;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Fills a ring that another process reads as Agrona's {@code OneToOneRingBuffer} does. That process may store anything
 * anywhere in the ring at any time. The position of the writer is a field of this object and only published in the
 * ring; of what the other process stores, only the position of the reader is used, and only where it is a possible one.
 */
final class AnswerRing
{
    /** No room, or the reader's position is out of range. */
    static final int NONE = -1;

    private static final int HEADER = RecordDescriptor.HEADER_LENGTH;
    private static final int PADDING = -1;

    private final AtomicBuffer buffer;
    private final int capacity;
    private long tail;
    private long head;
    private boolean broken;

    /**
     * A ring that starts at position 0.
     *
     * @param buffer   of the ring and its trailer.
     * @param capacity of the ring, a power of two.
     */
    AnswerRing(final AtomicBuffer buffer, final int capacity)
    {
        this.buffer = buffer;
        this.capacity = capacity;
    }

    /**
     * Makes room for a record; only one at a time.
     *
     * @param length of the record without its header, at most an eighth of the ring.
     * @return index of its first byte behind the header, or {@link #NONE}.
     */
    int claim(final int length)
    {
        final int aligned = BitUtil.align(length + HEADER, RecordDescriptor.ALIGNMENT);
        int index = (int)tail & capacity - 1;
        final int toEnd = capacity - index;
        // The length of the record behind this one is set to 0 with it, and needs room too.
        final int padding = aligned != toEnd && aligned + HEADER > toEnd ? toEnd : 0;
        final int needed = padding + aligned + HEADER;
        if (needed > capacity - (tail - head) && needed > capacity - size())
        {
            return NONE;
        }
        tail += padding + aligned;
        buffer.putLongRelease(capacity + RingBufferDescriptor.TAIL_POSITION_OFFSET, tail);
        if (padding != 0)
        {
            buffer.putLong(0, 0);
            buffer.putInt(RecordDescriptor.typeOffset(index), PADDING);
            buffer.putIntRelease(RecordDescriptor.lengthOffset(index), padding);
            index = 0;
        }
        buffer.putLong((int)tail & capacity - 1, 0);
        return index + HEADER;
    }

    /**
     * Lets the reader see a record.
     *
     * @param at     of {@link #claim}.
     * @param type   of the record.
     * @param length as claimed.
     */
    void commit(final int at, final int type, final int length)
    {
        buffer.putInt(RecordDescriptor.typeOffset(at - HEADER), type);
        buffer.putIntRelease(RecordDescriptor.lengthOffset(at - HEADER), length + HEADER);
    }

    /** Bytes that the reader has not given back: all of them once its position was out of range. */
    int size()
    {
        final long read = buffer.getLongVolatile(capacity + RingBufferDescriptor.HEAD_POSITION_OFFSET);
        // A reader's position never goes back, and never passes the writer's.
        if (Long.compareUnsigned(read - head, tail - head) > 0)
        {
            broken = true;
        }
        if (broken)
        {
            return capacity;
        }
        head = read;
        return (int)(tail - head);
    }

    /** Whether the reader's position was out of range. Nothing is written from then on. */
    boolean isBroken()
    {
        return broken;
    }

    /** Empties ring and trailer for the next reader. */
    void reset()
    {
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        tail = 0;
        head = 0;
        broken = false;
    }
}
