package org.fibnuma.ipnuma.stream;

/** Counters of a {@link StreamAgent}. */
public enum StreamCounter
{
    /** Connections that this program has opened. */
    CONNECTED("connected"),
    /** Connections that other programs have opened. */
    ACCEPTED("accepted"),
    /** Connections refused because no program listens on the port. */
    REFUSED("refused"),
    /** Requests for a connection that found the listener's backlog full. Their programs try again. */
    BACKLOG_FULL("backlog-full"),
    /** Connections refused because no slot is free. */
    NO_SLOT("no-slot"),
    /** Hello records with impossible values. */
    BAD_HELLO("bad-hello"),
    /** Hello slots that were claimed and not filled in time. */
    STALE_HELLO("stale-hello"),
    /** Connections reset because of an impossible answer to a hello. */
    BAD_ANSWER("bad-answer"),
    /** Connections reset because of an impossible position of received data. */
    BAD_POSITION("bad-position"),
    /** Connections reset because of an impossible position of consumed data. */
    BAD_CREDIT("bad-credit"),
    /** Connections reset because of an impossible end. */
    BAD_ENDING("bad-ending"),
    /** Peers and programs lost with open connections. */
    PEER_LOST("peer-lost");

    private final String label;

    StreamCounter(final String label)
    {
        this.label = label;
    }

    /** Returns the name for people, such as {@code backlog-full}. */
    public String label()
    {
        return label;
    }
}
