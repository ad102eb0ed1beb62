package org.fibnuma.core.frame;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameMemory;

import java.util.Objects;

/**
 * What a batch keeps of each frame: columns of one array, all with cells of eight bytes. So a loop over frames needs
 * the array and one index, whatever it reads and writes, and the JIT keeps all the rest in registers.
 */
abstract class FrameColumns
{
    // By bytes from the start of the array.
    static final long HANDLES = UnsafeApi.arrayBaseOffset(long[].class);
    static final long ADDRESSES = HANDLES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long LENGTHS = ADDRESSES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long INGRESS_PORTS = LENGTHS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long FATES = INGRESS_PORTS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long PACKET_LENGTHS = FATES + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long DESTINATIONS = PACKET_LENGTHS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long ADJACENCIES = DESTINATIONS + (long)FrameBatch.CAPACITY * Long.BYTES;
    static final long EGRESS_PORTS = ADJACENCIES + (long)FrameBatch.CAPACITY * Long.BYTES;
    private static final int COLUMNS = 9;

    int size;

    private final long[] cells = new long[COLUMNS * FrameBatch.CAPACITY];

    // An array access costs a comparison with the array's length, and every stage makes a dozen a frame: 2 ns a packet.
    // With bounds checks on, the index is compared with the size, which is stricter.

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

    /** Also behind the last frame; nobody checks. */
    final void setLong(final long column, final int i, final long value)
    {
        UnsafeApi.putLong(present(cells), column + (long)i * Long.BYTES, value);
    }

    /** Also behind the last frame; nobody checks. */
    final void setInt(final long column, final int i, final int value)
    {
        UnsafeApi.putInt(present(cells), column + (long)i * Long.BYTES, value);
    }

    /** Also behind the last frame; nobody checks. */
    final void fill(final long column, final int from, final int to, final int value)
    {
        for (int i = from; i < to; i++)
        {
            setInt(column, i, value);
        }
    }

    // To the JIT an access through a reference that may be null is one to any memory: it would order all others around
    // it and load every field again in each turn of a loop. With the check, which it moves out of loops, it is one to
    // an array: a loop over a batch takes two thirds of the time.

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
