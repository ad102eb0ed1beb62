package org.fibnuma.core.memory;

import org.agrona.UnsafeApi;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The only way to the bytes of a frame. Addresses are native; a multi-byte access without a suffix is in the byte
 * order of the machine; {@code BE} is network order, {@code LE} the reverse of it.
 * <p>
 * With {@code -Dfibnuma.bounds.checks=true} (set in tests) every access is proved by {@link FrameBounds} to lie
 * inside the frame that it belongs to and fails with {@link IndexOutOfBoundsException} otherwise; without it an
 * access is one machine instruction and a wrong address corrupts memory.
 */
public final class FrameMemory
{
    /** Whether every access is checked; read once, so that the JIT removes the checks when it is false. */
    public static final boolean BOUNDS_CHECKS = Boolean.getBoolean("fibnuma.bounds.checks");

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private FrameMemory()
    {
    }

    /**
     * One byte, signed.
     *
     * @param address of the byte.
     * @return its value, to be widened with {@code & 0xFF}.
     */
    public static byte getByte(final long address)
    {
        check(address, Byte.BYTES);
        return UnsafeApi.getByte(address);
    }

    /**
     * Writes one byte.
     *
     * @param address of the byte.
     * @param value   the low 8 bits of which are stored.
     */
    public static void putByte(final long address, final int value)
    {
        check(address, Byte.BYTES);
        UnsafeApi.putByte(address, (byte)value);
    }

    /**
     * Two bytes in network order, unsigned.
     *
     * @param address of the first byte; any alignment.
     * @return 0 to 65,535.
     */
    public static int getShortBE(final long address)
    {
        check(address, Short.BYTES);
        final short value = UnsafeApi.getShort(address);
        return (LITTLE_ENDIAN ? Short.reverseBytes(value) : value) & 0xFFFF;
    }

    /**
     * Writes two bytes in network order.
     *
     * @param address of the first byte; any alignment.
     * @param value   the low 16 bits of which are stored.
     */
    public static void putShortBE(final long address, final int value)
    {
        check(address, Short.BYTES);
        UnsafeApi.putShort(address, LITTLE_ENDIAN ? Short.reverseBytes((short)value) : (short)value);
    }

    /**
     * Two bytes as the machine has them, unsigned: for sums and copies, where order does not matter.
     *
     * @param address of the first byte; any alignment.
     * @return 0 to 65,535.
     */
    public static int getShort(final long address)
    {
        check(address, Short.BYTES);
        return UnsafeApi.getShort(address) & 0xFFFF;
    }

    /**
     * Writes two bytes as the machine has them.
     *
     * @param address of the first byte; any alignment.
     * @param value   the low 16 bits of which are stored.
     */
    public static void putShort(final long address, final int value)
    {
        check(address, Short.BYTES);
        UnsafeApi.putShort(address, (short)value);
    }

    /**
     * Four bytes in network order.
     *
     * @param address of the first byte; any alignment.
     * @return the bits, to be widened with {@code & 0xFFFFFFFFL} where a number is meant.
     */
    public static int getIntBE(final long address)
    {
        check(address, Integer.BYTES);
        final int value = UnsafeApi.getInt(address);
        return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
    }

    /**
     * Writes four bytes in network order.
     *
     * @param address of the first byte; any alignment.
     * @param value   to store.
     */
    public static void putIntBE(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putInt(address, LITTLE_ENDIAN ? Integer.reverseBytes(value) : value);
    }

    /**
     * Four bytes as the machine has them.
     *
     * @param address of the first byte; any alignment.
     * @return the bits.
     */
    public static int getInt(final long address)
    {
        check(address, Integer.BYTES);
        return UnsafeApi.getInt(address);
    }

    /**
     * Writes four bytes as the machine has them.
     *
     * @param address of the first byte; any alignment.
     * @param value   to store.
     */
    public static void putInt(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putInt(address, value);
    }

    /**
     * Eight bytes as the machine has them.
     *
     * @param address of the first byte; any alignment.
     * @return the bits.
     */
    public static long getLong(final long address)
    {
        check(address, Long.BYTES);
        return UnsafeApi.getLong(address);
    }

    /**
     * Writes eight bytes as the machine has them.
     *
     * @param address of the first byte; any alignment.
     * @param value   to store.
     */
    public static void putLong(final long address, final long value)
    {
        check(address, Long.BYTES);
        UnsafeApi.putLong(address, value);
    }

    /**
     * Writes four bytes with the lowest first.
     *
     * @param address of the first byte; any alignment.
     * @param value   to store.
     */
    public static void putIntLE(final long address, final int value)
    {
        check(address, Integer.BYTES);
        UnsafeApi.putInt(address, LITTLE_ENDIAN ? value : Integer.reverseBytes(value));
    }

    /**
     * Moves bytes; the two ranges may overlap.
     *
     * @param source      first byte to read.
     * @param destination first byte to write.
     * @param length      in bytes, 0 or more.
     */
    public static void copy(final long source, final long destination, final int length)
    {
        check(source, length);
        check(destination, length);
        UnsafeApi.copyMemory(source, destination, length);
    }

    /**
     * The same by moves of 8, 4 and 1 bytes, which takes less time than {@link #copy} up to some hundred bytes.
     *
     * @param source      of the first byte.
     * @param destination of the first byte; the ranges do not overlap.
     * @param length      in bytes, 0 or more.
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

    /**
     * Fills with zeros.
     *
     * @param address of the first byte.
     * @param length  in bytes, 0 or more.
     */
    public static void zero(final long address, final int length)
    {
        check(address, length);
        UnsafeApi.setMemory(address, length, (byte)0);
    }

    /**
     * Copies into an array: for tests, captures and control code, not for the data path.
     *
     * @param source      first byte to read.
     * @param destination receives {@code destination.length} bytes.
     */
    public static void getBytes(final long source, final byte[] destination)
    {
        for (int i = 0; i < destination.length; i++)
        {
            destination[i] = getByte(source + i);
        }
    }

    /**
     * Copies from an array: for tests, generators and control code, not for the data path.
     *
     * @param destination first byte to write.
     * @param source      all of which is written.
     */
    public static void putBytes(final long destination, final byte[] source)
    {
        for (int i = 0; i < source.length; i++)
        {
            putByte(destination + i, source[i]);
        }
    }

    /**
     * Copies into a part of an array.
     *
     * @param source      first byte to read.
     * @param destination receives the bytes.
     * @param offset      of the first byte in the array.
     * @param length      in bytes, 0 or more.
     * @throws IndexOutOfBoundsException where the part is not in the array.
     */
    public static void getBytes(final long source, final byte[] destination, final int offset, final int length)
    {
        Objects.checkFromIndexSize(offset, length, destination.length);
        check(source, length);
        UnsafeApi.copyMemory(
            null, source, destination, UnsafeApi.arrayBaseOffset(byte[].class) + (long)offset, length);
    }

    /**
     * Copies from a part of an array.
     *
     * @param destination first byte to write.
     * @param source      has the bytes.
     * @param offset      of the first byte in the array.
     * @param length      in bytes, 0 or more.
     * @throws IndexOutOfBoundsException where the part is not in the array.
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
