package org.fibnuma.ipnuma.client;

/**
 * The endpoint has ended, died or given this client up. What was sent and not answered may or may not have left; the
 * client is of no more use: close it and connect anew.
 */
public final class EndpointLostException extends ClientException
{
    private static final long serialVersionUID = 1;

    EndpointLostException(final String message)
    {
        super(message);
    }
}
