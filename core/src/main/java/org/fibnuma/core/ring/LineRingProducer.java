package org.fibnuma.core.ring;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.memory.FrameMemory;

/**
 * Writes records into a ring of cache lines. A record with up to 32 bytes of data is one line: the consumer reads it
 * with one transfer between the caches of two processors. {@link LineRingLayout} has the layout. Used by one thread.
 * The consumer may be in another process; invalid data from it causes no exception and no access outside the memory.
 */
public final class LineRingProducer
{
    /** Longest data in bytes for which copying eight bytes at a time is faster than a block copy. */
    private static final int SHORT_COPY = 64;

    private final AtomicBuffer buffer;
    private final long lines;
    private final int capacity;
    private final int longest;
    private int connection = LineRingLayout.NONE;
    private boolean isConnected;
    private int tail;
    private int headCopy;

    /**
     * Makes a producer that is not connected.
     *
     * @param buffer   of at least {@link #bytes} bytes outside the heap, aligned to a cache line. With bounds checks it
     *                 is registered with {@link org.fibnuma.core.memory.FrameBounds}. The reference keeps a mapping
     *                 alive.
     * @param capacity in lines, a power of two from 4 on.
     */
    public LineRingProducer(final AtomicBuffer buffer, final int capacity)
    {
        LineRingLayout.requireCapacity(capacity);
        buffer.checkLimit(bytes(capacity));
        this.buffer = buffer;
        this.lines = buffer.addressOffset() + LineRingLayout.LINES_OFFSET;
        this.capacity = capacity;
        this.longest = LineRingLayout.longest(capacity);
    }

    /** Returns the memory in bytes that a ring of a capacity in lines needs. */
    public static int bytes(final int capacity)
    {
        return LineRingLayout.bytes(capacity);
    }

    /** Returns the length of the longest data in bytes. */
    public int longest()
    {
        return longest;
    }

    /**
     * Empties the ring for a new connection with a number other than 0. The consumer of an earlier connection has
     * stopped reading.
     */
    public void connect(final int number)
    {
        buffer.putIntVolatile(LineRingLayout.PRODUCER_OFFSET, LineRingLayout.NONE);
        connection = number;
        isConnected = false;
        tail = 0;
        headCopy = 0;
        UnsafeApi.putInt(line(0) + LineRingLayout.LENGTH_OFFSET, 0);
        buffer.putInt(LineRingLayout.endOffset(capacity), number);
        buffer.putIntRelease(LineRingLayout.PRODUCER_OFFSET, number);
    }

    /** Returns false if the file of the ring was truncated and restored. */
    public boolean isIntact()
    {
        return buffer.getIntVolatile(LineRingLayout.endOffset(capacity)) == connection;
    }

    /**
     * Returns whether the consumer reads the records of this connection. Before, a record could stay unread for ever.
     */
    public boolean isConnected()
    {
        if (!isConnected)
        {
            isConnected = connection != LineRingLayout.NONE && connection(consumer()) == connection;
        }
        return isConnected;
    }

    /**
     * Writes a record, which is visible to the consumer at once.
     *
     * @param first  number for the consumer.
     * @param second number for the consumer.
     * @param third  number for the consumer.
     * @param data   native address of the data.
     * @param length of the data in bytes, 1 to {@link #longest()}.
     * @return false if the ring has no room for it now.
     */
    public boolean offer(final long first, final long second, final int third, final long data, final int length)
    {
        final int needed = LineRingLayout.lines(length);
        final int index = index(tail);
        final int skipped = needed <= capacity - index ? 0 : capacity - index;
        // One more line is cleared for the consumer.
        if (!hasRoom(skipped + needed + 1))
        {
            return false;
        }
        if (skipped > 0)
        {
            skip(skipped);
        }
        // The consumer's polling moves the first line to its cache each time, so everything else is written before.
        final long record = line(tail);
        final int inFirst = Math.min(length, LineRingLayout.DATA_IN_FIRST_LINE);
        if (length > inFirst)
        {
            copy(data + inFirst, record + LineRingLayout.LINE, length - inFirst);
        }
        advance(needed);
        UnsafeApi.putInt(record + LineRingLayout.CONNECTION_OFFSET, connection);
        UnsafeApi.putLong(record + LineRingLayout.FIRST_OFFSET, first);
        UnsafeApi.putLong(record + LineRingLayout.SECOND_OFFSET, second);
        UnsafeApi.putInt(record + LineRingLayout.THIRD_OFFSET, third);
        FrameMemory.copyShort(data, record + LineRingLayout.DATA_OFFSET, inFirst);
        UnsafeApi.putIntRelease(null, record + LineRingLayout.LENGTH_OFFSET, length);
        return true;
    }

    /** Returns the position after the last record. */
    public int position()
    {
        return tail;
    }

    /** Returns the position after the last record that the consumer has published as read. */
    public int consumed()
    {
        headCopy = head();
        return headCopy;
    }

    /**
     * Returns the consumer's note on the record that it refused last; at least as new as the last result of
     * {@link #consumed}. It is for the three methods below and 0 if no record of this connection was refused. The
     * consumer may have stored any number.
     */
    public long note()
    {
        return buffer.getLongVolatile(LineRingLayout.NOTE_OFFSET);
    }

    /** Returns the number of refused records in a note, modulo 2^24. */
    public static int refusedCount(final long note)
    {
        return (int)note & LineRingLayout.COUNT_MASK;
    }

    /** Returns the status of the refused record in a note, 1 to 255. */
    public static int refusedStatus(final long note)
    {
        return (int)note >>> LineRingLayout.STATUS_SHIFT;
    }

    /** Returns the position after the refused record in a note. */
    public static int refusedPosition(final long note)
    {
        return (int)(note >>> Integer.SIZE);
    }

    /**
     * Returns the number of records that the consumer has not read when a connection is lost. It includes a record that
     * is being read.
     */
    public int unread()
    {
        int head = head();
        int records = 0;
        int walked = 0;
        while (head != tail && walked < capacity)
        {
            // A wrong length that the consumer stored affects only the count.
            final int length = UnsafeApi.getInt(line(head) + LineRingLayout.LENGTH_OFFSET);
            final int count = length == LineRingLayout.SKIP ? capacity - index(head) :
                length > 0 && length <= longest ? LineRingLayout.lines(length) : 1;
            records += length == LineRingLayout.SKIP ? 0 : 1;
            head += count;
            walked += count;
        }
        return records;
    }

    private boolean hasRoom(final int needed)
    {
        if (capacity - (tail - headCopy) < needed)
        {
            headCopy = head();
            return capacity - (tail - headCopy) >= needed;
        }
        return true;
    }

    /** Returns the consumer's position in this connection, or the last valid one if it is invalid. */
    private int head()
    {
        final long consumer = consumer();
        final int head = (int)consumer;
        final boolean isValid = connection(consumer) == connection &&
            Integer.compareUnsigned(tail - head, tail - headCopy) <= 0;
        return isValid ? head : headCopy;
    }

    private long consumer()
    {
        return buffer.getLongVolatile(LineRingLayout.CONSUMER_OFFSET);
    }

    private static int connection(final long consumer)
    {
        return (int)(consumer >>> Integer.SIZE);
    }

    private void skip(final int count)
    {
        final long record = line(tail);
        advance(count);
        UnsafeApi.putInt(record + LineRingLayout.CONNECTION_OFFSET, connection);
        UnsafeApi.putIntRelease(null, record + LineRingLayout.LENGTH_OFFSET, LineRingLayout.SKIP);
    }

    /** Moves the tail to a line that has no record. */
    private void advance(final int count)
    {
        tail += count;
        UnsafeApi.putInt(line(tail) + LineRingLayout.LENGTH_OFFSET, 0);
    }

    private static void copy(final long source, final long destination, final int length)
    {
        if (length > SHORT_COPY)
        {
            FrameMemory.copy(source, destination, length);
        }
        else
        {
            FrameMemory.copyShort(source, destination, length);
        }
    }

    private int index(final int position)
    {
        return position & capacity - 1;
    }

    private long line(final int position)
    {
        return lines + ((long)index(position) << LineRingLayout.LINE_SHIFT);
    }
}
