package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Format of NetTLP (libtlp.h, struct nettlp_hdr): 16-bit word whose low ten bits are a sequence number, 32-bit
 * timestamp, one TLP in PCIe byte order; network order throughout. LibTLP sends and expects zeros in the first two
 * and looks at neither.
 * <pre>
 *  seq (2) timestamp (4) | DW0 | DW1 | DW2 (| DW3) | data
 * </pre>
 * The port is chosen by the tag ({@link IpnumaPorts}); an answer goes back by the port that the request came to.
 */
public final class NetTlpCodec extends SingleTlpCodec
{
    /** Offset of the word with the sequence number. */
    public static final int SEQUENCE_OFFSET = 0;
    /** Offset of the timestamp. */
    public static final int TIMESTAMP_OFFSET = SEQUENCE_OFFSET + Short.BYTES;
    /** Bytes before the TLP. */
    public static final int TLP_OFFSET = TIMESTAMP_OFFSET + Integer.BYTES;
    /** The sequence number in its word. */
    public static final int SEQUENCE_MASK = 0x3FF;

    private final TlpDecoder decoder = new TlpDecoder();
    private int sequence;

    /** For one peer. */
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
        final int taken = decoder.decode(payload + TLP_OFFSET, length - TLP_OFFSET, sink);
        return taken < 0 ? taken : 1;
    }
}
