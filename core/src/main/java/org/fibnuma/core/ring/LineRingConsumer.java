package org.fibnuma.core.ring;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Reads the records of a {@link LineRingProducer}. Used by one thread; the producer may be in another process, and
 * nothing that it stores makes this side throw or leave the memory. While there is no record, a call of {@link #poll}
 * reads one line that stays in the cache.
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
         * @param first  number of the producer, any.
         * @param second number of the producer, any.
         * @param third  number of the producer, any.
         * @param data   native address of the data, valid during the call; another process can change it at any time.
         * @param length of the data, 1 to the longest that the ring has.
         * @return false if the record cannot be processed yet: it is passed again by a later {@link #poll}, and those
         *         behind it wait.
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
    /** Position behind the record that the handler processes. */
    private int behind;
    private int refused;

    /**
     * Makes a consumer that is not connected.
     *
     * @param buffer   as of the producer.
     * @param capacity as of the producer.
     */
    public LineRingConsumer(final AtomicBuffer buffer, final int capacity)
    {
        LineRingLayout.requireCapacity(capacity);
        buffer.checkLimit(LineRingProducer.bytes(capacity));
        this.buffer = buffer;
        this.lines = buffer.addressOffset() + LineRingLayout.LINES_OFFSET;
        this.capacity = capacity;
        this.longest = LineRingLayout.longest(capacity);
    }

    /**
     * Reads the records of a connection from now on, from its first one.
     *
     * @param number of the connection, not 0.
     */
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
     * Reads the records that are in the ring, at most as many as it can contain.
     *
     * @param handler receives them in their order.
     * @return their number.
     */
    public int poll(final Handler handler)
    {
        return isReading || begin() ? read(handler) : 0;
    }

    /**
     * Tells the producer that the record is refused which the handler processes; called by the handler, which returns
     * true. The producer knows it as soon as it knows that the record was read.
     *
     * @param status 1 to 255.
     */
    public void refuse(final int status)
    {
        refused++;
        buffer.putLong(LineRingLayout.NOTE_OFFSET, LineRingLayout.note(behind, status, refused));
    }

    /**
     * Returns false if the ring had what no producer writes, or was emptied because its file was truncated and
     * restored. Records are lost then; nothing is read until the next connection.
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

    /** Returns the lines of a record; more than the ring has if it can have no such record. */
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
