package org.fibnuma.binding.libc;

/** A system call of the control path was refused. Never thrown while frames are received or sent. */
public final class SystemCallException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * With a detail that the kernel wrote.
     *
     * @param call   what was called, such as {@code bpf(BPF_PROG_LOAD)}.
     * @param errno  error number.
     * @param detail more, such as the verifier's log; may be empty.
     */
    public SystemCallException(final String call, final int errno, final String detail)
    {
        super(call + ": " + Errno.text(errno) + (detail.isEmpty() ? "" : "\n" + detail));
        this.errno = errno;
    }

    /**
     * Passes a good result on.
     *
     * @param result of a call that means failure by anything negative.
     * @param call   what was called, for the message.
     * @return the result, 0 or more.
     * @throws SystemCallException with the thread's last error where it is negative.
     */
    public static int check(final int result, final String call)
    {
        if (result < 0)
        {
            throw new SystemCallException(call, Errno.last(), "");
        }
        return result;
    }

    /**
     * Why it was refused.
     *
     * @return error number.
     */
    public int errno()
    {
        return errno;
    }
}
