package org.fibnuma.bench.lab;

/** A namespace, a link or a program in it cannot be had. The message is one line for the user. */
public final class LabException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With nothing underneath.
     *
     * @param message one line for the user.
     */
    public LabException(final String message)
    {
        super(message);
    }

    /**
     * With the failure underneath.
     *
     * @param message one line for the user.
     * @param cause   for the log.
     */
    public LabException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
