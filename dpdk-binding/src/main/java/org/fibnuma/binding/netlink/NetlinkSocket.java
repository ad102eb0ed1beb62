package org.fibnuma.binding.netlink;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;

import static org.fibnuma.binding.libc.SysSocket.AF_NETLINK;
import static org.fibnuma.binding.libc.SysSocket.MSG_DONTWAIT;
import static org.fibnuma.binding.libc.SysSocket.MSG_TRUNC;
import static org.fibnuma.binding.libc.SysSocket.SOCK_CLOEXEC;
import static org.fibnuma.binding.libc.SysSocket.SOCK_RAW;
import static org.fibnuma.binding.libc.SysSocket.SOL_NETLINK;
import static org.fibnuma.binding.libc.SysSocket.SOL_SOCKET;
import static org.fibnuma.binding.libc.SysSocket.SO_RCVBUF;
import static org.fibnuma.binding.libc.SysSocket.SO_RCVBUFFORCE;
import static org.fibnuma.binding.libc.SysSocket.SO_RCVTIMEO;
import static org.fibnuma.binding.libc.SysSocket.SO_SNDBUF;
import static org.fibnuma.binding.libc.SysSocket.SO_SNDBUFFORCE;
import static org.fibnuma.binding.netlink.NetlinkLayout.SOCKET_ADDRESS_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.SOCKET_FAMILY_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.SOCKET_PORT_ID_OFFSET;

/**
 * A netlink socket in the network namespace of the thread that opened it. One thread at a time. Methods throw
 * {@link SystemCallException} if the kernel refuses or the socket fails.
 */
public final class NetlinkSocket implements AutoCloseable
{
    /** Result of {@link #receive}: no message is pending. */
    public static final int NOTHING = 0;
    /** Result of {@link #receive}: the kernel dropped messages because the receive buffer was full. */
    public static final int LOST = -1;

    // The kernel answers a request during the send call, unless another process holds the kernel's lock.
    private static final int ANSWER_TIMEOUT_SECONDS = 30;
    private static final int KERNEL_PORT_ID = 0;
    private static final int TIMEVAL_LENGTH = 2 * Long.BYTES;
    private static final int SENDER_LENGTH_OFFSET = 16;
    private static final int SCRATCH_LENGTH = 32;

    private final LibC libC = LibC.get();
    private final StructMemory scratch = new StructMemory(SCRATCH_LENGTH);
    private int fd;

    private NetlinkSocket(final int fd)
    {
        this.fd = fd;
    }

    /**
     * Opens a socket of a protocol, such as {@link NetlinkLayout#NETLINK_ROUTE}, in the calling thread's network
     * namespace.
     */
    public static NetlinkSocket open(final int protocol)
    {
        final int fd = SystemCallException.check(
            LibC.get().socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol), "socket(AF_NETLINK)");
        final NetlinkSocket socket = new NetlinkSocket(fd);
        try
        {
            socket.prepare();
            return socket;
        }
        catch (final SystemCallException ex)
        {
            socket.close();
            throw ex;
        }
    }

    /** Subscribes to the notifications of a group. */
    public void join(final int group)
    {
        SystemCallException.check(
            setIntOption(SOL_NETLINK, NetlinkLayout.NETLINK_ADD_MEMBERSHIP, group), "join netlink group " + group);
    }

    /** Ends the subscription to the notifications of a group. Pending ones can still be received. */
    public void leave(final int group)
    {
        SystemCallException.check(
            setIntOption(SOL_NETLINK, NetlinkLayout.NETLINK_DROP_MEMBERSHIP, group), "leave netlink group " + group);
    }

    /**
     * Lets the kernel know when this socket loses a notification, so that it repeats those that it can repeat
     * (NETLINK_BROADCAST_ERROR).
     */
    public void reportLosses()
    {
        SystemCallException.check(
            setIntOption(SOL_NETLINK, NetlinkLayout.NETLINK_BROADCAST_ERROR, 1),
            "setsockopt(NETLINK_BROADCAST_ERROR)");
    }

    /**
     * Sets the size of the receive buffer in bytes. Without CAP_NET_ADMIN the kernel silently limits it to
     * {@code net.core.rmem_max}.
     */
    public void receiveBuffer(final int bytes)
    {
        if (setIntOption(SOL_SOCKET, SO_RCVBUFFORCE, bytes) < 0)
        {
            SystemCallException.check(setIntOption(SOL_SOCKET, SO_RCVBUF, bytes), "setsockopt(SO_RCVBUF)");
        }
    }

    /**
     * Sets the size of the send buffer, which limits the length of one {@link #send}. Without CAP_NET_ADMIN the kernel
     * silently limits it to {@code net.core.wmem_max}.
     */
    void sendBuffer(final int bytes)
    {
        if (setIntOption(SOL_SOCKET, SO_SNDBUFFORCE, bytes) < 0)
        {
            SystemCallException.check(setIntOption(SOL_SOCKET, SO_SNDBUF, bytes), "setsockopt(SO_SNDBUF)");
        }
    }

    /** Returns the port of the socket, by which the kernel names the sender of a change; unique in the namespace. */
    int portId()
    {
        scratch.putInt(SENDER_LENGTH_OFFSET, SOCKET_ADDRESS_LENGTH);
        SystemCallException.check(
            libC.getsockname(fd, scratch.address(), scratch.address() + SENDER_LENGTH_OFFSET), "getsockname");
        return scratch.getInt(SOCKET_PORT_ID_OFFSET);
    }

    /** Sends one or more requests to the kernel, which handles them before this returns. */
    public void send(final NetlinkRequest request)
    {
        long sent;
        do
        {
            sent = libC.send(fd, request.address(), request.length(), 0);
        }
        while (sent < 0 && Errno.EINTR.is(Errno.last()));
        SystemCallException.check((int)sent, "send to netlink");
    }

    /**
     * Receives one datagram into native memory, without blocking. Returns its length in bytes, {@link #NOTHING} or
     * {@link #LOST}.
     */
    public int receive(final UnsafeBuffer buffer)
    {
        return receive(buffer, MSG_DONTWAIT);
    }

    /**
     * Receives one datagram of an answer into native memory. Returns its length in bytes, {@link #LOST}, or
     * {@link #NOTHING} if none arrived within 30 s.
     */
    public int awaitAnswer(final UnsafeBuffer buffer)
    {
        return receive(buffer, 0);
    }

    @Override
    public void close()
    {
        if (fd >= 0)
        {
            libC.close(fd);
            fd = -1;
            scratch.close();
        }
    }

    private void prepare()
    {
        scratch.putShort(SOCKET_FAMILY_OFFSET, AF_NETLINK).putInt(SOCKET_PORT_ID_OFFSET, 0);
        SystemCallException.check(libC.bind(fd, scratch.address(), SOCKET_ADDRESS_LENGTH), "bind(AF_NETLINK)");
        // Options of Linux 4.3, 4.12 and 4.20. Without them refusals have less detail and filters are ignored.
        setIntOption(SOL_NETLINK, NetlinkLayout.NETLINK_CAP_ACK, 1);
        setIntOption(SOL_NETLINK, NetlinkLayout.NETLINK_EXT_ACK, 1);
        setIntOption(SOL_NETLINK, NetlinkLayout.NETLINK_GET_STRICT_CHK, 1);
        scratch.putLong(0, ANSWER_TIMEOUT_SECONDS).putLong(Long.BYTES, 0);
        SystemCallException.check(
            libC.setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, scratch.address(), TIMEVAL_LENGTH),
            "setsockopt(SO_RCVTIMEO)");
    }

    private int receive(final UnsafeBuffer buffer, final int flags)
    {
        while (true)
        {
            scratch.putInt(SENDER_LENGTH_OFFSET, SOCKET_ADDRESS_LENGTH);
            final int length = (int)libC.recvfrom(fd, buffer.addressOffset(), buffer.capacity(), flags | MSG_TRUNC,
                scratch.address(), scratch.address() + SENDER_LENGTH_OFFSET);
            if (length < 0)
            {
                final int errno = Errno.last();
                if (!Errno.EINTR.is(errno))
                {
                    return failed(errno);
                }
            }
            else if (scratch.getInt(SOCKET_PORT_ID_OFFSET) == KERNEL_PORT_ID)
            {
                return length > buffer.capacity() ? LOST : length;
            }
        }
    }

    private static int failed(final int errno)
    {
        if (Errno.EAGAIN.is(errno))
        {
            return NOTHING;
        }
        if (Errno.ENOBUFS.is(errno))
        {
            return LOST;
        }
        throw new SystemCallException("receive from netlink", errno, "");
    }

    private int setIntOption(final int level, final int option, final int value)
    {
        scratch.putInt(0, value);
        return libC.setsockopt(fd, level, option, scratch.address(), Integer.BYTES);
    }
}
