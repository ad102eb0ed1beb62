package org.fibnuma.pfc.priority;

/** What is counted for each port and priority. */
public enum PfcCounter
{
    /** Pauses sent: frames that speak of the priority with a time above 0. */
    XOFF_TX("xoff-tx"),
    /** Pauses received. */
    XOFF_RX("xoff-rx"),
    /** Ends of pauses sent: frames that speak of the priority with the time 0. */
    XON_TX("xon-tx"),
    /** Ends of pauses received. */
    XON_RX("xon-rx"),
    /** Nanoseconds for which we had stopped the peer. */
    PAUSED_TX_NS("paused-tx-ns"),
    /** Nanoseconds for which the peer had stopped us. */
    PAUSED_RX_NS("paused-rx-ns"),
    /** Times that the peer went from open to stopped by us. */
    TRANSITIONS_TX("transitions-tx"),
    /** Times that we went from open to stopped by the peer. */
    TRANSITIONS_RX("transitions-rx"),
    /** The most bytes that were held above the mark at which the peer is stopped. */
    HEADROOM_HIGH_WATER("headroom-high-water"),
    /** Storms of pauses detected. */
    STORMS_DETECTED("storms-detected"),
    /** Storms that ended. */
    STORMS_RESTORED("storms-restored"),
    /** Frames dropped while there was a storm. */
    DROPPED_IN_STORM("dropped-in-storm"),
    /** Lossless frames dropped because the headroom was used up. */
    DROPPED_BEYOND_HEADROOM("dropped-beyond-headroom"),
    /** Frames marked with congestion experienced. */
    ECN_MARKED("ecn-marked");

    private static final PfcCounter[] BY_ID = values();

    private final String label;

    PfcCounter(final String label)
    {
        this.label = label;
    }

    /**
     * The counter of an id.
     *
     * @param id as {@link #id()} returns it.
     * @return the counter.
     */
    public static PfcCounter of(final int id)
    {
        return BY_ID[id];
    }

    /**
     * How many there are.
     *
     * @return one more than the highest id.
     */
    public static int count()
    {
        return BY_ID.length;
    }

    /**
     * Its number.
     *
     * @return 0 to {@link #count()} - 1.
     */
    public int id()
    {
        return ordinal();
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
