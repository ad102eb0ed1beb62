package org.fibnuma.core.port.pcap;

/** Format of the records in a {@link CaptureStream}. */
abstract class CaptureFormat
{
    /** Longest valid frame in bytes: libpcap's MAXIMUM_SNAPLEN. */
    static final int MAX_FRAME_LENGTH = 262_144;

    final CaptureStream stream;
    int linkType;
    int capturedLength;
    long originalLength;

    CaptureFormat(final CaptureStream stream)
    {
        this.stream = stream;
    }

    /** Moves to the next frame and sets its fields; returns true if its bytes are at the position of the stream. */
    abstract boolean next();

    /**
     * Validates the lengths of a frame and reads it into the window; returns whether it is there.
     *
     * @param captured length in the file, in bytes.
     * @param original length on the wire, in bytes.
     * @param most     longest captured length that is valid here.
     */
    final boolean frame(final long captured, final long original, final long most)
    {
        if (captured > most)
        {
            return stream.fail("has a frame of " + captured + " bytes where at most " + most + " can be");
        }
        if (!stream.require((int)captured))
        {
            return stream.problem() == null && stream.fail("ends inside a frame of " + captured + " bytes");
        }
        capturedLength = (int)captured;
        originalLength = original;
        return true;
    }
}
