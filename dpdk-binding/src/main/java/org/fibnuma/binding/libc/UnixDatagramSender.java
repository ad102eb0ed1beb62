package org.fibnuma.binding.libc;

import org.fibnuma.core.service.DatagramSender;

import static org.fibnuma.binding.libc.SysSocket.AF_UNIX;
import static org.fibnuma.binding.libc.SysSocket.SOCK_CLOEXEC;
import static org.fibnuma.binding.libc.SysSocket.SOCK_DGRAM;

/** Sends datagrams by sendto(2), each from a socket of its own. */
public final class UnixDatagramSender implements DatagramSender
{
    /** Creates the provider, for {@link java.util.ServiceLoader}. */
    public UnixDatagramSender()
    {
    }

    @Override
    public boolean send(final String socket, final byte[] datagram)
    {
        try (StructMemory address = UnixAddress.of(socket))
        {
            return address != null && send(address, datagram);
        }
    }

    private static boolean send(final StructMemory address, final byte[] datagram)
    {
        final LibC libC = LibC.get();
        final int fd = libC.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
        {
            return false;
        }
        try (StructMemory content = new StructMemory(Math.max(datagram.length, 1)))
        {
            content.putBytes(0, datagram);
            long sent;
            do
            {
                sent = libC.sendto(fd, content.address(), datagram.length, 0, address.address(), address.size());
            }
            while (sent < 0 && Errno.EINTR.is(Errno.last()));
            return sent == datagram.length;
        }
        finally
        {
            libC.close(fd);
        }
    }
}
