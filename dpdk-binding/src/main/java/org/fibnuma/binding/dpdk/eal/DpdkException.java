package org.fibnuma.binding.dpdk.eal;

/**
 * Reports that DPDK refuses or is missing. The message is one line: what failed and what to do, without the port's
 * name.
 */
public final class DpdkException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message one line for the user.
     */
    public DpdkException(final String message)
    {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message one line for the user.
     * @param cause   for the log.
     */
    public DpdkException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
