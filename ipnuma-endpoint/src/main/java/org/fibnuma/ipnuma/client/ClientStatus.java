package org.fibnuma.ipnuma.client;

import org.fibnuma.ipnuma.table.AccessStatus;

/** The status of a request: an {@link AccessStatus} of the peer, or one of these. */
public final class ClientStatus
{
    /** Done. */
    public static final int OK = AccessStatus.OK;
    /** The endpoint has no peer with this PC ID. */
    public static final int NO_PEER = 64;
    /** A length, width, name or prefix is invalid. */
    public static final int BAD_REQUEST = 65;
    /** No memory, region id or list entry is free. */
    public static final int NO_ROOM = 66;
    /** A region with this name exists. */
    public static final int NAME_TAKEN = 67;
    /** The region belongs to another client or to the endpoint. */
    public static final int NOT_YOURS = 68;
    /** The peer was lost before it answered. The request may have taken effect. */
    public static final int UNANSWERED = 69;
    /** The peer's format does not support the request or its length. */
    public static final int UNSUPPORTED = 70;

    /**
     * The peer has acknowledged the write, and has refused one or more writes at the same time without reporting which.
     * The client has to repeat the write, or to read the region.
     */
    public static final int UNCERTAIN = AccessStatus.UNCERTAIN;
    /** Sent to a peer whose format has no acknowledgements. The write may have taken effect. */
    public static final int UNCONFIRMED = AccessStatus.UNCONFIRMED;
    /** Not sent, because the connection of the request has ended. */
    public static final int NOT_SENT = 73;

    private static final String[] LABELS = {
        "no such peer", "bad request", "no room", "name is taken", "region of another owner", "unanswered",
        "unsupported", "perhaps refused", "sent, not known to be stored", "not sent"};

    private ClientStatus()
    {
    }

    /** Returns a label for people, such as {@code no such peer}. */
    public static String label(final int status)
    {
        final int own = status - NO_PEER;
        return own >= 0 && own < LABELS.length ? LABELS[own] : AccessStatus.label(status);
    }
}
