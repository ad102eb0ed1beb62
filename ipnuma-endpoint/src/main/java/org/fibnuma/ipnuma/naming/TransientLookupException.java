package org.fibnuma.ipnuma.naming;

import org.fibnuma.core.UserException;

/**
 * A lookup failed that may succeed later: the endpoint does not answer, has no such region for the client, or has too
 * many connections.
 */
public final class TransientLookupException extends UserException
{
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception with its cause.
     *
     * @param message one line for the user.
     * @param cause   why the endpoint did not answer; null if it answered.
     */
    public TransientLookupException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
