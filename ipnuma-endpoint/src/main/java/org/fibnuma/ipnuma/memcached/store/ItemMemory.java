package org.fibnuma.ipnuma.memcached.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Slab pages outside the heap, and the fields of the items in them. A handle contains the number of a slab page, from
 * 1, and the offset of a chunk in it in units of 8 bytes. Handle 0 is no item. Every access is checked against the
 * bounds of its slab page.
 */
final class ItemMemory
{
    private static final int UNIT_BITS = 3;

    private final ByteBuffer[] pages;
    /** The same memory, with position and limit for copies. */
    private final ByteBuffer[] windows;
    private final int pageBits;
    private final int placeBits;
    private int pageCount;

    /**
     * Creates a memory without slab pages. Their size is {@code 1 << pageBits} bytes. A handle must fit into 31 bits.
     */
    ItemMemory(final int pageBits, final int maxPages)
    {
        this.pageBits = pageBits;
        this.placeBits = pageBits - UNIT_BITS;
        if ((long)maxPages + 1 > 1L << Integer.SIZE - 1 - placeBits)
        {
            throw new IllegalArgumentException(maxPages + " pages");
        }
        this.pages = new ByteBuffer[maxPages + 1];
        this.windows = new ByteBuffer[maxPages + 1];
    }

    /** Allocates a slab page of zeros and returns its number, or -1 if the maximum is reached. */
    int addPage()
    {
        if (pageCount + 1 == pages.length)
        {
            return -1;
        }
        pageCount++;
        pages[pageCount] = ByteBuffer.allocateDirect(1 << pageBits).order(ByteOrder.nativeOrder());
        windows[pageCount] = pages[pageCount].duplicate();
        return pageCount;
    }

    int pageCount()
    {
        return pageCount;
    }

    int maxPages()
    {
        return pages.length - 1;
    }

    int pageSize()
    {
        return 1 << pageBits;
    }

    int handle(final int page, final int offset)
    {
        return page << placeBits | offset >>> UNIT_BITS;
    }

    int page(final int item)
    {
        return item >>> placeBits;
    }

    private int offset(final int item)
    {
        return (item & (1 << placeBits) - 1) << UNIT_BITS;
    }

    int getInt(final int item, final int field)
    {
        return pages[page(item)].getInt(offset(item) + field);
    }

    void putInt(final int item, final int field, final int value)
    {
        pages[page(item)].putInt(offset(item) + field, value);
    }

    long getLong(final int item, final int field)
    {
        return pages[page(item)].getLong(offset(item) + field);
    }

    void putLong(final int item, final int field, final long value)
    {
        pages[page(item)].putLong(offset(item) + field, value);
    }

    int getByte(final int item, final int field)
    {
        return pages[page(item)].get(offset(item) + field) & 0xFF;
    }

    void putByte(final int item, final int field, final int value)
    {
        pages[page(item)].put(offset(item) + field, (byte)value);
    }

    int keyLength(final int item)
    {
        return getByte(item, ItemLayout.KEY_LENGTH_OFFSET);
    }

    int valueLength(final int item)
    {
        return getInt(item, ItemLayout.VALUE_LENGTH_OFFSET);
    }

    int state(final int item)
    {
        return getByte(item, ItemLayout.STATE_OFFSET);
    }

    void setState(final int item, final int state)
    {
        putByte(item, ItemLayout.STATE_OFFSET, state);
    }

    void format(final int item, final byte[] key, final int keyOffset, final int keyLength, final int valueLength)
    {
        putByte(item, ItemLayout.KEY_LENGTH_OFFSET, keyLength);
        putInt(item, ItemLayout.VALUE_LENGTH_OFFSET, valueLength);
        pages[page(item)].put(offset(item) + ItemLayout.KEY_OFFSET, key, keyOffset, keyLength);
        putByte(item, valueOffset(item) + valueLength, '\r');
        putByte(item, valueOffset(item) + valueLength + 1, '\n');
    }

    int valueOffset(final int item)
    {
        return ItemLayout.KEY_OFFSET + keyLength(item);
    }

    boolean hasKey(final int item, final byte[] key, final int keyOffset, final int keyLength)
    {
        if (keyLength(item) != keyLength)
        {
            return false;
        }
        final ByteBuffer page = pages[page(item)];
        final int start = offset(item) + ItemLayout.KEY_OFFSET;
        for (int i = 0; i < keyLength; i++)
        {
            if (page.get(start + i) != key[keyOffset + i])
            {
                return false;
            }
        }
        return true;
    }

    /** Copies the key to the start of an array and returns its length. */
    int getKey(final int item, final byte[] target)
    {
        final int length = keyLength(item);
        pages[page(item)].get(offset(item) + ItemLayout.KEY_OFFSET, target, 0, length);
        return length;
    }

    /** Returns a part of the chunk as a buffer with position and limit, valid until the next call. */
    ByteBuffer window(final int item, final int field, final int length)
    {
        final int start = offset(item) + field;
        return windows[page(item)].limit(start + length).position(start);
    }

    void copyValue(final int from, final int to, final int toOffset)
    {
        pages[page(to)].put(
            offset(to) + valueOffset(to) + toOffset, pages[page(from)], offset(from) + valueOffset(from),
            valueLength(from));
    }

    /** Writes bytes to the start of the value and fills the rest with spaces. */
    void putPadded(final int item, final byte[] bytes, final int length)
    {
        final int start = valueOffset(item);
        pages[page(item)].put(offset(item) + start, bytes, 0, length);
        for (int i = length; i < valueLength(item); i++)
        {
            putByte(item, start + i, ' ');
        }
    }
}
