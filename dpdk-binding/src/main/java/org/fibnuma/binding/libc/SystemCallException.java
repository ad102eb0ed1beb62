package org.fibnuma.binding.libc;

/** Reports a system call of the control path that failed. Never thrown while frames are received or sent. */
public final class SystemCallException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates an exception with an optional detail that the kernel wrote.
     *
     * @param call   what was called, such as {@code bpf(BPF_PROG_LOAD)}.
     * @param errno  error number.
     * @param detail such as the verifier's log; may be empty.
     */
    public SystemCallException(final String call, final int errno, final String detail)
    {
        super(call + ": " + Errno.text(errno) + (detail.isEmpty() ? "" : "\n" + detail));
        this.errno = errno;
    }

    /**
     * Returns the result of a call that reports failure by a negative number.
     *
     * @param result of the call.
     * @param call   what was called, for the message.
     * @throws SystemCallException with the thread's last error number where the result is negative.
     */
    public static int check(final int result, final String call)
    {
        if (result < 0)
        {
            throw new SystemCallException(call, Errno.last(), "");
        }
        return result;
    }

    /** Returns the error number. */
    public int errno()
    {
        return errno;
    }
}
