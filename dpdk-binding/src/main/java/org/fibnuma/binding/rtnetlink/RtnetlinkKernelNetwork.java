package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.port.PortException;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_ACK;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * The kernel of the network namespace in which the thread was that opened this. Two sockets: notifications are never
 * mixed with answers. One thread at a time.
 */
final class RtnetlinkKernelNetwork implements KernelNetwork
{
    /** What VPP's linux-nl plugin and FRR's zebra ask for: a notification waits in about 1 KiB of kernel memory. */
    static final int RECEIVE_BUFFER_LENGTH = 128 * 1024 * 1024;

    private static final int REQUEST_CAPACITY = 256;

    private final NetlinkExchange exchange;
    private final RtnetlinkNotifications notifications;
    private final RtnetlinkDump dump;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);

    private RtnetlinkKernelNetwork(final NetlinkExchange exchange, final NetlinkSocket socket)
    {
        final InterfaceStates interfaces = new InterfaceStates();
        final NextHops nextHops = new NextHops();
        final DuplicateRoutes duplicates = new DuplicateRoutes();
        this.exchange = exchange;
        this.notifications = new RtnetlinkNotifications(socket, interfaces, nextHops, duplicates);
        this.dump = new RtnetlinkDump(exchange, interfaces, nextHops, duplicates);
    }

    /**
     * Subscribes to notifications.
     *
     * @param receiveBufferLength bytes of notifications that may wait before some are lost.
     * @return the conversation.
     * @throws PortException where the kernel refuses.
     */
    static RtnetlinkKernelNetwork open(final int receiveBufferLength)
    {
        NetlinkExchange exchange = null;
        NetlinkSocket socket = null;
        try
        {
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE);
            socket = NetlinkSocket.open(NetlinkLayout.NETLINK_ROUTE);
            socket.receiveBuffer(receiveBufferLength);
            return new RtnetlinkKernelNetwork(exchange, socket);
        }
        catch (final SystemCallException ex)
        {
            if (exchange != null)
            {
                exchange.close();
            }
            if (socket != null)
            {
                socket.close();
            }
            throw broken(ex);
        }
    }

    @Override
    public void dump(final KernelNetworkListener listener)
    {
        try
        {
            notifications.onDumpStart();
            if (!dump.read(listener))
            {
                notifications.needDump();
            }
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
    }

    @Override
    public int poll(final KernelNetworkListener listener)
    {
        try
        {
            final int messages = notifications.poll(listener);
            if (notifications.isDumpNeeded())
            {
                dump(listener);
            }
            return messages;
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
    }

    @Override
    public void resolve(final int interfaceIndex, final int address)
    {
        request.clear()
            .begin(NeighborLayout.RTM_NEWNEIGH, NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE,
                exchange.nextSequence(), NeighborLayout.LENGTH)
            .putByte(NeighborLayout.FAMILY_OFFSET, SysSocket.AF_INET)
            .putInt(NeighborLayout.INDEX_OFFSET, interfaceIndex)
            .putShort(NeighborLayout.STATE_OFFSET, NeighborLayout.NUD_NONE)
            .putByte(NeighborLayout.FLAGS_OFFSET, NeighborLayout.NTF_USE)
            .addIpv4(NeighborLayout.NDA_DST, address);
        final int errno;
        try
        {
            errno = exchange.execute(request);
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
        // Any other refusal is a race with an interface that is going away; its notification is on the way.
        if (Errno.EPERM.is(errno))
        {
            throw new PortException("netlink: the kernel does not let this process ask for neighbours: " +
                exchange.refusal() + "; run as root or with CAP_NET_ADMIN");
        }
    }

    @Override
    public void close()
    {
        notifications.close();
        exchange.close();
    }

    private static PortException broken(final SystemCallException ex)
    {
        return new PortException("netlink: " + ex.getMessage(), ex);
    }
}
