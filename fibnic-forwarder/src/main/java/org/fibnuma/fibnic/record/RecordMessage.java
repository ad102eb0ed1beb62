package org.fibnuma.fibnic.record;

/**
 * Messages of a record stream on the control socket, in the byte order of the machine: four bytes with the length of
 * the body, four bytes with the kind, and the body. Records of a {@link RecordRing} have the same kind and body. This
 * class has the kinds that all streams have.
 */
final class RecordMessage
{
    /** Number of records lost at a port so far, because the reader was too slow. */
    static final int LOST = 4;
    /** The last message; its body is empty. */
    static final int END = 5;

    static final int KIND_OFFSET = Integer.BYTES;
    static final int HEADER_LENGTH = KIND_OFFSET + Integer.BYTES;

    /** In the body of {@link #LOST}: index of the port. */
    static final int LOST_PORT_OFFSET = 0;
    static final int LOST_COUNT_OFFSET = LOST_PORT_OFFSET + Integer.BYTES;
    static final int LOST_LENGTH = LOST_COUNT_OFFSET + Long.BYTES;

    private RecordMessage()
    {
    }
}
