package org.fibnuma.core.ring;

import org.agrona.BitUtil;

/**
 * Memory of a ring of records in cache lines, for one producer and one consumer, which may be two processes.
 * <pre>
 *  0     producer: connection whose records the ring has        int, released after the first line was cleared
 *  128   consumer: connection (high half) and position          long, released after the records before were read
 *  136   consumer: note on the record that was refused last     long, stored before the position behind the record
 *  256   lines of 64 bytes
 *  ...   producer: connection once more                         int, to find memory that was truncated and restored
 *
 *  first line of a record                                       further lines: data
 *  0     length of the data, SKIP, or 0 for none yet   int, released last
 *  4     connection                                    int
 *  8     first number                                  long
 *  16    second number                                 long
 *  24    third number                                  int
 *  32    data
 * </pre>
 * A record is contiguous. Before the producer stores its length, it clears the length in the line after the record,
 * which the consumer reads next. So data of an earlier lap is never taken for a record. Numbers are in the machine's
 * byte order.
 */
final class LineRingLayout
{
    static final int LINE = BitUtil.CACHE_LINE_LENGTH;
    static final int LINE_SHIFT = 6;
    static final int PRODUCER_OFFSET = 0;
    static final int CONSUMER_OFFSET = PRODUCER_OFFSET + 2 * LINE;
    static final int NOTE_OFFSET = CONSUMER_OFFSET + Long.BYTES;
    static final int LINES_OFFSET = CONSUMER_OFFSET + 2 * LINE;

    static final int LENGTH_OFFSET = 0;
    static final int CONNECTION_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int FIRST_OFFSET = CONNECTION_OFFSET + Integer.BYTES;
    static final int SECOND_OFFSET = FIRST_OFFSET + Long.BYTES;
    static final int THIRD_OFFSET = SECOND_OFFSET + Long.BYTES;
    static final int DATA_OFFSET = 32;
    static final int DATA_IN_FIRST_LINE = LINE - DATA_OFFSET;

    /** In place of a length: the next record is at the start of the ring. */
    static final int SKIP = -1;
    /** No connection has this number. */
    static final int NONE = 0;

    static final int STATUS_SHIFT = 24;
    static final int STATUS_MASK = 0xFF;
    static final int COUNT_MASK = (1 << STATUS_SHIFT) - 1;

    /** A record has at most a quarter of the lines, so that one always fits beside the rest of a lap. */
    private static final int LONGEST_SHARE_SHIFT = 2;

    private LineRingLayout()
    {
    }

    /** Returns the memory in bytes of a ring with a capacity in lines. */
    static int bytes(final int capacity)
    {
        return endOffset(capacity) + LINE;
    }

    /** Returns the offset of the last word. */
    static int endOffset(final int capacity)
    {
        return LINES_OFFSET + (capacity << LINE_SHIFT);
    }

    /** Returns the number of lines of a record with data of a length. */
    static int lines(final int length)
    {
        return DATA_OFFSET + length + LINE - 1 >> LINE_SHIFT;
    }

    /** Returns the length of the longest data in a ring of a capacity in lines. */
    static int longest(final int capacity)
    {
        return (capacity >> LONGEST_SHARE_SHIFT << LINE_SHIFT) - DATA_OFFSET;
    }

    /** Returns a note: position after a refused record, status 1 to 255, number of refused records modulo 2^24. */
    static long note(final int position, final int status, final int count)
    {
        return (long)position << Integer.SIZE | (status & STATUS_MASK) << STATUS_SHIFT & 0xFFFF_FFFFL |
            count & COUNT_MASK;
    }

    static void requireCapacity(final int capacity)
    {
        if (!BitUtil.isPowerOfTwo(capacity) || capacity < 1 << LONGEST_SHARE_SHIFT)
        {
            throw new IllegalArgumentException("a ring of " + capacity + " lines: a power of two from 4 on is needed");
        }
    }
}
