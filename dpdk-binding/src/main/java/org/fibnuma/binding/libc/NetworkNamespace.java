package org.fibnuma.binding.libc;

import java.util.function.Supplier;

import static org.fibnuma.binding.libc.Fcntl.CLONE_NEWNET;
import static org.fibnuma.binding.libc.Fcntl.O_CLOEXEC;
import static org.fibnuma.binding.libc.Fcntl.O_RDONLY;

/**
 * Moves the calling thread to another network namespace until {@link #close()}. Sockets and ports that the thread opens
 * there stay in that namespace. The same thread opens and closes it.
 */
public final class NetworkNamespace implements AutoCloseable
{
    private static final String NAMED = "/run/netns/";
    private static final String CURRENT = "/proc/thread-self/ns/net";

    private final Thread thread = Thread.currentThread();
    private int homeFd;

    private NetworkNamespace(final int homeFd)
    {
        this.homeFd = homeFd;
    }

    /**
     * Moves the calling thread into a namespace.
     *
     * @param name of a namespace of {@code ip netns add}, or the absolute path of a namespace file such as
     *             {@code /proc/PID/ns/net}.
     * @throws SystemCallException if the namespace does not exist or the process may not enter it.
     */
    public static NetworkNamespace enter(final String name)
    {
        final LibC libC = LibC.get();
        final int homeFd = SystemCallException.check(libC.open(CURRENT, O_RDONLY | O_CLOEXEC, 0), "open " + CURRENT);
        final String path = name.startsWith("/") ? name : NAMED + name;
        final int fd = libC.open(path, O_RDONLY | O_CLOEXEC, 0);
        final int openErrno = Errno.last();
        final int result = fd < 0 ? fd : libC.setns(fd, CLONE_NEWNET);
        final int errno = fd < 0 ? openErrno : Errno.last();
        if (fd >= 0)
        {
            libC.close(fd);
        }
        if (result < 0)
        {
            libC.close(homeFd);
            throw new SystemCallException("network namespace " + path, errno, "");
        }
        return new NetworkNamespace(homeFd);
    }

    /**
     * Runs an action in a namespace, on the calling thread, and returns its result.
     *
     * @param name   of the namespace, as for {@link #enter}.
     * @param action such as opening a port.
     * @param <T>    type of the result.
     * @throws SystemCallException if the namespace does not exist or the process may not enter it.
     */
    public static <T> T call(final String name, final Supplier<T> action)
    {
        final NetworkNamespace namespace = enter(name);
        try
        {
            return action.get();
        }
        finally
        {
            namespace.close();
        }
    }

    /** Moves the thread back to its previous namespace. Further calls have no effect. */
    @Override
    public void close()
    {
        if (homeFd >= 0)
        {
            if (Thread.currentThread() != thread)
            {
                throw new IllegalStateException("entered by " + thread.getName());
            }
            final int result = LibC.get().setns(homeFd, CLONE_NEWNET);
            final int errno = Errno.last();
            LibC.get().close(homeFd);
            homeFd = -1;
            if (result < 0)
            {
                throw new SystemCallException("setns back", errno, "");
            }
        }
    }
}
