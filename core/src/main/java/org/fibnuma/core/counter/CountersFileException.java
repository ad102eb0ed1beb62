package org.fibnuma.core.counter;

/** A counters file cannot be created or read. The message is one line with the problem, the file and what to do. */
public final class CountersFileException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    CountersFileException(final String message)
    {
        super(message);
    }

    CountersFileException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
