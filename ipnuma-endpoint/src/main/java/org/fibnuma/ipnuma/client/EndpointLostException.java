package org.fibnuma.ipnuma.client;

import org.fibnuma.core.UserException;

import java.nio.file.Path;

/**
 * The endpoint does not run, has ended, has died or has disconnected this client. Unanswered requests may have been
 * sent. The client cannot be used any more: close it and connect again.
 */
public final class EndpointLostException extends UserException
{
    private static final long serialVersionUID = 1;

    EndpointLostException(final String message)
    {
        super(message);
    }

    private EndpointLostException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    /** Returns an exception for an access to a file of the directory that another process has truncated. */
    public static EndpointLostException of(final Path directory, final InternalError fault)
    {
        return new EndpointLostException(
            "a file in " + directory + " was truncated by another process; connect again", fault);
    }
}
