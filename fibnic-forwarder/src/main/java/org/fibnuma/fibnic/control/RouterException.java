package org.fibnuma.fibnic.control;

/** A router cannot start. The message is one line that says what, where and what to do. */
public final class RouterException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RouterException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    RouterException(final String message)
    {
        super(message);
    }
}
