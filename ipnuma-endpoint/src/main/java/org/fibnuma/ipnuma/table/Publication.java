package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.OrderedMemory;

/** Copies into and out of memory that other threads and processes poll. */
final class Publication
{
    /** Up to this number of bytes, copying eight at a time is faster than calling a block copy. */
    private static final int SHORT_COPY = 64;

    private Publication()
    {
    }

    /** Stores all bytes but the last aligned unit in any order, then that unit with release semantics. */
    static void store(final long source, final long destination, final int length)
    {
        final long end = destination + length;
        final int unit = lastUnit(end, length);
        final int before = length - unit;
        if (before > 0)
        {
            copy(source, destination, before);
        }
        final long from = source + before;
        final long to = destination + before;
        switch (unit)
        {
            case Long.BYTES -> OrderedMemory.putLongRelease(to, FrameMemory.getLong(from));
            case Integer.BYTES -> OrderedMemory.putIntRelease(to, FrameMemory.getInt(from));
            case Short.BYTES -> OrderedMemory.putShortRelease(to, FrameMemory.getShort(from));
            case Byte.BYTES -> OrderedMemory.putByteRelease(to, FrameMemory.getByte(from));
            default ->
            {
                // Length 0: nothing to publish.
            }
        }
    }

    /** Loads an aligned int or long as a whole, other ranges in any order. */
    static void load(final long source, final long destination, final int length)
    {
        if (length == Long.BYTES && (source & Long.BYTES - 1) == 0)
        {
            FrameMemory.putLong(destination, OrderedMemory.getLongAcquire(source));
        }
        else if (length == Integer.BYTES && (source & Integer.BYTES - 1) == 0)
        {
            FrameMemory.putInt(destination, OrderedMemory.getIntAcquire(source));
        }
        else if (length > 0)
        {
            FrameMemory.copy(source, destination, length);
        }
    }

    /**
     * Returns the longest of 8, 4, 2 and 1 bytes that ends the range and is aligned to its length, or 0 for an empty
     * range.
     */
    private static int lastUnit(final long end, final int length)
    {
        final int alignment = (int)Long.lowestOneBit(end | Long.BYTES);
        return Math.min(alignment, Integer.highestOneBit(length));
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
}
