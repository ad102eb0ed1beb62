package org.fibnuma.binding.dpdk.eal;

/** DPDK refuses, or is not there. The message is one line that says what and what to do, without the port's name. */
public final class DpdkException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With nothing underneath.
     *
     * @param message one line for the user.
     */
    public DpdkException(final String message)
    {
        super(message);
    }

    /**
     * With the failure underneath.
     *
     * @param message one line for the user.
     * @param cause   for the log.
     */
    public DpdkException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
