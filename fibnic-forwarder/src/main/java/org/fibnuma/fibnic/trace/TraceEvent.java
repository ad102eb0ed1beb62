package org.fibnuma.fibnic.trace;

/** An action of a stage for a traced frame, besides changes of the frame. */
public enum TraceEvent
{
    /** No action. */
    NONE("", false),
    /** An access list has judged the packet; the detail is the index of the rule, -1 for the default. */
    JUDGED("judged", false),
    /** The packet is of a flow; the detail is the number of its direction, twice the flow's, plus 1 for a reply. */
    FLOW("flow", false),
    /** An ICMP message about the packet was written; the record has its first bytes. */
    MESSAGE_WRITTEN("message-written", false),
    /** An ICMPv6 message about the packet was sent to a host on the link, without a lookup. */
    MESSAGE_SENT("message-sent", false),
    /** An ICMP message about the packet was not sent: beyond the rate limit, or for lack of an address or memory. */
    MESSAGE_SUPPRESSED("message-suppressed", false),
    /** The frame is in the transmit queue of the egress port. */
    SENT("sent", true),
    /** The frame waits in a FIFO for the egress port. */
    QUEUED("queued", true),
    /** The packet was sent in fragments; the detail is their number. */
    FRAGMENTED("fragmented", true),
    /** The frame waits until its neighbour is resolved. */
    HELD("held", true),
    /** The frame was passed to the kernel of the host. */
    PUNTED("punted", true),
    /** The router has processed the frame, which was for the router. */
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

    /** Returns whether this is the last event of a frame. */
    public boolean isFate()
    {
        return isFate;
    }
}
