package org.fibnuma.ipnuma.session;

/** Where a session's connection stands. */
public enum SessionState
{
    /** None, and none is wanted; a peer's hello is answered. */
    IDLE,
    /** Hellos go out; writes are taken and wait. */
    CONNECTING,
    /** The peer has answered a hello; both sides' numbers are shown to it until it confirms them. */
    CONFIRMING,
    /** Data flow. */
    UP,
    /** What was written before {@link Session#disconnect} goes out, then a close; nothing more is taken. */
    CLOSING
}
