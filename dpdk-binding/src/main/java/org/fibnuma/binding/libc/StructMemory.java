package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Zeroed native memory for a structure that is passed to the kernel: fields by offset, in the machine's byte order.
 * For control code; the owner closes it, which is what keeps it alive while the kernel reads it. One thread.
 */
public final class StructMemory implements AutoCloseable
{
    private final int size;
    private long address;

    /**
     * Takes memory, aligned for any field.
     *
     * @param size in bytes, above 0.
     */
    public StructMemory(final int size)
    {
        this.size = size;
        this.address = UnsafeApi.allocateMemory(size);
        UnsafeApi.setMemory(address, size, (byte)0);
    }

    /**
     * Where it is.
     *
     * @return native address of the first byte.
     */
    public long address()
    {
        return address;
    }

    /**
     * How large it is.
     *
     * @return bytes.
     */
    public int size()
    {
        return size;
    }

    /**
     * Reads one byte.
     *
     * @param offset in bytes.
     * @return the byte.
     */
    public byte getByte(final int offset)
    {
        return UnsafeApi.getByte(at(offset, Byte.BYTES));
    }

    /**
     * Writes one byte.
     *
     * @param offset in bytes.
     * @param value  the low 8 bits of which are stored.
     * @return this.
     */
    public StructMemory putByte(final int offset, final int value)
    {
        UnsafeApi.putByte(at(offset, Byte.BYTES), (byte)value);
        return this;
    }

    /**
     * Reads two bytes.
     *
     * @param offset in bytes.
     * @return 0 to 65,535.
     */
    public int getShort(final int offset)
    {
        return UnsafeApi.getShort(at(offset, Short.BYTES)) & 0xFFFF;
    }

    /**
     * Writes two bytes.
     *
     * @param offset in bytes.
     * @param value  the low 16 bits of which are stored.
     * @return this.
     */
    public StructMemory putShort(final int offset, final int value)
    {
        UnsafeApi.putShort(at(offset, Short.BYTES), (short)value);
        return this;
    }

    /**
     * Reads four bytes.
     *
     * @param offset in bytes.
     * @return the number.
     */
    public int getInt(final int offset)
    {
        return UnsafeApi.getInt(at(offset, Integer.BYTES));
    }

    /**
     * Writes four bytes.
     *
     * @param offset in bytes.
     * @param value  to store.
     * @return this.
     */
    public StructMemory putInt(final int offset, final int value)
    {
        UnsafeApi.putInt(at(offset, Integer.BYTES), value);
        return this;
    }

    /**
     * Reads eight bytes.
     *
     * @param offset in bytes.
     * @return the number.
     */
    public long getLong(final int offset)
    {
        return UnsafeApi.getLong(at(offset, Long.BYTES));
    }

    /**
     * Writes eight bytes, as for a number or a pointer.
     *
     * @param offset in bytes.
     * @param value  to store.
     * @return this.
     */
    public StructMemory putLong(final int offset, final long value)
    {
        UnsafeApi.putLong(at(offset, Long.BYTES), value);
        return this;
    }

    /**
     * Reads bytes as they are.
     *
     * @param offset of the first.
     * @param length how many.
     * @return a copy.
     */
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

    /**
     * Writes bytes as they are.
     *
     * @param offset of the first.
     * @param bytes  all of which are stored.
     * @return this.
     */
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
     * Writes a name and a zero byte.
     *
     * @param offset of the first byte.
     * @param text   in ASCII.
     * @param room   bytes of the field, the zero included.
     * @return this.
     * @throws IllegalArgumentException where the name is too long.
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

    /**
     * Reads text that ends with a zero byte or with the field.
     *
     * @param offset of the first byte.
     * @param room   bytes of the field.
     * @return the text.
     */
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

    /** Gives the memory back. Harmless when repeated. */
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
