package org.fibnuma.binding.libc;

import java.nio.charset.StandardCharsets;

import static org.fibnuma.binding.libc.SysSocket.AF_UNIX;
import static org.fibnuma.binding.libc.SysSocket.SOCK_CLOEXEC;
import static org.fibnuma.binding.libc.SysSocket.SOCK_DGRAM;

/** A UNIX datagram socket that receives texts, as a service manager does. For one thread at a time. */
public final class NotifyReceiver implements AutoCloseable
{
    private static final int POLLFD_LENGTH = 8;
    private static final int POLLFD_EVENTS_OFFSET = 4;
    private static final int POLLIN = 1;
    private static final int MOST = 4096;

    private final int fd;

    /** Receives at an absolute path, or at {@code @NAME} in the abstract namespace. */
    public NotifyReceiver(final String socket)
    {
        fd = SystemCallException.check(LibC.get().socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
        try (StructMemory address = UnixAddress.of(socket))
        {
            SystemCallException.check(LibC.get().bind(fd, address.address(), address.size()), "bind " + socket);
        }
    }

    /** Returns the next datagram, or null if none arrives in time. */
    public String receive(final int timeoutMs)
    {
        try (StructMemory waited = new StructMemory(POLLFD_LENGTH); StructMemory content = new StructMemory(MOST))
        {
            waited.putInt(0, fd).putShort(POLLFD_EVENTS_OFFSET, POLLIN);
            if (SystemCallException.check(LibC.get().poll(waited.address(), 1, timeoutMs), "poll") == 0)
            {
                return null;
            }
            final int length = SystemCallException.check(
                (int)LibC.get().recv(fd, content.address(), content.size(), 0), "recv");
            return new String(content.getBytes(0, length), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close()
    {
        LibC.get().close(fd);
    }
}
