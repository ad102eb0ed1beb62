package org.fibnuma.fibnic.trace;

/** What a stage did to a traced frame beyond changing it. */
public enum TraceEvent
{
    /** Nothing more. */
    NONE("", false),
    /** An access list has judged the packet; the detail is the index of the rule, -1 for the default. */
    JUDGED("judged", false),
    /** An ICMP message about the packet was written; the record has its first bytes. */
    MESSAGE_WRITTEN("message-written", false),
    /** An ICMPv6 message about the packet was sent to a host on the link without a lookup. */
    MESSAGE_SENT("message-sent", false),
    /** An ICMP message about the packet was not sent: beyond the limit, or there was no address or memory for it. */
    MESSAGE_SUPPRESSED("message-suppressed", false),
    /** The transmit queue of the egress port has taken the frame. */
    SENT("sent", true),
    /** The frame waits in a FIFO for the egress port. */
    QUEUED("queued", true),
    /** The packet was sent in fragments; the detail is their number. */
    FRAGMENTED("fragmented", true),
    /** The frame waits until its neighbour is resolved. */
    HELD("held", true),
    /** The kernel of the host has got the frame. */
    PUNTED("punted", true),
    /** The router has processed the frame itself. */
    CONSUMED("consumed", true),
    /** The frame was dropped for the reason in the step. */
    DROPPED("dropped", true);

    private static final TraceEvent[] BY_ID = values();

    private final String label;
    private final boolean isFate;

    TraceEvent(final String label, final boolean isFate)
    {
        this.label = label;
        this.isFate = isFate;
    }

    static TraceEvent of(final int id)
    {
        return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
    }

    /** Returns the name for JSON, empty for {@link #NONE}. */
    public String label()
    {
        return label;
    }

    /** Returns whether the way of the frame ends with this. */
    public boolean isFate()
    {
        return isFate;
    }
}
