package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Fcntl;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;

import java.util.ArrayList;
import java.util.List;

/**
 * A packet socket (AF_PACKET, SOCK_RAW) bound to one interface. It sends whole frames and receives the frames to any
 * MAC address that pass XDP. One thread at a time.
 */
public final class PacketSocket implements AutoCloseable
{
    private static final int ETH_P_ALL_IN_NETWORK_ORDER = 0x0300;
    /** {@code struct sockaddr_ll} of linux/if_packet.h. */
    private static final int SOCKADDR_LL_SIZE = 20;
    private static final int PACKET_TYPE_OFFSET = 10;
    private static final int PACKET_OUTGOING = 4;

    /** Bytes for a thousand frames of a memory page each. */
    private static final int RECEIVE_BUFFER = 8 << 20;

    private final LibC libC = LibC.get();
    private final int fd;

    /**
     * Opens a socket for an interface in a namespace, which is given as for {@link NetworkNamespace#enter}.
     *
     * @throws SystemCallException if the namespace or the interface does not exist, or the process has no CAP_NET_RAW.
     */
    public PacketSocket(final String namespace, final String device)
    {
        fd = NetworkNamespace.call(namespace, () -> open(device));
    }

    /**
     * Sends a frame, from the destination MAC address on, without FCS.
     *
     * @throws SystemCallException if the kernel refuses, such as for a frame longer than the MTU permits.
     */
    public void send(final byte[] frame)
    {
        try (StructMemory memory = new StructMemory(frame.length).putBytes(0, frame))
        {
            SystemCallException.check((int)libC.send(fd, memory.address(), memory.size(), 0), "send");
        }
    }

    /**
     * Receives frames until none has arrived for a time in ms; 0 returns the frames that have arrived already. The
     * kernel has removed their VLAN tags.
     */
    public List<byte[]> receive(final int silenceMs)
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
