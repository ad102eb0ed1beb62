package org.fibnuma.core;

/**
 * Ends a command with one line for the user. The message states what failed, for which device or file, and what to do.
 */
public class UserException extends RuntimeException
{
    private static final long serialVersionUID = 1L;
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private final int exitStatus;

    /** Creates an exception with exit status 1, the command failed, and one line for the user. */
    public UserException(final String message)
    {
        this(message, null);
    }

    /** Creates an exception with exit status 1, one line for the user, and its cause, which may be null. */
    public UserException(final String message, final Throwable cause)
    {
        this(message, cause, FAILED);
    }

    private UserException(final String message, final Throwable cause, final int exitStatus)
    {
        super(message, cause);
        this.exitStatus = exitStatus;
    }

    /** Returns an exception with exit status 2, an input file or an argument is invalid, and one line for the user. */
    public static UserException usage(final String message)
    {
        return new UserException(message, null, USAGE);
    }

    /** Returns the exit status: 1 if the command failed, 2 if its input is invalid. */
    public int exitStatus()
    {
        return exitStatus;
    }
}
