package org.fibnuma.binding.libc;

import org.fibnuma.core.service.notify.DatagramSender;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.fibnuma.binding.libc.SysSocket.AF_UNIX;
import static org.fibnuma.binding.libc.SysSocket.MSG_DONTWAIT;
import static org.fibnuma.binding.libc.SysSocket.SOCK_CLOEXEC;
import static org.fibnuma.binding.libc.SysSocket.SOCK_DGRAM;

/** Sends datagrams by sendto(2), each from a new socket. */
public final class UnixDatagramSender implements DatagramSender
{
    /** Time in ns between two attempts while the receiver's queue is full. */
    private static final long FULL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @Override
    public boolean send(final String socket, final byte[] datagram, final int patienceMs)
    {
        try (StructMemory address = UnixAddress.of(socket))
        {
            return address != null && send(address, datagram, patienceMs);
        }
    }

    private static boolean send(final StructMemory address, final byte[] datagram, final int patienceMs)
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
            final long startNs = System.nanoTime();
            while (true)
            {
                final long sent = libC.sendto(
                    fd, content.address(), datagram.length, MSG_DONTWAIT, address.address(), address.size());
                final boolean isFull = sent < 0 && Errno.EAGAIN.is(Errno.last());
                if (sent >= 0 || !isFull && !Errno.EINTR.is(Errno.last()))
                {
                    return sent == datagram.length;
                }
                if (isFull)
                {
                    if (System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(patienceMs))
                    {
                        return false;
                    }
                    LockSupport.parkNanos(FULL_NS);
                }
            }
        }
        finally
        {
            libC.close(fd);
        }
    }
}
