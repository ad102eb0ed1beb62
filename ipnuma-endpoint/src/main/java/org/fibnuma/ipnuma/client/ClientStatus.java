package org.fibnuma.ipnuma.client;

import org.fibnuma.ipnuma.table.AccessStatus;

/** What became of a request: an {@link AccessStatus} of the peer's, or one of these. */
public final class ClientStatus
{
    /** Done. */
    public static final int OK = AccessStatus.OK;
    /** This endpoint knows no peer of that PC ID. */
    public static final int NO_PEER = 64;
    /** A length, width, name or prefix is out of its range. */
    public static final int BAD_REQUEST = 65;
    /** No memory, no region id or no entry in the list is left. */
    public static final int NO_ROOM = 66;
    /** A region of that name is there already. */
    public static final int NAME_TAKEN = 67;
    /** Its region is not one of this client's. */
    public static final int NOT_YOURS = 68;
    /** The peer went away before it answered; whether it did what was asked is not known. */
    public static final int UNANSWERED = 69;
    /** The peer's format knows no such request, or none of that length. */
    public static final int UNSUPPORTED = 70;

    /**
     * The peer has acknowledged the write, has refused one or more at the same time, and has not said which. Write
     * again, or read, to know.
     */
    public static final int UNCERTAIN = AccessStatus.UNCERTAIN;
    /** Sent to a peer whose format acknowledges nothing: whether it is stored is not known. */
    public static final int UNCONFIRMED = AccessStatus.UNCONFIRMED;
    /** Not sent, because the connection that it was meant for is gone. */
    public static final int NOT_SENT = 73;

    private static final String[] LABELS = {
        "no such peer", "bad request", "no room", "name is taken", "region of somebody else", "unanswered",
        "unsupported", "perhaps refused", "sent, not known to be stored", "not sent"};

    private ClientStatus()
    {
    }

    /**
     * For people.
     *
     * @param status any.
     * @return such as {@code no such peer}.
     */
    public static String label(final int status)
    {
        final int own = status - NO_PEER;
        return own >= 0 && own < LABELS.length ? LABELS[own] : AccessStatus.label(status);
    }
}
