package org.fibnuma.fibnic.capture;

/** Kinds of the records of a capture, and offsets in their body, which is in the byte order of the machine. */
final class CaptureMessage
{
    /** A frame as it was received. */
    static final int RECEIVED = 1;
    /** A frame as it was passed to its egress port. */
    static final int SENT = 2;
    /** A frame as it was dropped. */
    static final int DROPPED = 3;

    /** Time in ns since 1970. */
    static final int TIME_OFFSET = 0;
    /** Index of the ingress port, or of the egress port of a frame that was sent. */
    static final int PORT_OFFSET = TIME_OFFSET + Long.BYTES;
    /** Length of the whole frame in bytes. */
    static final int LENGTH_OFFSET = PORT_OFFSET + Integer.BYTES;
    /** Id of the drop reason; undefined for other kinds. */
    static final int REASON_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int FRAME_OFFSET = REASON_OFFSET + Integer.BYTES;

    private CaptureMessage()
    {
    }
}
