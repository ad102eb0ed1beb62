package org.fibnuma.ipnuma.naming;

/** A name cannot be looked up or served; the message is one line for the user. */
public class NameException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** Creates an exception with a message of one line. */
    public NameException(final String message)
    {
        super(message);
    }

    /** Creates an exception with a message of one line and its cause. */
    public NameException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
