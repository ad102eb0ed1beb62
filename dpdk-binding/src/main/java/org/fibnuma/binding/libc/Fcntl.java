package org.fibnuma.binding.libc;

/** Numbers for files and namespaces (asm-generic/fcntl.h, poll.h, linux/sched.h, Linux 6.1). */
public final class Fcntl
{
    /** Open to read. */
    public static final int O_RDONLY = 0;
    /** Open to read and write. */
    public static final int O_RDWR = 2;
    /** Never block. */
    public static final int O_NONBLOCK = 0x800;
    /** Not inherited by programs that this process starts. */
    public static final int O_CLOEXEC = 0x80000;

    /** There is something to read. */
    public static final int POLLIN = 1;

    /** Network namespaces, for {@link LibC#setns}. */
    public static final int CLONE_NEWNET = 0x40000000;

    private Fcntl()
    {
    }
}
