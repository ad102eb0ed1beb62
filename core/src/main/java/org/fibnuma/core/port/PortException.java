package org.fibnuma.core.port;

/** A port cannot be opened or used. The message is one line that says what, where and what to do. */
public final class PortException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With nothing underneath.
     *
     * @param message one line for the user.
     */
    public PortException(final String message)
    {
        super(message);
    }

    /**
     * With the failure underneath.
     *
     * @param message one line for the user.
     * @param cause   for the log.
     */
    public PortException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
