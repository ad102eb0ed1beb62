package org.fibnuma.ipnuma.session;

/** State of a session's connection. */
public enum SessionState
{
    /** No connection, and none is requested. Hellos of the peer are answered. */
    IDLE,
    /** Hellos are sent. Accepted writes wait. */
    CONNECTING,
    /** The peer has answered a hello. CONFIRM is sent until the peer answers it. */
    CONFIRMING,
    /** The connection is established. */
    UP,
    /** Writes before {@link Session#disconnect} are sent, then CLOSE. No more writes are accepted. */
    CLOSING
}
