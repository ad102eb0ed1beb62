package org.fibnuma.ipnuma.naming;

import org.fibnuma.core.UserException;

/**
 * A lookup failed that may succeed later: the endpoint does not answer, has no such region for the client, or has too
 * many connections.
 */
public final class TransientLookupException extends UserException
{
    private static final long serialVersionUID = 1;

    /** Creates an exception with one line for the user. The cause is null if the endpoint answered. */
    public TransientLookupException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
