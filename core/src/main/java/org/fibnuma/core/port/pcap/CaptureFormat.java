package org.fibnuma.core.port.pcap;

/** How frames lie in a {@link CaptureStream}. */
abstract class CaptureFormat
{
    /** Longest frame that is believed: libpcap's MAXIMUM_SNAPLEN. Anything above it is damage. */
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
     * @return true where its bytes are in the window from the stream's place on.
     */
    abstract boolean next();

    /**
     * Checks the lengths of a frame and brings it into the window.
     *
     * @param captured length in the file.
     * @param original length on the wire.
     * @param most     that there is room for where the frame stands.
     * @return whether the frame is there.
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
