package org.fibnuma.ipnuma.client.host;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ControlledMessageHandler.Action;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Reads a ring that another process writes with Agrona's {@code OneToOneRingBuffer}. That process may store any value
 * anywhere in the ring at any time. Therefore the reader's position is a field of this object that is only published in
 * the ring. The length of a record is read once and validated against the rest of the ring. No access depends on
 * Agrona's bounds checks, which the launcher switches off.
 */
final class RequestRing
{
    private static final int HEADER = RecordDescriptor.HEADER_LENGTH;
    private static final int PADDING = -1;

    private final AtomicBuffer buffer;
    private final int capacity;
    private long position;
    private boolean broken;

    /** Creates a ring at position 0. The buffer includes the trailer; the capacity in bytes is a power of two. */
    RequestRing(final AtomicBuffer buffer, final int capacity)
    {
        this.buffer = buffer;
        this.capacity = capacity;
    }

    /**
     * Passes up to {@code limit} records to a handler and returns the number of consumed ones. Padding counts as one.
     */
    int read(final ControlledMessageHandler handler, final int limit)
    {
        final long start = position;
        int consumed = 0;
        Action action = Action.CONTINUE;
        while (consumed < limit && action == Action.CONTINUE && !broken)
        {
            final int index = (int)position & capacity - 1;
            final int length = buffer.getIntVolatile(RecordDescriptor.lengthOffset(index));
            if (length <= 0)
            {
                // There is no record, or it is incomplete.
                break;
            }
            // The comparison is unsigned: lengths below the header's are out of range too.
            if (Integer.compareUnsigned(length - HEADER, capacity - index - HEADER) > 0)
            {
                broken = true;
                break;
            }
            final int type = buffer.getInt(RecordDescriptor.typeOffset(index));
            if (type != PADDING)
            {
                action = handler.onMessage(type, buffer, index + HEADER, length - HEADER);
            }
            if (action != Action.ABORT)
            {
                position += BitUtil.align(length, RecordDescriptor.ALIGNMENT);
                consumed++;
            }
        }
        if (position != start)
        {
            buffer.putLongRelease(capacity + RingBufferDescriptor.HEAD_POSITION_OFFSET, position);
        }
        return consumed;
    }

    /** Returns the position of the record that the handler is processing, otherwise of the next record. */
    long position()
    {
        return position;
    }

    /**
     * Returns the position after the last record that was begun, or {@link #position} if the producer's is out of
     * range.
     */
    long end()
    {
        final long end = buffer.getLongVolatile(capacity + RingBufferDescriptor.TAIL_POSITION_OFFSET);
        return end - position >= 0 && end - position <= capacity ? end : position;
    }

    /** Returns whether a record was longer than the rest of the ring. The ring is not read any more then. */
    boolean isBroken()
    {
        return broken;
    }

    void reset()
    {
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        position = 0;
        broken = false;
    }
}
