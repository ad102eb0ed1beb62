package org.fibnuma.core.frame;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameMemory;

import java.util.Objects;

/**
 * The columns of a batch, stored in one array whose cells all have eight bytes. A loop over frames needs only the array
 * and one index for all columns, so that the JIT holds everything else in registers.
 */
abstract class FrameColumns
{
    // Byte offsets from the start of the array object.
    static final long HANDLES = UnsafeApi.arrayBaseOffset(long[].class);
    static final long ADDRESSES = HANDLES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long LENGTHS = ADDRESSES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long INGRESS = LENGTHS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long FATES = INGRESS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long PACKET_LENGTHS = FATES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long DESTINATIONS = PACKET_LENGTHS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long ADJACENCIES = DESTINATIONS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long EGRESS = ADJACENCIES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long DESTINATIONS_LOW = EGRESS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long FLOW_HINTS = DESTINATIONS_LOW + (long)FrameBatch.CAPACITY * Long.BYTES;
    // One column with two names: no frame needs both values at the same time.
    static final long DESTINATIONS_HIGH = DESTINATIONS;
    static final long FINDINGS = ADJACENCIES;
    private static final int COLUMNS = 11;

    int size;

    private final long[] cells = new long[COLUMNS * FrameBatch.CAPACITY];

    // A checked array access compares the index with the length; a dozen accesses per frame and stage cost 2 ns per
    // packet. With bounds checks on, the index is compared with the size, which is stricter.

    final long getLong(final long column, final int i)
    {
        checkIndex(i);
        return UnsafeApi.getLong(present(cells), column + (long)i * Long.BYTES);
    }

    final int getInt(final long column, final int i)
    {
        checkIndex(i);
        return UnsafeApi.getInt(present(cells), column + (long)i * Long.BYTES);
    }

    final void putLong(final long column, final int i, final long value)
    {
        checkIndex(i);
        setLong(column, i, value);
    }

    final void putInt(final long column, final int i, final int value)
    {
        checkIndex(i);
        setInt(column, i, value);
    }

    /** The index is not checked and may be beyond the last frame. */
    final void setLong(final long column, final int i, final long value)
    {
        UnsafeApi.putLong(present(cells), column + (long)i * Long.BYTES, value);
    }

    /** The index is not checked and may be beyond the last frame. */
    final void setInt(final long column, final int i, final int value)
    {
        UnsafeApi.putInt(present(cells), column + (long)i * Long.BYTES, value);
    }

    /** The index is not checked and may be beyond the last frame. */
    final void fill(final long column, final int from, final int to, final int value)
    {
        for (int i = from; i < to; i++)
        {
            setInt(column, i, value);
        }
    }

    // The JIT treats an access through a reference that may be null as an access to any memory: it keeps the order of
    // all other accesses and loads every field again in each iteration. After this check, which it moves out of loops,
    // it knows that the access is to an array: a loop over a batch takes two thirds of the time.

    private static long[] present(final long[] column)
    {
        return Objects.requireNonNull(column);
    }

    private void checkIndex(final int i)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            Objects.checkIndex(i, size);
        }
    }
}
