package org.fibnuma.binding.libc;

import jnr.ffi.LastError;

/** Error numbers of Linux that this code tells apart (asm-generic/errno-base.h and errno.h, Linux 6.1). */
public enum Errno
{
    /** Operation not permitted. */
    EPERM(1),
    /** No such file. */
    ENOENT(2),
    /** Interrupted by a signal. */
    EINTR(4),
    /** Input or output failed. */
    EIO(5),
    /** No such device or address. */
    ENXIO(6),
    /** Argument list too long. */
    E2BIG(7),
    /** Bad file descriptor. */
    EBADF(9),
    /** Not now. */
    EAGAIN(11),
    /** Out of memory, or of what may be locked. */
    ENOMEM(12),
    /** Permission denied. */
    EACCES(13),
    /** Bad address. */
    EFAULT(14),
    /** In use. */
    EBUSY(16),
    /** Exists already. */
    EEXIST(17),
    /** No such device. */
    ENODEV(19),
    /** Invalid argument. */
    EINVAL(22),
    /** Too many open files in the system. */
    ENFILE(23),
    /** Too many open files in the process. */
    EMFILE(24),
    /** No space left. */
    ENOSPC(28),
    /** Out of range. */
    ERANGE(34),
    /** No such system call. */
    ENOSYS(38),
    /** Message too long. */
    EMSGSIZE(90),
    /** Protocol not available. */
    ENOPROTOOPT(92),
    /** Protocol not supported. */
    EPROTONOSUPPORT(93),
    /** Operation not supported. */
    EOPNOTSUPP(95),
    /** Address family not supported. */
    EAFNOSUPPORT(97),
    /** Address in use. */
    EADDRINUSE(98),
    /** Address not available. */
    EADDRNOTAVAIL(99),
    /** Network is down. */
    ENETDOWN(100),
    /** No buffer space, or a notification was lost. */
    ENOBUFS(105),
    /** Timed out. */
    ETIMEDOUT(110);

    private final int number;

    Errno(final int number)
    {
        this.number = number;
    }

    /**
     * Why the calling thread's last call into {@link LibC} failed. Means nothing after a call that succeeded.
     *
     * @return the error number.
     */
    public static int last()
    {
        return LastError.getLastError(LibCLoader.RUNTIME);
    }

    /**
     * Name and meaning for people.
     *
     * @param number error number, above 0.
     * @return such as {@code EPERM (Operation not permitted)}.
     */
    public static String text(final int number)
    {
        for (final Errno errno : values())
        {
            if (errno.number == number)
            {
                return errno + " (" + LibC.get().strerror(number) + ")";
            }
        }
        return "errno " + number + " (" + LibC.get().strerror(number) + ")";
    }

    /**
     * Its number.
     *
     * @return above 0.
     */
    public int number()
    {
        return number;
    }

    /**
     * Whether a number is this one.
     *
     * @param errno as {@link #last()} gives it.
     * @return true where it is.
     */
    public boolean is(final int errno)
    {
        return errno == number;
    }
}
