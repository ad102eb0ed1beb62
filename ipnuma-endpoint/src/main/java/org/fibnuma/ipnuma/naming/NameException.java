package org.fibnuma.ipnuma.naming;

/** A name cannot be asked for or served; the message is one line for the user. */
public class NameException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /**
     * Cannot go on.
     *
     * @param message one line.
     */
    public NameException(final String message)
    {
        super(message);
    }

    /**
     * Cannot go on.
     *
     * @param message one line.
     * @param cause   of it.
     */
    public NameException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
