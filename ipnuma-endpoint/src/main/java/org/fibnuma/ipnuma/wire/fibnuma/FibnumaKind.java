package org.fibnuma.ipnuma.wire.fibnuma;

/** Kinds of fibnuma datagrams. */
public final class FibnumaKind
{
    /** Handshake, first: requests a connection. Contains the sender's session and nonce. */
    public static final int HELLO = 1;
    /** Handshake, second: repeats session and nonce of the HELLO and adds those of its sender. */
    public static final int HELLO_ACK = 2;
    /** Writes, requests or completions, or a doorbell alone. Has a separate sequence. */
    public static final int DATA = 3;
    /** Acknowledges if no data is due that can contain the acknowledgement. */
    public static final int ACK = 4;
    /** Acknowledges at once because a sequence before an arrived one is missing. */
    public static final int NAK = 5;
    /** Refuses a session that its sender does not have. It is the source session. */
    public static final int RESET = 6;
    /** Ends a connection. The peer answers with a RESET. */
    public static final int CLOSE = 7;
    /** Requests an acknowledgement at once. */
    public static final int PROBE = 8;
    /** Reports a refused write: the status field has the reason, the key field the address. */
    public static final int ERROR = 9;
    /** Handshake, third: repeats both sides' sessions and nonces. The sequence is the first of its sender. */
    public static final int CONFIRM = 10;
    /** Handshake, last: the connection is established. The sequence is the first of its sender. */
    public static final int CONFIRMED = 11;

    private FibnumaKind()
    {
    }

    /**
     * Returns whether a kind is HELLO, HELLO_ACK, CONFIRM or CONFIRMED. These are sent outside an established
     * connection.
     */
    public static boolean isHandshake(final int kind)
    {
        return kind == HELLO || kind == HELLO_ACK || kind == CONFIRM || kind == CONFIRMED;
    }
}
