package org.fibnuma.core.counter;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * Layout of a counters file: a header, then the metadata and the values of Agrona's CountersManager. Numbers are in
 * the machine's byte order, because the file never leaves the machine.
 * <pre>
 *  0        8         12         16    24           128
 *  | magic  | version | capacity | pid | start ms   | metadata (512 each) | values (128 each) |
 * </pre>
 */
final class CountersFileLayout
{
    /** ASCII {@code FIBNUMAC} on a little-endian machine. */
    static final long MAGIC = 0x43414D554E424946L;

    /** Incremented if this layout or that of Agrona's counters changes. */
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int CAPACITY_OFFSET = VERSION_OFFSET + Integer.BYTES;
    static final int PID_OFFSET = CAPACITY_OFFSET + Integer.BYTES;
    static final int START_TIME_OFFSET = PID_OFFSET + Long.BYTES;
    static final int METADATA_OFFSET = 2 * BitUtil.CACHE_LINE_LENGTH;

    static final int MAX_CAPACITY = 1 << 20;

    private CountersFileLayout()
    {
    }

    static int fileLength(final int capacity)
    {
        return valuesOffset(capacity) + capacity * CountersReader.COUNTER_LENGTH;
    }

    static UnsafeBuffer metadata(final DirectBuffer file, final int capacity)
    {
        return new UnsafeBuffer(file, METADATA_OFFSET, capacity * CountersReader.METADATA_LENGTH);
    }

    static UnsafeBuffer values(final DirectBuffer file, final int capacity)
    {
        return new UnsafeBuffer(file, valuesOffset(capacity), capacity * CountersReader.COUNTER_LENGTH);
    }

    private static int valuesOffset(final int capacity)
    {
        return METADATA_OFFSET + capacity * CountersReader.METADATA_LENGTH;
    }
}
