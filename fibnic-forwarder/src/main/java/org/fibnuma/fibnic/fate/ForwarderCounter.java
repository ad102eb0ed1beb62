package org.fibnuma.fibnic.fate;

/**
 * What each worker counts beside drops. When no frame is on its way, {@link #RECEIVED} is the sum of
 * {@link #FORWARDED}, {@link #PUNTED}, {@link #CONSUMED}, {@link #HELD} and all drops.
 */
public enum ForwarderCounter
{
    /** Frames taken from all ports. */
    RECEIVED(0, "received"),
    /** Received frames sent on, each once even where it left as fragments. */
    FORWARDED(1, "forwarded"),
    /** Received frames given to the kernel. */
    PUNTED(2, "punted"),
    /** Received frames that were read and answered or obeyed. */
    CONSUMED(3, "consumed"),
    /** Received frames that wait for a neighbour now: the only counter that falls. */
    HELD(4, "held"),
    /** Messages of our own sent: ICMP errors and redirects. */
    ORIGINATED(5, "originated"),
    /** Messages of our own that were made but found no way out. */
    ORIGINATED_LOST(6, "originated-lost"),
    /** Fragments sent in place of forwarded frames that were too long. */
    FRAGMENTS(7, "fragments"),
    /** ICMP errors and redirects not made because of the rate limit, a missing address or a missing chunk. */
    ICMP_SUPPRESSED(8, "icmp-suppressed"),
    /** Frames of this host's kernel sent by the port that they were meant for. */
    FROM_HOST(9, "from-host"),
    /** Frames of this host's kernel that found their port full. */
    FROM_HOST_LOST(10, "from-host-lost"),
    /** Duty cycles: looks at all ports. */
    POLLS(11, "polls"),
    /** Duty cycles in which there was nothing to do. */
    IDLE_POLLS(12, "idle-polls"),
    /** Received frames that were not ordinary: those that went through the stages for exceptions. */
    EXCEPTIONS(13, "exceptions");

    private final int id;
    private final String label;

    ForwarderCounter(final int id, final String label)
    {
        this.id = id;
        this.label = label;
    }

    /**
     * Its number among the counters.
     *
     * @return the position in this enumeration.
     */
    public int id()
    {
        return id;
    }

    /**
     * Its name for people and JSON.
     *
     * @return lower case with hyphens.
     */
    public String label()
    {
        return label;
    }
}
