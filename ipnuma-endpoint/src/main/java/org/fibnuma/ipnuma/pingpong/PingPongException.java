package org.fibnuma.ipnuma.pingpong;

/** A ping-pong has failed. The message is one line for the user. */
final class PingPongException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    PingPongException(final String message)
    {
        super(message);
    }

    PingPongException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
