package org.fibnuma.ipnuma.table;

/** What became of an access to a region; the numbers are those of error datagrams and counters. */
public final class AccessStatus
{
    /** Done. */
    public static final int OK = 0;
    /** The address names no region. */
    public static final int NO_REGION = 1;
    /** Not all of the bytes lie in the region. */
    public static final int OUT_OF_RANGE = 2;
    /** The source address or the kind of access is not among those that the region admits. */
    public static final int NO_ACCESS = 3;
    /** The key is not that of the region. */
    public static final int WRONG_KEY = 4;
    /** The region was there and has been taken back. */
    public static final int REVOKED = 5;
    /** An atomic operation of a width other than 4 and 8, or not aligned to it, or of no known kind. */
    public static final int MISALIGNED = 6;
    /**
     * In no datagram: the peer has refused one or more writes, and which of those that it took at the same time is not
     * known. This one may be among them.
     */
    public static final int UNCERTAIN = 71;
    /** In no datagram: sent to a peer whose format acknowledges nothing. */
    public static final int UNCONFIRMED = 72;
    /** How many there are in datagrams. */
    public static final int COUNT = 7;

    private static final String[] LABELS =
        {"ok", "no region", "out of range", "no access", "wrong key", "revoked", "misaligned"};

    private AccessStatus()
    {
    }

    /**
     * For people.
     *
     * @param status any.
     * @return such as {@code out of range}; for numbers beyond ours, which a peer may send, the number.
     */
    public static String label(final int status)
    {
        return status >= 0 && status < COUNT ? LABELS[status] : Integer.toString(status);
    }
}
