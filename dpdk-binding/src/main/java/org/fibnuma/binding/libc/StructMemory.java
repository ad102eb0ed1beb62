package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Zeroed native memory for a structure that is passed to the kernel. Fields are accessed by their offset in bytes, in
 * the byte order of the machine. For control code. {@link #close()} frees the memory, which the kernel must no longer
 * use. One thread.
 */
public final class StructMemory implements AutoCloseable
{
    private final int size;
    private long address;

    /** Allocates memory of a size in bytes, above 0, aligned for any field. */
    public StructMemory(final int size)
    {
        this.size = size;
        this.address = UnsafeApi.allocateMemory(size);
        UnsafeApi.setMemory(address, size, (byte)0);
    }

    /** Returns the native address of the first byte. */
    public long address()
    {
        return address;
    }

    /** Returns the size in bytes. */
    public int size()
    {
        return size;
    }

    /** Reads one byte. */
    public byte getByte(final int offset)
    {
        return UnsafeApi.getByte(at(offset, Byte.BYTES));
    }

    /** Writes the low 8 bits of a value and returns this. */
    public StructMemory putByte(final int offset, final int value)
    {
        UnsafeApi.putByte(at(offset, Byte.BYTES), (byte)value);
        return this;
    }

    /** Reads two bytes as 0 to 65,535. */
    public int getShort(final int offset)
    {
        return UnsafeApi.getShort(at(offset, Short.BYTES)) & 0xFFFF;
    }

    /** Writes the low 16 bits of a value and returns this. */
    public StructMemory putShort(final int offset, final int value)
    {
        UnsafeApi.putShort(at(offset, Short.BYTES), (short)value);
        return this;
    }

    /** Reads four bytes. */
    public int getInt(final int offset)
    {
        return UnsafeApi.getInt(at(offset, Integer.BYTES));
    }

    /** Writes four bytes and returns this. */
    public StructMemory putInt(final int offset, final int value)
    {
        UnsafeApi.putInt(at(offset, Integer.BYTES), value);
        return this;
    }

    /** Reads eight bytes. */
    public long getLong(final int offset)
    {
        return UnsafeApi.getLong(at(offset, Long.BYTES));
    }

    /** Writes eight bytes, a number or a pointer, and returns this. */
    public StructMemory putLong(final int offset, final long value)
    {
        UnsafeApi.putLong(at(offset, Long.BYTES), value);
        return this;
    }

    /** Returns a copy of {@code length} bytes. */
    public byte[] getBytes(final int offset, final int length)
    {
        final long source = at(offset, length);
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = UnsafeApi.getByte(source + i);
        }
        return bytes;
    }

    /** Writes all bytes of an array and returns this. */
    public StructMemory putBytes(final int offset, final byte[] bytes)
    {
        final long destination = at(offset, bytes.length);
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(destination + i, bytes[i]);
        }
        return this;
    }

    /**
     * Writes an ASCII text and a zero byte to a field of {@code room} bytes, and returns this.
     *
     * @throws IllegalArgumentException if the text is too long.
     */
    public StructMemory putString(final int offset, final String text, final int room)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length >= room)
        {
            throw new IllegalArgumentException("longer than " + (room - 1) + " characters: " + text);
        }
        putBytes(offset, Arrays.copyOf(bytes, bytes.length + 1));
        return this;
    }

    /** Reads ASCII text that ends with a zero byte or with the field of {@code room} bytes. */
    public String getString(final int offset, final int room)
    {
        final byte[] bytes = getBytes(offset, room);
        int length = 0;
        while (length < room && bytes[length] != 0)
        {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    /** Frees the memory. Further calls have no effect. */
    @Override
    public void close()
    {
        if (address != 0)
        {
            UnsafeApi.freeMemory(address);
            address = 0;
        }
    }

    private long at(final int offset, final int length)
    {
        if (address == 0 || offset < 0 || offset + length > size)
        {
            throw new IndexOutOfBoundsException(
                "offset " + offset + " length " + length + (address == 0 ? ", closed" : " of " + size));
        }
        return address + offset;
    }
}
