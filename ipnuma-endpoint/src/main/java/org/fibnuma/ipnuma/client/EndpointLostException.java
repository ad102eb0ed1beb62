package org.fibnuma.ipnuma.client;

import org.fibnuma.core.UserException;

/**
 * The endpoint has ended, died or given this client up. What was sent and not answered may or may not have left; the
 * client is of no more use: close it and connect anew.
 */
public final class EndpointLostException extends UserException
{
    private static final long serialVersionUID = 1;

    EndpointLostException(final String message)
    {
        super(message);
    }
}
