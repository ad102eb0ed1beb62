package org.fibnuma.binding.libc;

/** Constants for files and namespaces (fcntl.h, linux/memfd.h, poll.h and linux/sched.h of Linux 6.1). */
public final class Fcntl
{
    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    /** Calls do not block. */
    public static final int O_NONBLOCK = 0x800;
    /** Not inherited by programs that this process starts. */
    public static final int O_CLOEXEC = 0x80000;

    /** {@link LibC#memfd_create}: not inherited by programs that this process starts. */
    public static final int MFD_CLOEXEC = 1;
    /** {@link LibC#memfd_create}: seals may be added. */
    public static final int MFD_ALLOW_SEALING = 2;
    /** {@link LibC#fcntl}: adds seals to a file. */
    public static final int F_ADD_SEALS = 1033;
    /** Seals can no longer be added. */
    public static final int F_SEAL_SEAL = 1;
    /** The file cannot be shortened. */
    public static final int F_SEAL_SHRINK = 2;
    /** The file cannot be extended. */
    public static final int F_SEAL_GROW = 4;

    /** Data can be read. */
    public static final int POLLIN = 1;

    /** Network namespaces, for {@link LibC#setns}. */
    public static final int CLONE_NEWNET = 0x40000000;

    private Fcntl()
    {
    }
}
