package org.fibnuma.binding.libc;

import jnr.ffi.LastError;

/** Error numbers of Linux that this module distinguishes (asm-generic/errno-base.h and errno.h, Linux 6.1). */
public enum Errno
{
    EPERM(1),
    ENOENT(2),
    EINTR(4),
    EIO(5),
    ENXIO(6),
    E2BIG(7),
    EBADF(9),
    /** The call would block. */
    EAGAIN(11),
    /** Out of memory, or over the limit of locked memory. */
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    EINVAL(22),
    /** Too many open files in the system. */
    ENFILE(23),
    /** Too many open files in the process. */
    EMFILE(24),
    ENOSPC(28),
    ERANGE(34),
    ENOSYS(38),
    EMSGSIZE(90),
    ENOPROTOOPT(92),
    EPROTONOSUPPORT(93),
    EOPNOTSUPP(95),
    EAFNOSUPPORT(97),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ENETDOWN(100),
    /** No buffer space; on a netlink socket: a notification was lost. */
    ENOBUFS(105),
    ETIMEDOUT(110);

    private final int number;

    Errno(final int number)
    {
        this.number = number;
    }

    /** Returns the error number of the calling thread's last call of {@link LibC}; undefined if the call succeeded. */
    public static int last()
    {
        return LastError.getLastError(LibCLoader.RUNTIME);
    }

    /** Returns the name and meaning of an error number above 0, such as {@code EPERM (Operation not permitted)}. */
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

    /** Returns the error number, above 0. */
    public int number()
    {
        return number;
    }

    /** Returns whether an error number of {@link #last()} is this one. */
    public boolean is(final int errno)
    {
        return errno == number;
    }
}
