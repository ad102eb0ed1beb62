package org.fibnuma.fibnic.capture;

/**
 * Messages of a capture on the control socket, in the byte order of the machine: four bytes with the length of the
 * body, four bytes with the kind, and the body. The kinds of frames are also the types of messages in a
 * {@link CaptureRing}, with the same body.
 */
final class CaptureMessage
{
    /** A frame as it was received. */
    static final int RECEIVED = 1;
    /** A frame as it was passed to its egress port. */
    static final int SENT = 2;
    /** A frame as it was dropped. */
    static final int DROPPED = 3;
    /** Number of frames lost at a port so far, because the reader was too slow. */
    static final int LOST = 4;
    /** The last message; its body is empty. */
    static final int END = 5;

    static final int KIND_OFFSET = Integer.BYTES;
    static final int HEADER_LENGTH = KIND_OFFSET + Integer.BYTES;

    /** In the body of a frame: time in ns since 1970. */
    static final int TIME_OFFSET = 0;
    /** Index of the ingress port, or of the egress port of a frame that was sent. */
    static final int PORT_OFFSET = TIME_OFFSET + Long.BYTES;
    /** Length of the whole frame in bytes. */
    static final int LENGTH_OFFSET = PORT_OFFSET + Integer.BYTES;
    /** Id of the drop reason; undefined for other kinds. */
    static final int REASON_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int FRAME_OFFSET = REASON_OFFSET + Integer.BYTES;

    /** In the body of {@link #LOST}: index of the port. */
    static final int LOST_PORT_OFFSET = 0;
    static final int LOST_COUNT_OFFSET = LOST_PORT_OFFSET + Integer.BYTES;
    static final int LOST_LENGTH = LOST_COUNT_OFFSET + Long.BYTES;

    private CaptureMessage()
    {
    }
}
