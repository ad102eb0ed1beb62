package org.fibnuma.ipnuma.memory;

/** A region's file cannot be made, mapped or trusted; the message is one line for the user. */
public final class RegionException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    RegionException(final String message)
    {
        super(message);
    }

    RegionException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
