package org.fibnuma.core.ring;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Reads the records of a {@link LineRingProducer}. Used by one thread. The producer may be in another process; invalid
 * data from it causes no exception and no access outside the memory. While there is no record, {@link #poll} reads one
 * cache line that stays in the cache.
 */
public final class LineRingConsumer
{
    /** Receives records. */
    @FunctionalInterface
    public interface Handler
    {
        /**
         * Processes a record.
         *
         * @param first  any number of the producer.
         * @param second any number of the producer.
         * @param third  any number of the producer.
         * @param data   native address of the data, valid during the call; another process can change the data at any
         *               time.
         * @param length of the data in bytes, 1 to the ring's longest.
         * @return false if the record cannot be processed yet: a later {@link #poll} passes it again, then the records
         * after it.
         */
        boolean onRecord(long first, long second, int third, long data, int length);
    }

    private final AtomicBuffer buffer;
    private final long lines;
    private final int capacity;
    private final int longest;
    private int connection = LineRingLayout.NONE;
    private boolean isReading;
    private int head;
    private boolean isDamaged;
    /** Position after the record that the handler processes. */
    private int behind;
    private int refused;

    /** Makes a consumer that is not connected, with the buffer and the capacity of the producer. */
    public LineRingConsumer(final AtomicBuffer buffer, final int capacity)
    {
        LineRingLayout.requireCapacity(capacity);
        buffer.checkLimit(LineRingProducer.bytes(capacity));
        this.buffer = buffer;
        this.lines = buffer.addressOffset() + LineRingLayout.LINES_OFFSET;
        this.capacity = capacity;
        this.longest = LineRingLayout.longest(capacity);
    }

    /** Reads the records of a connection, by its number other than 0, from its first one on. */
    public void connect(final int number)
    {
        connection = number;
        isReading = false;
        isDamaged = false;
    }

    /** Reads no record from now on. */
    public void disconnect()
    {
        connection = LineRingLayout.NONE;
        isReading = false;
        isDamaged = false;
    }

    /**
     * Passes the records in the ring to a handler, at most as many as the ring can contain, and returns their number.
     */
    public int poll(final Handler handler)
    {
        return isReading || begin() ? read(handler) : 0;
    }

    /**
     * Refuses the record that is being handled, with a status from 1 to 255. The handler calls this and then returns
     * true. The producer can read the status as soon as it can read that the record was consumed.
     */
    public void refuse(final int status)
    {
        refused++;
        buffer.putLong(LineRingLayout.NOTE_OFFSET, LineRingLayout.note(behind, status, refused));
    }

    /**
     * Returns false if the ring had invalid content, or its file was truncated and restored. Records are then lost, and
     * nothing is read until the next connection.
     */
    public boolean isIntact()
    {
        if (isReading && buffer.getIntVolatile(LineRingLayout.endOffset(capacity)) != connection)
        {
            damaged();
        }
        return !isDamaged;
    }

    private void damaged()
    {
        isDamaged = true;
        isReading = false;
    }

    private boolean begin()
    {
        if (connection == LineRingLayout.NONE || isDamaged ||
            buffer.getIntVolatile(LineRingLayout.PRODUCER_OFFSET) != connection)
        {
            return false;
        }
        isReading = true;
        head = 0;
        refused = 0;
        buffer.putLong(LineRingLayout.NOTE_OFFSET, 0);
        publish();
        return true;
    }

    private int read(final Handler handler)
    {
        int records = 0;
        int walked = 0;
        while (walked < capacity && isReading)
        {
            final int index = head & capacity - 1;
            final long record = lines + ((long)index << LineRingLayout.LINE_SHIFT);
            final int length = UnsafeApi.getIntAcquire(null, record + LineRingLayout.LENGTH_OFFSET);
            if (length == 0)
            {
                break;
            }
            final int room = capacity - index;
            final int count = length == LineRingLayout.SKIP ? room : countOf(length);
            if (count > room || UnsafeApi.getInt(record + LineRingLayout.CONNECTION_OFFSET) != connection)
            {
                damaged();
                break;
            }
            if (length != LineRingLayout.SKIP)
            {
                behind = head + count;
                if (!pass(handler, record, length))
                {
                    break;
                }
                records++;
            }
            head += count;
            walked += count;
        }
        if (walked > 0)
        {
            publish();
        }
        return records;
    }

    private static boolean pass(final Handler handler, final long record, final int length)
    {
        return handler.onRecord(
            UnsafeApi.getLong(record + LineRingLayout.FIRST_OFFSET),
            UnsafeApi.getLong(record + LineRingLayout.SECOND_OFFSET),
            UnsafeApi.getInt(record + LineRingLayout.THIRD_OFFSET),
            record + LineRingLayout.DATA_OFFSET,
            length);
    }

    /** Returns the lines of a record; more than the ring has if the length is invalid. */
    private int countOf(final int length)
    {
        return length > 0 && length <= longest ? LineRingLayout.lines(length) : Integer.MAX_VALUE;
    }

    private void publish()
    {
        buffer.putLongRelease(
            LineRingLayout.CONSUMER_OFFSET, (long)connection << Integer.SIZE | head & 0xFFFF_FFFFL);
    }
}
