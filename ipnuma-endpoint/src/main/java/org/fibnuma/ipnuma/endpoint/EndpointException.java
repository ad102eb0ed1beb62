package org.fibnuma.ipnuma.endpoint;

/** An endpoint cannot be opened. The message is one line for the user. */
public final class EndpointException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    EndpointException(final String message)
    {
        super(message);
    }
}
