package org.fibnuma.ipnuma.naming;

/** The endpoint answered, but has no such region for whoever asks, or too much to do; later it may be otherwise. */
public final class NotNowException extends NameException
{
    private static final long serialVersionUID = 1;

    NotNowException(final String message)
    {
        super(message);
    }
}
