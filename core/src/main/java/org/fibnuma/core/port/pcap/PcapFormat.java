package org.fibnuma.core.port.pcap;

import java.nio.ByteOrder;

/**
 * The classic format (draft-ietf-opsawg-pcap): one link type for the file, then records of a header and a frame.
 * Timestamps are ignored, so microseconds and nanoseconds are read in the same way.
 */
final class PcapFormat extends CaptureFormat
{
    static final int MAGIC_MICROSECONDS = 0xA1B2C3D4;
    static final int MAGIC_NANOSECONDS = 0xA1B23C4D;
    /** Alexey Kuznetsov's Linux variant: eight more bytes in each record header. */
    static final int MAGIC_PATCHED = 0xA1B2CD34;

    static final int FILE_HEADER_LENGTH = 24;
    static final int VERSION_MAJOR_OFFSET = 4;
    static final int VERSION_MINOR_OFFSET = 6;
    static final int SNAP_LENGTH_OFFSET = 16;
    static final int LINK_TYPE_OFFSET = 20;
    static final int VERSION_MAJOR = 2;
    static final int VERSION_MINOR = 4;

    static final int RECORD_HEADER_LENGTH = 16;
    static final int FRACTION_OFFSET = 4;
    static final int CAPTURED_LENGTH_OFFSET = 8;
    static final int ORIGINAL_LENGTH_OFFSET = 12;

    private static final int PATCHED_RECORD_HEADER_LENGTH = 24;
    // The bits above are flags about frame check sequences.
    private static final int LINK_TYPE_MASK = 0xFFFF;

    private final int recordHeaderLength;

    private PcapFormat(final CaptureStream stream, final int recordHeaderLength)
    {
        super(stream);
        this.recordHeaderLength = recordHeaderLength;
        this.linkType = (int)stream.unsignedInt(LINK_TYPE_OFFSET) & LINK_TYPE_MASK;
        stream.skip(FILE_HEADER_LENGTH);
    }

    /** Returns null if a stream of at least {@link #FILE_HEADER_LENGTH} bytes has another format. */
    static PcapFormat recognize(final CaptureStream stream)
    {
        for (final ByteOrder order : new ByteOrder[]{ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN})
        {
            stream.order(order);
            final int magic = (int)stream.unsignedInt(0);
            if (magic == MAGIC_MICROSECONDS || magic == MAGIC_NANOSECONDS)
            {
                return new PcapFormat(stream, RECORD_HEADER_LENGTH);
            }
            if (magic == MAGIC_PATCHED)
            {
                return new PcapFormat(stream, PATCHED_RECORD_HEADER_LENGTH);
            }
        }
        return null;
    }

    @Override
    boolean next()
    {
        stream.skip(capturedLength);
        capturedLength = 0;
        if (!stream.require(recordHeaderLength))
        {
            return stream.end("record header");
        }
        final long captured = stream.unsignedInt(CAPTURED_LENGTH_OFFSET);
        final long original = stream.unsignedInt(ORIGINAL_LENGTH_OFFSET);
        stream.skip(recordHeaderLength);
        return frame(captured, original, MAX_FRAME_LENGTH);
    }
}
