package org.fibnuma.core.memory;

import org.agrona.UnsafeApi;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Access to the bytes of frames; no other class of the data path accesses them. Addresses are native and of any
 * alignment. Multi-byte access without a suffix is in the machine's byte order; {@code BE} is network byte order,
 * {@code LE} is little-endian.
 * <p>
 * With {@code -Dfibnuma.bounds.checks=true} (set in tests) {@link FrameBounds} verifies that every access lies inside
 * its frame; otherwise it throws {@link IndexOutOfBoundsException}. Without it an access is one machine instruction,
 * and a wrong address corrupts memory.
 */
public final class FrameMemory
{
    /** Whether every access is checked. A constant, so that the JIT removes the checks if it is false. */
    public static final boolean BOUNDS_CHECKS = Boolean.getBoolean("fibnuma.bounds.checks");

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private FrameMemory()
    {
    }

    /** Reads one byte, signed. */
    public static byte getByte(final long address)
    {
        check(address, Byte.BYTES);
        return UnsafeApi.getByte(address);
    }

    /** Writes the low 8 bits of a value. */
    public static void putByte(final long address, final int value)
    {
        check(address, Byte.BYTES);
        UnsafeApi.putByte(address, (byte)value);
    }

    /** Reads two bytes in network byte order as an unsigned number. */
    public static int getShortBE(final long address)
    {
        check(address, Short.BYTES);
        final short value = UnsafeApi.getShort(address);
        return (LITTLE_ENDIAN ? Short.reverseBytes(value) : value) & 0xFFFF;
    }

    /** Writes the low 16 bits of a value in network byte order. */
    public static void putShortBE(final long address, final int value)
    {
        check(address, Short.BYTES);
        UnsafeApi.putShort(address, LITTLE_ENDIAN ? Short.reverseBytes((short)value) : (short)value);
    }

    /** Reads two bytes in the machine's byte order as an unsigned number. */
    public static int getShort(final long address)
    {
        check(address, Short.BYTES);
        return UnsafeApi.getShort(address) & 0xFFFF;
    }

    /** Writes the low 16 bits of a value in the machine's byte order. */
    public static void putShort(final long address, final int value)
    {
        check(address, Short.BYTES);
        UnsafeApi.putShort(address, (short)value);
    }

    /** Reads four bytes in network byte order. */
    public static int getIntBE(final long address)
    {
        check(address, Integer.BYTES);
        final int value = UnsafeApi.getInt(address);
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    /** Writes four bytes in network byte order. */
    public static void putIntBE(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putInt(address, LITTLE_ENDIAN ? Integer.reverseBytes(value) : value);
    }

    /** Reads four bytes in the machine's byte order. */
    public static int getInt(final long address)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getInt(address);
    }

    /** Writes four bytes in the machine's byte order. */
    public static void putInt(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putInt(address, value);
    }

    /** Reads eight bytes in the machine's byte order. */
    public static long getLong(final long address)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getLong(address);
    }

    /** Writes eight bytes in the machine's byte order. */
    public static void putLong(final long address, final long value)
    {
        check(address, Long.BYTES);
        UnsafeApi.putLong(address, value);
    }

    /** Reads eight bytes in network byte order. */
    public static long getLongBE(final long address)
    {
        check(address, Long.BYTES);
        final long value = UnsafeApi.getLong(address);
        return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }

    /** Writes eight bytes in network byte order. */
    public static void putLongBE(final long address, final long value)
    {
        check(address, Long.BYTES);
        UnsafeApi.putLong(address, LITTLE_ENDIAN ? Long.reverseBytes(value) : value);
    }

    /** Writes four bytes in little-endian order. */
    public static void putIntLE(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putInt(address, LITTLE_ENDIAN ? value : Integer.reverseBytes(value));
    }

    /** Copies {@code length} bytes, 0 or more; the two ranges may overlap. */
    public static void copy(final long source, final long destination, final int length)
    {
        check(source, length);
        check(destination, length);
        UnsafeApi.copyMemory(source, destination, length);
    }

    /**
     * Copies {@code length} bytes between ranges that do not overlap, by moves of 8, 4 and 1 bytes. This takes less
     * time than {@link #copy} up to some hundred bytes.
     */
    public static void copyShort(final long source, final long destination, final int length)
    {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            putLong(destination + i, getLong(source + i));
        }
        if (i + Integer.BYTES <= length)
        {
            putInt(destination + i, getInt(source + i));
            i += Integer.BYTES;
        }
        for (; i < length; i++)
        {
            putByte(destination + i, getByte(source + i));
        }
    }

    /** Fills {@code length} bytes, 0 or more, with zeros. */
    public static void zero(final long address, final int length)
    {
        fill(address, length, (byte)0);
    }

    /** Sets {@code length} bytes, 0 or more, to one value. */
    public static void fill(final long address, final int length, final byte value)
    {
        check(address, length);
        UnsafeApi.setMemory(address, length, value);
    }

    /** Copies {@code destination.length} bytes into an array. Slow: for tests, captures and control code. */
    public static void getBytes(final long source, final byte[] destination)
    {
        for (int i = 0; i < destination.length; i++)
        {
            destination[i] = getByte(source + i);
        }
    }

    /** Copies a whole array to native memory. Slow: for tests, generators and control code. */
    public static void putBytes(final long destination, final byte[] source)
    {
        for (int i = 0; i < source.length; i++)
        {
            putByte(destination + i, source[i]);
        }
    }

    /**
     * Copies {@code length} bytes into an array from an offset on.
     *
     * @throws IndexOutOfBoundsException if the part is not in the array.
     */
    public static void getBytes(final long source, final byte[] destination, final int offset, final int length)
    {
        Objects.checkFromIndexSize(offset, length, destination.length);
        check(source, length);
        UnsafeApi.copyMemory(
            null, source, destination, UnsafeApi.arrayBaseOffset(byte[].class) + (long)offset, length);
    }

    /**
     * Copies {@code length} bytes of an array from an offset on to native memory.
     *
     * @throws IndexOutOfBoundsException if the part is not in the array.
     */
    public static void putBytes(final long destination, final byte[] source, final int offset, final int length)
    {
        Objects.checkFromIndexSize(offset, length, source.length);
        check(destination, length);
        UnsafeApi.copyMemory(
            source, UnsafeApi.arrayBaseOffset(byte[].class) + (long)offset, null, destination, length);
    }

    private static void check(final long address, final int length)
    {
        if (BOUNDS_CHECKS)
        {
            FrameBounds.check(address, length);
        }
    }
}
