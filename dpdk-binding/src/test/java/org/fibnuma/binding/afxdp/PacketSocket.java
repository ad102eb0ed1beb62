package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.Fcntl;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;

import java.util.ArrayList;
import java.util.List;

/**
 * The kernel's own way to whole frames, AF_PACKET: sends through an end of a {@link VethPair} and sees what comes in
 * there after XDP. Independent of what is tested.
 */
final class PacketSocket implements AutoCloseable
{
    private static final int ETH_P_ALL_IN_NETWORK_ORDER = 0x0300;
    /** {@code struct sockaddr_ll} of linux/if_packet.h. */
    private static final int SOCKADDR_LL_SIZE = 20;
    private static final int PACKET_TYPE_OFFSET = 10;
    private static final int PACKET_OUTGOING = 4;

    /** For a thousand frames of a page each. */
    private static final int RECEIVE_BUFFER = 8 << 20;

    private final LibC libC = LibC.get();
    private final int fd;

    PacketSocket(final String end)
    {
        fd = NetworkNamespace.call(VethPair.namespace(end), () -> open(end));
    }

    void send(final byte[] frame)
    {
        try (StructMemory memory = new StructMemory(frame.length).putBytes(0, frame))
        {
            SystemCallException.check((int)libC.send(fd, memory.address(), memory.size(), 0), "send");
        }
    }

    /** Frames that came in until none came for some time. */
    List<byte[]> receive(final int silenceMs)
    {
        final List<byte[]> frames = new ArrayList<>();
        try (StructMemory pollFd = new StructMemory(8);
            StructMemory address = new StructMemory(SOCKADDR_LL_SIZE);
            StructMemory length = new StructMemory(Integer.BYTES);
            StructMemory memory = new StructMemory(65_536))
        {
            pollFd.putInt(0, fd).putShort(Integer.BYTES, Fcntl.POLLIN);
            while (libC.poll(pollFd.address(), 1, silenceMs) > 0)
            {
                length.putInt(0, SOCKADDR_LL_SIZE);
                final int bytes = SystemCallException.check((int)libC.recvfrom(
                    fd, memory.address(), memory.size(), 0, address.address(), length.address()), "recvfrom");
                if (address.getByte(PACKET_TYPE_OFFSET) != PACKET_OUTGOING)
                {
                    frames.add(memory.getBytes(0, bytes));
                }
            }
        }
        return frames;
    }

    @Override
    public void close()
    {
        libC.close(fd);
    }

    private int open(final String name)
    {
        final int socket = SystemCallException.check(libC.socket(
            SysSocket.AF_PACKET, SysSocket.SOCK_RAW | SysSocket.SOCK_CLOEXEC, ETH_P_ALL_IN_NETWORK_ORDER), "socket");
        try (StructMemory address = new StructMemory(SOCKADDR_LL_SIZE);
            StructMemory room = new StructMemory(Integer.BYTES).putInt(0, RECEIVE_BUFFER))
        {
            SystemCallException.check(libC.setsockopt(socket, SysSocket.SOL_SOCKET, SysSocket.SO_RCVBUFFORCE,
                room.address(), room.size()), "setsockopt");
            address.putShort(0, SysSocket.AF_PACKET).putShort(Short.BYTES, ETH_P_ALL_IN_NETWORK_ORDER)
                .putInt(Integer.BYTES, libC.if_nametoindex(name));
            SystemCallException.check(libC.bind(socket, address.address(), address.size()), "bind");
        }
        return socket;
    }
}
