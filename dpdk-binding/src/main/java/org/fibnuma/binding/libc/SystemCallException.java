package org.fibnuma.binding.libc;

/** Reports a failed system call of the control path. Not thrown while frames are received or sent. */
public final class SystemCallException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates an exception with an optional detail of the kernel.
     *
     * @param call   such as {@code bpf(BPF_PROG_LOAD)}.
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
     * @throws SystemCallException with the name of the call and the thread's last error number if the result is
     * negative.
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
