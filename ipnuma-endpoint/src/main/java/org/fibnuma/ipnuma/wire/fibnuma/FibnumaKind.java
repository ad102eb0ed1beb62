package org.fibnuma.ipnuma.wire.fibnuma;

/** What a fibnuma datagram is. */
public final class FibnumaKind
{
    /** Handshake, first: asks for a connection and shows its sender's session and nonce. */
    public static final int HELLO = 1;
    /** Handshake, second: repeats those of the hello and shows its own sender's. */
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
    /** Handshake, third: repeats both sides' sessions and nonces; the sequence is the first of its sender. */
    public static final int CONFIRM = 10;
    /** Handshake, last: the connection stands; the sequence is the first that its sender will use. */
    public static final int CONFIRMED = 11;

    private FibnumaKind()
    {
    }

    /**
     * Whether a datagram belongs to the handshake, and so to no connection that stands.
     *
     * @param kind of the datagram.
     * @return true for HELLO, HELLO_ACK, CONFIRM and CONFIRMED.
     */
    public static boolean isHandshake(final int kind)
    {
        return kind == HELLO || kind == HELLO_ACK || kind == CONFIRM || kind == CONFIRMED;
    }
}
