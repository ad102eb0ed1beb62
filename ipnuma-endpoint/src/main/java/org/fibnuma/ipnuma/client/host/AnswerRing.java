package org.fibnuma.ipnuma.client.host;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Writes records into a ring that another process reads with Agrona's {@code OneToOneRingBuffer}. That process may
 * store any value anywhere in the ring at any time. Therefore the writer's position is a field of this object that is
 * only published in the ring. Of the bytes that the other process stores, only the reader's position is used, after
 * validation.
 */
final class AnswerRing
{
    /** There is no space, or the reader's position is out of range. */
    static final int NONE = -1;

    private static final int HEADER = RecordDescriptor.HEADER_LENGTH;
    private static final int PADDING = -1;

    private final AtomicBuffer buffer;
    private final int capacity;
    private long tail;
    /** Positions of a record that is claimed and not published; equal if there is none. */
    private long claimed;
    private long claimedEnd;
    private long head;
    private boolean broken;

    /** Creates a ring at position 0. The buffer includes the trailer; the capacity in bytes is a power of two. */
    AnswerRing(final AtomicBuffer buffer, final int capacity)
    {
        this.buffer = buffer;
        this.capacity = capacity;
    }

    /**
     * Claims space for one record at a time. A claimed record that was not published, because an error has interrupted
     * the writer, becomes padding.
     *
     * @param length of the record without its header, at most an eighth of the ring.
     * @return index of its first byte after the header, or {@link #NONE}.
     */
    int claim(final int length)
    {
        if (claimed != claimedEnd)
        {
            pad();
        }
        final int aligned = BitUtil.align(length + HEADER, RecordDescriptor.ALIGNMENT);
        int index = (int)tail & capacity - 1;
        final int toEnd = capacity - index;
        // Includes space for the length field of the following record, which is set to 0.
        final int padding = aligned != toEnd && aligned + HEADER > toEnd ? toEnd : 0;
        final int needed = padding + aligned + HEADER;
        if (needed > capacity - (tail - head) && needed > capacity - size())
        {
            return NONE;
        }
        claimed = tail;
        claimedEnd = tail + padding + aligned;
        publishTail();
        if (padding != 0)
        {
            buffer.putLong(0, 0);
            put(index, PADDING, padding);
            claimed += padding;
            index = 0;
        }
        buffer.putLong((int)tail & capacity - 1, 0);
        return index + HEADER;
    }

    private void publishTail()
    {
        tail = claimedEnd;
        buffer.putLongRelease(capacity + RingBufferDescriptor.TAIL_POSITION_OFFSET, tail);
    }

    private void pad()
    {
        publishTail();
        buffer.putLong((int)tail & capacity - 1, 0);
        while (claimed != claimedEnd)
        {
            final int index = (int)claimed & capacity - 1;
            final int length = (int)Math.min(claimedEnd - claimed, capacity - index);
            put(index, PADDING, length);
            claimed += length;
        }
    }

    private void put(final int index, final int type, final int length)
    {
        buffer.putInt(RecordDescriptor.typeOffset(index), type);
        buffer.putIntRelease(RecordDescriptor.lengthOffset(index), length);
    }

    /** Publishes a record to the reader, at the index and with the length of {@link #claim}. */
    void commit(final int at, final int type, final int length)
    {
        put(at - HEADER, type, length + HEADER);
        claimed = claimedEnd;
    }

    /**
     * Returns the number of bytes that the reader has not released, or the capacity after an invalid reader's position.
     */
    int size()
    {
        final long read = buffer.getLongVolatile(capacity + RingBufferDescriptor.HEAD_POSITION_OFFSET);
        // A reader's position never decreases and never passes the writer's.
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

    /** Returns whether the reader's position was out of range. The ring is not written any more then. */
    boolean isBroken()
    {
        return broken;
    }

    void reset()
    {
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        tail = 0;
        claimed = 0;
        claimedEnd = 0;
        head = 0;
        broken = false;
    }
}
