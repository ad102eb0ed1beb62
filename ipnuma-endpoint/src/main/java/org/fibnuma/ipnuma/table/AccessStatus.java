package org.fibnuma.ipnuma.table;

/** Results of an access to a region. The numbers are those of ERROR datagrams and counters. */
public final class AccessStatus
{
    public static final int OK = 0;
    /** The address contains no region id of the table. */
    public static final int NO_REGION = 1;
    /** Not all of the bytes are in the region. */
    public static final int OUT_OF_RANGE = 2;
    /** The region does not allow the source address or the kind of access. */
    public static final int NO_ACCESS = 3;
    public static final int WRONG_KEY = 4;
    /** The region was revoked. */
    public static final int REVOKED = 5;
    /** An atomic operation of an unknown kind, of a width other than 4 or 8 bytes, or not aligned to its width. */
    public static final int MISALIGNED = 6;
    /**
     * Never in a datagram: the peer has acknowledged several writes together and refused one or more, possibly this
     * one.
     */
    public static final int UNCERTAIN = 71;
    /** Never in a datagram: sent to a peer whose format has no acknowledgements. */
    public static final int UNCONFIRMED = 72;
    /** Number of statuses in datagrams. */
    public static final int COUNT = 7;

    private static final String[] LABELS =
        {"ok", "no region", "out of range", "no access", "wrong key", "revoked", "misaligned"};

    private AccessStatus()
    {
    }

    /** Returns a text such as {@code out of range}, or the number if it is unknown. A peer may send unknown numbers. */
    public static String label(final int status)
    {
        return status >= 0 && status < COUNT ? LABELS[status] : Integer.toString(status);
    }
}
