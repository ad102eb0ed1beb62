package org.fibnuma.ipnuma.memory;

/** The file of a region cannot be created, mapped or validated; the message is one line for the user. */
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
