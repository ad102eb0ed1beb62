package org.fibnuma.ipnuma.session;

/** Where a session's connection stands. */
public enum SessionState
{
    /** None, and none is wanted; a peer's hello is answered. */
    IDLE,
    /** Hellos go out; writes are taken and wait. */
    CONNECTING,
    /** A hello came and was answered; the peer has not confirmed yet. */
    ACCEPTING,
    /** Data flow. */
    UP,
    /** What was written before {@link Session#disconnect} goes out, then a close; nothing more is taken. */
    CLOSING
}
