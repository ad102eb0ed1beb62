package org.fibnuma.core.port.pcap;

/** Format of the frames in a {@link CaptureStream}. */
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

    /**
     * Moves to the next frame and sets the fields about it.
     *
     * @return true if its bytes are in the window from the stream's position on.
     */
    abstract boolean next();

    /**
     * Validates the lengths of a frame and reads it into the window.
     *
     * @param captured length in the file.
     * @param original length on the wire.
     * @param most     longest captured length that is valid here.
     * @return whether the frame is in the window.
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
