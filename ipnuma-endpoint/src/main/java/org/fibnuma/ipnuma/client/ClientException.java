package org.fibnuma.ipnuma.client;

/** A client cannot be served, or an endpoint cannot serve; the message is one line for the user. */
public class ClientException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /**
     * Cannot go on.
     *
     * @param message one line.
     */
    public ClientException(final String message)
    {
        super(message);
    }

    /**
     * Cannot go on.
     *
     * @param message one line.
     * @param cause   of it.
     */
    public ClientException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
