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
    /** Nanoseconds for which we had paused the peer. */
    PAUSED_TX_NS("paused-tx-ns"),
    /** Nanoseconds for which the peer had paused us. */
    PAUSED_RX_NS("paused-rx-ns"),
    /** Changes of the peer from not paused to paused by us. */
    TRANSITIONS_TX("transitions-tx"),
    /** Our changes from not paused to paused by the peer. */
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

    /**
     * Returns the counter of an id.
     *
     * @param id 0 to {@link #count()} - 1.
     * @return the counter.
     */
    public static PfcCounter of(final int id)
    {
        return BY_ID[id];
    }

    /**
     * Returns whether a priority has this counter.
     *
     * @param isLossless whether the priority is lossless.
     * @return true for {@link #XOFF_IGNORED} of a priority that is not lossless and for all others of a lossless one.
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
