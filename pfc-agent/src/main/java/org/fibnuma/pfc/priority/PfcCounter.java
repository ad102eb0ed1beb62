package org.fibnuma.pfc.priority;

/** The counters of each port and priority. All but {@link #XOFF_IGNORED} are of lossless priorities. */
public enum PfcCounter
{
    /** Pauses sent: frames with a time above 0 for the priority. */
    XOFF_TX("xoff-tx"),
    /** Pauses received. */
    XOFF_RX("xoff-rx"),
    /** Ends of pauses sent: frames with time 0 for the priority. */
    XON_TX("xon-tx"),
    /** Ends of pauses received. */
    XON_RX("xon-rx"),
    /** Nanoseconds for which this port paused the peer. */
    PAUSED_TX_NS("paused-tx-ns"),
    /** Nanoseconds for which the peer paused this port. */
    PAUSED_RX_NS("paused-rx-ns"),
    /** Changes of the peer from not paused to paused by this port. */
    TRANSITIONS_TX("transitions-tx"),
    /** Changes of this port from not paused to paused by the peer. */
    TRANSITIONS_RX("transitions-rx"),
    /** Highest number of bytes held above xoff. */
    HEADROOM_HIGH_WATER("headroom-high-water"),
    /** Pause storms detected. */
    STORMS_DETECTED("storms-detected"),
    /** Pause storms that ended. */
    STORMS_RESTORED("storms-restored"),
    /** Frames dropped during a storm. */
    DROPPED_IN_STORM("dropped-in-storm"),
    /** Lossless frames dropped because the headroom was used up. */
    DROPPED_BEYOND_HEADROOM("dropped-beyond-headroom"),
    /** Frames marked with congestion experienced. */
    ECN_MARKED("ecn-marked"),
    /** Pauses received for a priority that is not lossless; they are not obeyed. */
    XOFF_IGNORED("xoff-ignored");

    private static final PfcCounter[] BY_ID = values();

    private final String label;

    PfcCounter(final String label)
    {
        this.label = label;
    }

    /** {@return the counter of an id, 0 to {@link #count()} - 1} */
    public static PfcCounter of(final int id)
    {
        return BY_ID[id];
    }

    /**
     * Returns whether a priority has this counter: {@link #XOFF_IGNORED} if it is not lossless, otherwise all others.
     */
    public boolean isOf(final boolean isLossless)
    {
        return isLossless != (this == XOFF_IGNORED);
    }

    /** {@return the number of counters} */
    public static int count()
    {
        return BY_ID.length;
    }

    /** {@return the index of this counter, 0 to {@link #count()} - 1} */
    public int id()
    {
        return ordinal();
    }

    /** {@return the name for logs and JSON, in lower case with hyphens} */
    public String label()
    {
        return label;
    }
}
