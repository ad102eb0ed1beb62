package org.fibnuma.ipnuma.wire;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.memory.FrameMemory;

import java.nio.ByteBuffer;

/**
 * Pieces of data, each with its offset in one region. A list passes from one endpoint to another in the memory of one
 * host, never over a network. Numbers are in native byte order. Each piece is
 * <pre>
 *  0   offset in the region, unsigned     int
 *  4   length of the data, 1 or more      int
 *  8   data, padded to a multiple of 8
 * </pre>
 * An object of this class writes lists; the static methods read one that another process can change at any time.
 */
public final class ScatterList
{
    /** Bytes of a piece before its data. */
    public static final int HEADER_LENGTH = 8;

    private static final int LENGTH_OFFSET = Integer.BYTES;

    private final UnsafeBuffer buffer;
    private int length;

    /** Creates an empty list for up to {@code capacity} bytes, headers and padding included. */
    public ScatterList(final int capacity)
    {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** Removes all pieces. */
    public void clear()
    {
        length = 0;
    }

    /**
     * Adds a piece.
     *
     * @param offset       in the region.
     * @param source       of the data, which are copied.
     * @param index        of the first byte in the source.
     * @param sourceLength of the data, 1 or more; the list must have room for them.
     */
    public void add(final int offset, final DirectBuffer source, final int index, final int sourceLength)
    {
        begin(offset, sourceLength);
        buffer.putBytes(length + HEADER_LENGTH, source, index, sourceLength);
        end(sourceLength);
    }

    /**
     * Adds the remaining bytes of a buffer, whose position stays.
     *
     * @param offset in the region.
     * @param source with one byte or more; the list must have room for them.
     */
    public void add(final int offset, final ByteBuffer source)
    {
        final int sourceLength = source.remaining();
        begin(offset, sourceLength);
        buffer.putBytes(length + HEADER_LENGTH, source, source.position(), sourceLength);
        end(sourceLength);
    }

    private void begin(final int offset, final int sourceLength)
    {
        buffer.putInt(length, offset);
        buffer.putInt(length + LENGTH_OFFSET, sourceLength);
    }

    private void end(final int sourceLength)
    {
        length += pieceLength(sourceLength);
    }

    /** Returns the native address of the list. */
    public long address()
    {
        return buffer.addressOffset();
    }

    /** Returns the bytes of all pieces. */
    public int length()
    {
        return length;
    }

    /** Returns the bytes of a piece with {@code dataLength} bytes of data. */
    public static int pieceLength(final int dataLength)
    {
        return HEADER_LENGTH + BitUtil.align(dataLength, Long.BYTES);
    }

    /** Returns the offset in the region of the piece at an address, 32 bits. */
    public static long offset(final long address)
    {
        return FrameMemory.getInt(address) & 0xFFFF_FFFFL;
    }

    /**
     * Returns the length of the data of the piece at an address.
     *
     * @param address of a piece.
     * @param room    bytes from the address to the end of the list.
     * @return 0 if no piece of 1 or more bytes of data fits into the room.
     */
    public static int dataLength(final long address, final int room)
    {
        if (room < HEADER_LENGTH)
        {
            return 0;
        }
        final int dataLength = FrameMemory.getInt(address + LENGTH_OFFSET);
        return dataLength > 0 && dataLength <= room - HEADER_LENGTH && pieceLength(dataLength) <= room ?
            dataLength : 0;
    }
}
