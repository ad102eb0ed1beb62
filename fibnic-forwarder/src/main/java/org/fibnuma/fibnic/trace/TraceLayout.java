package org.fibnuma.fibnic.trace;

/**
 * Layout of the record of a traced frame, in the byte order of the machine: a header, the first bytes of the received
 * frame, and its steps. A step has a header and bytes: the first bytes of the frame if the stage has changed them, or
 * those of an ICMP message, or the name of an access list. Bytes are padded to {@link #ALIGNMENT}.
 */
final class TraceLayout
{
    /** Kind of the record. */
    static final int FRAME = 1;

    static final int ALIGNMENT = Long.BYTES;
    /** First bytes of a frame that are compared: Ethernet, two VLAN tags, the longest IPv4 header and that of TCP. */
    static final int HEAD = 128;
    /** Most characters of the name of an access list; a longer name is cut. */
    static final int MAX_NAME = 64;

    /** Time at which the frame was received, in ns since 1970. */
    static final int TIME_OFFSET = 0;
    static final int WORKER_OFFSET = TIME_OFFSET + Long.BYTES;
    /** Index of the ingress port. */
    static final int PORT_OFFSET = WORKER_OFFSET + Integer.BYTES;
    /** Length of the received frame in bytes. */
    static final int LENGTH_OFFSET = PORT_OFFSET + Integer.BYTES;
    /** Number of bytes of the frame behind the header. */
    static final int HEAD_LENGTH_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int STEPS_OFFSET = HEAD_LENGTH_OFFSET + Integer.BYTES;
    /** 1 if steps are missing, else 0. */
    static final int TRUNCATED_OFFSET = STEPS_OFFSET + Integer.BYTES;
    static final int HEADER_LENGTH = TRUNCATED_OFFSET + Integer.BYTES;

    /** In a step: id of the {@link org.fibnuma.fibnic.stage.Stage}. */
    static final int STAGE_OFFSET = 0;
    static final int CLASS_OFFSET = STAGE_OFFSET + Byte.BYTES;
    static final int DISPOSITION_OFFSET = CLASS_OFFSET + Byte.BYTES;
    /** Id of the drop reason; undefined unless the frame is dropped. */
    static final int REASON_OFFSET = DISPOSITION_OFFSET + Byte.BYTES;
    static final int EVENT_OFFSET = REASON_OFFSET + Byte.BYTES;
    /** Ordinal of the adjacency's kind, or {@link #NONE}. */
    static final int ADJACENCY_KIND_OFFSET = EVENT_OFFSET + Byte.BYTES;
    /** Number of bytes behind the step. */
    static final int BYTES_LENGTH_OFFSET = ADJACENCY_KIND_OFFSET + Byte.BYTES;
    /** Length of the frame in bytes. */
    static final int STEP_FRAME_LENGTH_OFFSET = BYTES_LENGTH_OFFSET + Short.BYTES;
    /** Number of the ingress interface. */
    static final int INGRESS_OFFSET = STEP_FRAME_LENGTH_OFFSET + Integer.BYTES;
    /** Index of the adjacency, or {@link #NONE}. */
    static final int ADJACENCY_OFFSET = INGRESS_OFFSET + Integer.BYTES;
    /** Number of the egress interface, or {@link #NONE}. */
    static final int EGRESS_OFFSET = ADJACENCY_OFFSET + Integer.BYTES;
    static final int MTU_OFFSET = EGRESS_OFFSET + Integer.BYTES;
    static final int DETAIL_OFFSET = MTU_OFFSET + Integer.BYTES;
    static final int NEXT_HOP_OFFSET = DETAIL_OFFSET + Integer.BYTES;
    /** VLAN tags of the ingress interface as in {@link org.fibnuma.core.wire.VlanTag}, 0 for a port. */
    static final int INGRESS_TAGS_OFFSET = NEXT_HOP_OFFSET + 2 * Long.BYTES;
    static final int EGRESS_TAGS_OFFSET = INGRESS_TAGS_OFFSET + Long.BYTES;
    static final int STEP_LENGTH = EGRESS_TAGS_OFFSET + Long.BYTES;

    static final int NONE = -1;

    /** More than a frame can have: each stage adds one step, both rewrites add two. */
    static final int MAX_STEPS = 32;
    /** Longest record. */
    static final int CAPACITY = HEADER_LENGTH + HEAD + MAX_STEPS * (STEP_LENGTH + HEAD);

    private TraceLayout()
    {
    }

    static int align(final int length)
    {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
