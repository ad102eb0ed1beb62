package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Format of NetTLP (libtlp.h, struct nettlp_hdr), in network byte order: 16 bits of which the low ten are a sequence
 * number, 32-bit timestamp, one TLP in PCIe byte order. LibTLP sends zeros in the first two and ignores them on
 * receipt.
 * <pre>
 *  seq (2) timestamp (4) | DW0 | DW1 | DW2 (| DW3) | data
 * </pre>
 * The TLP tag selects the UDP port ({@link IpnumaPorts}). A completion is sent from the UDP port at which the request
 * arrived.
 */
public final class NetTlpCodec extends SingleTlpCodec
{
    /** Offset of the 16 bits with the sequence number. */
    public static final int SEQUENCE_OFFSET = 0;
    public static final int TIMESTAMP_OFFSET = SEQUENCE_OFFSET + Short.BYTES;
    public static final int TLP_OFFSET = TIMESTAMP_OFFSET + Integer.BYTES;
    public static final int SEQUENCE_MASK = 0x3FF;

    private final TlpDecoder decoder = new TlpDecoder();
    private int sequence;

    /** Creates a codec for one peer. */
    public NetTlpCodec()
    {
        super(TLP_OFFSET);
    }

    @Override
    public int wrapTlp(final long payload, final int tlpLength)
    {
        FrameMemory.putShortBE(payload + SEQUENCE_OFFSET, sequence);
        sequence = sequence + 1 & SEQUENCE_MASK;
        FrameMemory.putInt(payload + TIMESTAMP_OFFSET, 0);
        return TLP_OFFSET + tlpLength;
    }

    @Override
    public int decode(final long payload, final int length, final TlpSink sink)
    {
        final int consumed = decoder.decode(payload + TLP_OFFSET, length - TLP_OFFSET, sink);
        return consumed < 0 ? consumed : 1;
    }
}
