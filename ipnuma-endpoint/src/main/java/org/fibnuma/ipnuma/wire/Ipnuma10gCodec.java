package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Format of the 10-gigabit adapter: magic, two zero bytes, one TLP in the order of the adapter's bus. Each DW of header
 * and data has its least significant byte first.
 * <pre>
 *  BE 9B E9 55  00 00 | DW0 | DW1 | DW2 (| DW3) | data
 *  01 00 00 40  FF 01 34 12  00 01 6C FD  DD CC BB AA
 *      = write of 1 DW, requester 1234, tag 1, to FD6C0100: bytes AA BB CC DD in memory
 * </pre>
 * In a header of four DWs, the DW with address bits 63 to 32 comes first. There is no end code.
 */
public final class Ipnuma10gCodec extends SingleTlpCodec
{
    /** The first four bytes, in network byte order. */
    public static final int MAGIC = 0xBE9BE955;
    public static final int TLP_OFFSET = Integer.BYTES + Short.BYTES;

    private static final int DW = TlpFlyweight.DW;

    private final TlpDecoder decoder = new TlpDecoder();

    /** Creates a codec for one peer. */
    public Ipnuma10gCodec()
    {
        super(TLP_OFFSET);
    }

    @Override
    public int wrapTlp(final long payload, final int tlpLength)
    {
        FrameMemory.putIntBE(payload, MAGIC);
        FrameMemory.putShort(payload + Integer.BYTES, 0);
        reverseDws(payload + TLP_OFFSET, tlpLength);
        return TLP_OFFSET + tlpLength;
    }

    @Override
    public int decode(final long payload, final int length, final TlpSink sink)
    {
        if (length < TLP_OFFSET || FrameMemory.getIntBE(payload) != MAGIC ||
            FrameMemory.getShort(payload + Integer.BYTES) != 0)
        {
            return TlpFault.BAD_MAGIC;
        }
        final int tlpLength = length - TLP_OFFSET;
        reverseDws(payload + TLP_OFFSET, tlpLength & -DW);
        final int consumed = decoder.decode(payload + TLP_OFFSET, tlpLength, sink);
        return consumed < 0 ? consumed : 1;
    }

    private static void reverseDws(final long address, final int length)
    {
        for (long dw = address; dw < address + length; dw += DW)
        {
            FrameMemory.putInt(dw, Integer.reverseBytes(FrameMemory.getInt(dw)));
        }
    }
}
