package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Format of the gigabit adapter: magic, then writes in a short form, then a zero byte.
 * <pre>
 *  A1 11 00 00 | command, byte enables, address (4 or 5), data (DWs) | ... | 00
 *  81 0F D0000000 01020304 : write of 1 DW, all bytes, to D0000000: bytes 01 02 03 04 in memory
 * </pre>
 * In the command, bit 7 is set for a write, bit 6 for an address of five bytes instead of four, and bits 5 to 0 contain
 * the length in DWs. The address is in network byte order, the data in memory order. The byte enables are those of
 * PCIe, with those of the last DW in the high four bits.
 */
public final class Ipnuma1gCodec implements DatagramCodec
{
    /** The first four bytes, in network byte order. */
    public static final int MAGIC = 0xA1110000;
    /** Offset of the first write. */
    public static final int LIST_OFFSET = Integer.BYTES;
    /** Command bit: a write. */
    public static final int WRITE_MASK = 0x80;
    /** Command bit: the address has five bytes. */
    public static final int LONG_ADDRESS_MASK = 0x40;
    /** Command bits: length in DWs. */
    public static final int LENGTH_MASK = 0x3F;
    /** Command that ends the list. */
    public static final int END = 0;
    /** Bytes of an address below 2^32. */
    public static final int SHORT_ADDRESS = Integer.BYTES;
    /** Bytes of an address below 2^40. */
    public static final int LONG_ADDRESS = SHORT_ADDRESS + Byte.BYTES;

    private static final int DW = TlpFlyweight.DW;
    private static final long DW_MASK = -DW;
    private static final int COMMAND_LENGTH = 2 * Byte.BYTES;
    private static final int MAX_DATA = LENGTH_MASK * DW;
    private static final int OVERHEAD = LIST_OFFSET + COMMAND_LENGTH + LONG_ADDRESS + Byte.BYTES;
    private static final int ADDRESS_BITS = LONG_ADDRESS * Byte.SIZE;

    @Override
    public boolean hasAnswers()
    {
        return false;
    }

    @Override
    public int writeLength(final long remoteAddress, final int length, final int maxPayload)
    {
        return remoteAddress >>> ADDRESS_BITS == 0 ?
            TlpEncoder.nextLength(remoteAddress, length, Math.min(MAX_DATA, maxPayload - OVERHEAD)) :
            0;
    }

    @Override
    public int encodeWrite(final long payload, final long remoteAddress, final long dataAddress, final int length)
    {
        FrameMemory.putIntBE(payload, MAGIC);
        return closeList(payload, appendWrite(payload, LIST_OFFSET, remoteAddress, dataAddress, length));
    }

    /**
     * Appends a write to the list of writes of one datagram.
     *
     * @param payload       address of the UDP payload.
     * @param used          bytes of the payload so far, {@link #LIST_OFFSET} at first.
     * @param remoteAddress of the first byte to be stored, below 2^40.
     * @param dataAddress   of the data.
     * @param length        in bytes, within 63 DWs.
     * @return bytes of the payload so far, for {@link #closeList}.
     */
    public int appendWrite(
        final long payload, final int used, final long remoteAddress, final long dataAddress, final int length)
    {
        final boolean isLong = remoteAddress >>> Integer.SIZE != 0;
        final int command = WRITE_MASK | ByteEnables.lengthDw(remoteAddress, length);
        long at = payload + used;
        FrameMemory.putByte(at, isLong ? command | LONG_ADDRESS_MASK : command);
        FrameMemory.putByte(at + 1, ByteEnables.of(remoteAddress, length));
        at += COMMAND_LENGTH;
        if (isLong)
        {
            FrameMemory.putByte(at++, (int)(remoteAddress >>> Integer.SIZE));
        }
        FrameMemory.putIntBE(at, (int)(remoteAddress & DW_MASK));
        at += SHORT_ADDRESS;
        return (int)(at - payload) + TlpEncoder.data(at, (int)remoteAddress, dataAddress, length);
    }

    /**
     * Writes the magic and the end of a list.
     *
     * @param payload address of the UDP payload.
     * @param used    bytes of the payload so far.
     * @return length of the UDP payload in bytes.
     */
    public int closeList(final long payload, final int used)
    {
        FrameMemory.putIntBE(payload, MAGIC);
        FrameMemory.putByte(payload + used, END);
        return used + Byte.BYTES;
    }

    @Override
    public int encodeRead(final long payload, final long remoteAddress, final int length, final int tag)
    {
        return 0;
    }

    @Override
    public long tlpAddress(final long payload)
    {
        return payload;
    }

    @Override
    public int wrapTlp(final long payload, final int tlpLength)
    {
        return 0;
    }

    @Override
    public int decode(final long payload, final int length, final TlpSink sink)
    {
        if (length < LIST_OFFSET || FrameMemory.getIntBE(payload) != MAGIC)
        {
            return TlpFault.BAD_MAGIC;
        }
        final int checked = decodeList(payload, length, null);
        return checked < 0 ? checked : decodeList(payload, length, sink);
    }

    /** Passes the writes of a list to the sink. Only validates them if the sink is null. */
    private static int decodeList(final long payload, final int length, final TlpSink sink)
    {
        int found = 0;
        int offset = LIST_OFFSET;
        while (offset < length && FrameMemory.getByte(payload + offset) != END)
        {
            final int consumed = decodeWrite(payload + offset, length - offset, sink);
            if (consumed < 0)
            {
                return consumed;
            }
            offset += consumed;
            found++;
        }
        if (offset == length)
        {
            return TlpFault.NO_END_CODE;
        }
        return offset + Byte.BYTES == length ? found : TlpFault.TRAILING_BYTES;
    }

    private static int decodeWrite(final long at, final int length, final TlpSink sink)
    {
        final int command = FrameMemory.getByte(at) & 0xFF;
        final int lengthDw = command & LENGTH_MASK;
        if ((command & WRITE_MASK) == 0)
        {
            return TlpFault.UNKNOWN_TYPE;
        }
        if (lengthDw == 0)
        {
            return TlpFault.BAD_LENGTH;
        }
        final boolean isLong = (command & LONG_ADDRESS_MASK) != 0;
        final int headerLength = COMMAND_LENGTH + (isLong ? LONG_ADDRESS : SHORT_ADDRESS);
        final int total = headerLength + lengthDw * DW;
        if (length < total)
        {
            return TlpFault.TRUNCATED;
        }
        final long low = FrameMemory.getIntBE(at + headerLength - SHORT_ADDRESS) & 0xFFFF_FFFFL;
        final long high = isLong ? FrameMemory.getByte(at + COMMAND_LENGTH) & 0xFF : 0;
        final long dwAddress = (high << Integer.SIZE | low) & DW_MASK;
        final int byteEnables = ByteEnables.corrected(FrameMemory.getByte(at + 1) & 0xFF, lengthDw);
        final int fault = TlpDecoder.requestFault(byteEnables, lengthDw, dwAddress);
        if (fault == 0 && sink != null)
        {
            TlpDecoder.deliverWrite(byteEnables, lengthDw, dwAddress, at + headerLength, sink);
        }
        return fault == 0 ? total : fault;
    }
}
