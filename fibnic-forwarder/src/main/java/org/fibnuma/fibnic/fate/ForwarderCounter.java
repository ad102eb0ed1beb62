package org.fibnuma.fibnic.fate;

/**
 * Counters of each worker other than drops. While no frame is being processed, {@link #RECEIVED} is the sum of
 * {@link #FORWARDED}, {@link #PUNTED}, {@link #CONSUMED}, {@link #HELD} and all drops, less {@link #QUEUE_DROPPED}.
 * Only {@link #HELD} can fall.
 */
public enum ForwarderCounter
{
    /** Frames received from all ports. */
    RECEIVED(0, "received"),
    /** Received frames that were sent or queued for sending; a fragmented frame counts once. */
    FORWARDED(1, "forwarded"),
    /** Received frames passed to the kernel. */
    PUNTED(2, "punted"),
    /** Received frames that the router itself processed, such as PAUSE. */
    CONSUMED(3, "consumed"),
    /** Received frames that are held now, until a neighbour is resolved. */
    HELD(4, "held"),
    /** The router's own messages that were sent: ICMP errors, redirects, and PFC pauses. */
    ORIGINATED(5, "originated"),
    /** The router's own messages that were dropped. */
    ORIGINATED_LOST(6, "originated-lost"),
    /** Fragments sent instead of frames longer than the MTU. */
    FRAGMENTS(7, "fragments"),
    /** ICMP errors and redirects not written because of the rate limit, a missing address or a missing chunk. */
    ICMP_SUPPRESSED(8, "icmp-suppressed"),
    /** Frames of the kernel of this host that were sent by a port. */
    FROM_HOST(9, "from-host"),
    /** Frames of the kernel of this host that were dropped because their port was full. */
    FROM_HOST_LOST(10, "from-host-lost"),
    /** Duty cycles; each polls all ports. */
    POLLS(11, "polls"),
    /** Duty cycles without work. */
    IDLE_POLLS(12, "idle-polls"),
    /** Received frames that were processed as exceptions. */
    EXCEPTIONS(13, "exceptions"),
    /** Received IPv6 frames, except those that were left to the kernel or dropped for their Ethernet header. */
    IPV6(14, "ipv6"),
    /** Received IPv4 frames, except those that were left to the kernel or dropped for their Ethernet header. */
    IPV4(15, "ipv4"),
    /** The part of {@link #FORWARDED} that is IPv6. */
    IPV6_FORWARDED(16, "ipv6-forwarded"),
    /** The part of {@link #FORWARDED} that is IPv4: all that is not {@link #IPV6_FORWARDED}. */
    IPV4_FORWARDED(17, "ipv4-forwarded"),
    /**
     * The part of {@link #FORWARDED} that was dropped while it waited to be sent, in a storm of PFC pauses or because
     * its port was replaced. These frames are counted as dropped too.
     */
    QUEUE_DROPPED(18, "queue-dropped"),
    /** Fragments that were dropped because the egress was full, after the first fragment of their packet was sent. */
    FRAGMENTS_LOST(19, "fragments-lost"),
    /** Received frames of flows: of connections that the host's packet filters have accepted. */
    FLOWS(20, "flows");

    private final int id;
    private final String label;

    ForwarderCounter(final int id, final String label)
    {
        this.id = id;
        this.label = label;
    }

    /** Returns the number of the counter, from 0; the position in this enum. */
    public int id()
    {
        return id;
    }

    /** Returns the name for output and JSON, in lower case with hyphens. */
    public String label()
    {
        return label;
    }
}
