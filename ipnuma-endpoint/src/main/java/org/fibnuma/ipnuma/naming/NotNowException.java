package org.fibnuma.ipnuma.naming;

/** The endpoint has no such region for this client, or too many connections; a later request may succeed. */
public final class NotNowException extends NameException
{
    private static final long serialVersionUID = 1;

    NotNowException(final String message)
    {
        super(message);
    }
}
