package org.fibnuma.ipnuma.wire.fibnuma;

/** What a fibnuma datagram is. */
public final class FibnumaKind
{
    /** Opens a connection; the sequence is the first that its sender will use. */
    public static final int HELLO = 1;
    /** Answers a hello, with the first sequence of its own sender. */
    public static final int HELLO_ACK = 2;
    /** Has a sequence of its own: writes, requests or answers, or a doorbell alone. */
    public static final int DATA = 3;
    /** Acknowledges, where no data carry that. */
    public static final int ACK = 4;
    /** Acknowledges at once because something is missing before what arrived. */
    public static final int NAK = 5;
    /** Refuses a session that its sender does not have; the source session is the refused one. */
    public static final int RESET = 6;
    /** Ends a connection; answered by the same. */
    public static final int CLOSE = 7;
    /** Asks for an acknowledgement at once. */
    public static final int PROBE = 8;
    /** A write was refused: the status field says why, the key field has its address. */
    public static final int ERROR = 9;

    private FibnumaKind()
    {
    }
}
