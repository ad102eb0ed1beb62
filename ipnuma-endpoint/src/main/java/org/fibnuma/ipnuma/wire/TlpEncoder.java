package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Writes TLPs in PCIe byte order. The header of a request has three DWs for addresses below 2^32, otherwise four
 * (section 2.2.4.1). Used by one thread.
 */
public final class TlpEncoder
{
    private static final int DW = TlpFlyweight.DW;
    private static final int DW_BYTES_MASK = DW - 1;
    private static final long DW_MASK = ~(long)DW_BYTES_MASK;
    private static final long BOUNDARY_MASK = TlpFlyweight.BOUNDARY - 1;
    /** A completion that is not the last ends at a multiple of this number of bytes (section 2.3.1.1). */
    private static final int READ_COMPLETION_BOUNDARY = 64;

    private final TlpFlyweight tlp = new TlpFlyweight();

    /**
     * Returns how many bytes of a range the next request can cover.
     *
     * @param remoteAddress of the first byte.
     * @param length        in bytes, 1 or more.
     * @param maxLength     maximum bytes of whole DWs in a request, 4 or more.
     * @return 1 to {@code length}: up to the next boundary of 4 KiB and to {@code maxLength}.
     */
    public static int nextLength(final long remoteAddress, final int length, final int maxLength)
    {
        final int whole = (maxLength & ~DW_BYTES_MASK) - ((int)remoteAddress & DW_BYTES_MASK);
        return Math.min(toBoundary(remoteAddress, length), whole);
    }

    /** Returns how many bytes of a range of 1 or more are before the next boundary of 4 KiB. */
    public static int toBoundary(final long remoteAddress, final int length)
    {
        return Math.min(length, TlpFlyweight.BOUNDARY - (int)(remoteAddress & BOUNDARY_MASK));
    }

    /**
     * Returns how many bytes of a read the next completion can contain.
     *
     * @param remoteAddress of the first byte.
     * @param length        remaining bytes of the read, 1 or more.
     * @param maxLength     maximum bytes of whole DWs in a completion, 128 or more.
     * @return 1 to {@code length}: all, or up to a boundary of 64 bytes.
     */
    public static int nextCompletionLength(final long remoteAddress, final int length, final int maxLength)
    {
        final int whole = (maxLength & ~DW_BYTES_MASK) - ((int)remoteAddress & DW_BYTES_MASK);
        if (length <= whole)
        {
            return length;
        }
        final long end = remoteAddress + whole & -(long)READ_COMPLETION_BOUNDARY;
        return (int)(end - remoteAddress);
    }

    /**
     * Writes a memory write.
     *
     * @param destination   address for the TLP.
     * @param remoteAddress of the first byte to be stored.
     * @param dataAddress   of the data.
     * @param length        in bytes, 1 to 4,096, not crossing a boundary of 4 KiB.
     * @param requester     0 to 65,535.
     * @param tag           0 to 255.
     * @return length of the TLP in bytes.
     */
    public int write(
        final long destination,
        final long remoteAddress,
        final long dataAddress,
        final int length,
        final int requester,
        final int tag)
    {
        final int type = isLong(remoteAddress) ? TlpType.MEMORY_WRITE_4DW : TlpType.MEMORY_WRITE_3DW;
        final int headerLength = request(destination, type, remoteAddress, length, requester, tag);
        return headerLength + data(destination + headerLength, (int)remoteAddress, dataAddress, length);
    }

    /**
     * Writes a memory read.
     *
     * @param destination   address for the TLP.
     * @param remoteAddress of the first byte to be read.
     * @param length        in bytes, 1 to 4,096, not crossing a boundary of 4 KiB.
     * @param requester     0 to 65,535.
     * @param tag           0 to 255.
     * @return length of the TLP in bytes.
     */
    public int read(
        final long destination, final long remoteAddress, final int length, final int requester, final int tag)
    {
        final int type = isLong(remoteAddress) ? TlpType.MEMORY_READ_4DW : TlpType.MEMORY_READ_3DW;
        return request(destination, type, remoteAddress, length, requester, tag);
    }

    /**
     * Writes an atomic operation with requester 0.
     *
     * @param destination   address for the TLP.
     * @param type          {@link TlpType#FETCH_ADD_3DW}, {@link TlpType#SWAP_3DW} or {@link TlpType#COMPARE_SWAP_3DW}.
     *                      The address determines the size of the header.
     * @param remoteAddress of the first byte, a multiple of {@code width}.
     * @param operand       to add or store.
     * @param compare       for compare and swap.
     * @param width         4 or 8 bytes.
     * @param tag           0 to 255.
     * @return length of the TLP in bytes.
     */
    public int atomic(
        final long destination,
        final int type,
        final long remoteAddress,
        final long operand,
        final long compare,
        final int width,
        final int tag)
    {
        final boolean compares = type == TlpType.COMPARE_SWAP_3DW;
        final int dataLength = compares ? 2 * width : width;
        final int sized = isLong(remoteAddress) ? type | TlpType.FOUR_DW_MASK : type;
        final int headerLength = request(destination, sized, remoteAddress, dataLength, 0, tag);
        long at = destination + headerLength;
        if (compares)
        {
            put(at, compare, width);
            at += width;
        }
        put(at, operand, width);
        return headerLength + dataLength;
    }

    /**
     * Writes a completion without data.
     *
     * @param destination address for the TLP.
     * @param status      from {@link CompletionStatus}.
     * @param requester   of the request.
     * @param tag         of the request.
     * @return length of the TLP in bytes.
     */
    public int completion(final long destination, final int status, final int requester, final int tag)
    {
        tlp.wrap(destination).start(TlpType.COMPLETION, 0)
            .completion(0, status, DW)
            .answers(requester, tag, 0);
        return TlpFlyweight.LENGTH_3DW;
    }

    /**
     * Writes the header of a completion with data, and zeros into its first and last DW of data.
     *
     * @param destination   address for the TLP.
     * @param remoteAddress of the first byte in this completion.
     * @param length        bytes in this completion, 1 or more.
     * @param remaining     bytes in this completion and those after it, {@code length} to 4,096.
     * @param requester     of the request.
     * @param tag           of the request.
     * @return length of the TLP in bytes. The caller stores the data at {@link #completionData}.
     */
    public int completionHeader(
        final long destination,
        final long remoteAddress,
        final int length,
        final int remaining,
        final int requester,
        final int tag)
    {
        final int lengthDw = ByteEnables.lengthDw(remoteAddress, length);
        tlp.wrap(destination).start(TlpType.COMPLETION_DATA, lengthDw)
            .completion(0, CompletionStatus.SUCCESSFUL, remaining)
            .answers(requester, tag, (int)remoteAddress);
        final long dataAddress = destination + TlpFlyweight.LENGTH_3DW;
        FrameMemory.putInt(dataAddress, 0);
        FrameMemory.putInt(dataAddress + (lengthDw - 1) * DW, 0);
        return TlpFlyweight.LENGTH_3DW + lengthDw * DW;
    }

    /** Returns the length in bytes of a completion with {@code length} bytes of data from {@code remoteAddress} on. */
    public static int completionLength(final long remoteAddress, final int length)
    {
        return TlpFlyweight.LENGTH_3DW + ByteEnables.lengthDw(remoteAddress, length) * DW;
    }

    /**
     * Returns the address of the data in the completion at {@code destination}. {@code remoteAddress} is that of their
     * first byte.
     */
    public static long completionData(final long destination, final long remoteAddress)
    {
        return destination + TlpFlyweight.LENGTH_3DW + (remoteAddress & DW_BYTES_MASK);
    }

    private int request(
        final long destination,
        final int type,
        final long remoteAddress,
        final int length,
        final int requester,
        final int tag)
    {
        tlp.wrap(destination).start(type, ByteEnables.lengthDw(remoteAddress, length))
            .request(requester, tag, ByteEnables.of(remoteAddress, length))
            .dwAddress(remoteAddress & DW_MASK);
        return TlpType.headerLength(type);
    }

    /** Copies data to their position in whole DWs, with zeros before and after. */
    static int data(final long destination, final int remoteAddress, final long dataAddress, final int length)
    {
        final int leading = remoteAddress & DW_BYTES_MASK;
        final int padded = leading + length + DW_BYTES_MASK & ~DW_BYTES_MASK;
        FrameMemory.putInt(destination, 0);
        FrameMemory.putInt(destination + padded - DW, 0);
        FrameMemory.copy(dataAddress, destination + leading, length);
        return padded;
    }

    private static void put(final long address, final long value, final int width)
    {
        if (width == Long.BYTES)
        {
            FrameMemory.putLong(address, value);
        }
        else
        {
            FrameMemory.putInt(address, (int)value);
        }
    }

    private static boolean isLong(final long remoteAddress)
    {
        return remoteAddress >>> 32 != 0;
    }
}
