package org.fibnuma.binding.rtnetlink;

import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.wire.IpAddress;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_ACK;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * The kernel of the network namespace of the thread that opened it. Notifications, lists, removals during the first
 * list, and other answers have a socket each. One thread at a time. Listening needs no privilege, resolving neighbours
 * needs CAP_NET_ADMIN.
 */
public final class RtnetlinkKernelNetwork implements KernelNetwork
{
    /**
     * In bytes, as in VPP's linux-nl plugin and FRR's zebra. A pending notification takes about 1 KiB of kernel memory.
     */
    static final int RECEIVE_BUFFER_LENGTH = 128 * 1024 * 1024;

    private static final int REQUEST_CAPACITY = 256;

    private final NetlinkExchange exchange;
    private final RtnetlinkNotifications notifications;
    private final RtnetlinkDump dump;
    private final Ipv6Removals ipv6Removals;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);

    private RtnetlinkKernelNetwork(
        final NetlinkExchange exchange,
        final NetlinkExchange lists,
        final NetlinkSocket socket,
        final NetlinkSocket removals)
    {
        final FollowedState state = new FollowedState();
        this.exchange = exchange;
        this.ipv6Removals = new Ipv6Removals(removals);
        this.dump = new RtnetlinkDump(lists, state, SystemNanoClock.INSTANCE);
        this.notifications = new RtnetlinkNotifications(socket, state, dump, SystemNanoClock.INSTANCE);
    }

    /**
     * Subscribes to notifications in the network namespace of the calling thread.
     *
     * @throws UserException with one line for the user if the kernel refuses.
     */
    public static KernelNetwork open()
    {
        return open(RECEIVE_BUFFER_LENGTH);
    }

    /**
     * Subscribes to notifications.
     *
     * @param receiveBufferLength bytes of pending notifications before some are lost.
     * @throws UserException if the kernel refuses.
     */
    static RtnetlinkKernelNetwork open(final int receiveBufferLength)
    {
        NetlinkExchange exchange = null;
        NetlinkExchange lists = null;
        NetlinkSocket socket = null;
        NetlinkSocket removals = null;
        try
        {
            exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE);
            lists = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE);
            socket = NetlinkSocket.open(NetlinkLayout.NETLINK_ROUTE);
            socket.receiveBuffer(receiveBufferLength);
            removals = NetlinkSocket.open(NetlinkLayout.NETLINK_ROUTE);
            return new RtnetlinkKernelNetwork(exchange, lists, socket, removals);
        }
        catch (final SystemCallException ex)
        {
            CloseHelper.closeAll(exchange, lists, socket, removals);
            throw broken(ex);
        }
    }

    @Override
    public void dump(final KernelNetworkListener listener)
    {
        try
        {
            boolean empty;
            do
            {
                empty = notifications.discard();
            }
            while (!empty);
            ipv6Removals.start();
            try
            {
                start(listener);
                while (dump.isRunning())
                {
                    // The next poll delivers notifications, but the dump needs those of removed IPv6 routes now.
                    if (ipv6Removals.poll())
                    {
                        dump.onIpv6Removed();
                    }
                    slice();
                }
            }
            finally
            {
                ipv6Removals.stop();
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
            if (notifications.isLost() && !dump.isRunning())
            {
                return discardAndStart(listener);
            }
            int messages = notifications.poll(listener);
            if (dump.isRunning())
            {
                slice();
                messages++;
            }
            else if (notifications.isLost())
            {
                // The next poll starts a dump.
                messages++;
            }
            else if (notifications.isDumpNeeded())
            {
                start(listener);
                messages++;
            }
            return messages;
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
    }

    @Override
    public String resolve(final int interfaceIndex, final IpAddress address)
    {
        request.clear()
            .begin(NeighborLayout.RTM_NEWNEIGH, NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE,
                exchange.nextSequence(), NeighborLayout.LENGTH)
            .putByte(NeighborLayout.FAMILY_OFFSET, address.isIpv4() ? SysSocket.AF_INET : SysSocket.AF_INET6)
            .putInt(NeighborLayout.INDEX_OFFSET, interfaceIndex)
            .putShort(NeighborLayout.STATE_OFFSET, NeighborLayout.NUD_NONE)
            .putByte(NeighborLayout.FLAGS_OFFSET, NeighborLayout.NTF_USE)
            .addAddress(NeighborLayout.NDA_DST, address);
        final int errno;
        try
        {
            errno = exchange.execute(request);
        }
        catch (final SystemCallException ex)
        {
            throw broken(ex);
        }
        if (Errno.EPERM.is(errno))
        {
            throw new UserException("netlink: the kernel does not allow this process to resolve neighbours: " +
                exchange.refusal() + "; run as root or with CAP_NET_ADMIN");
        }
        if (Errno.ENOBUFS.is(errno))
        {
            final String family = address.isIpv4() ? "4" : "6";
            return "its table of IPv" + family + " neighbours is full; raise net.ipv" + family +
                ".neigh.default.gc_thresh3, and gc_thresh2 below it";
        }
        // The removal of an interface will be notified.
        return errno == 0 || Errno.ENODEV.is(errno) ? null : exchange.refusal();
    }

    /** Returns the number of slices in which routes were read. */
    long dumpSlices()
    {
        return dump.slices();
    }

    @Override
    public void close()
    {
        notifications.close();
        ipv6Removals.close();
        dump.close();
        exchange.close();
    }

    private int discardAndStart(final KernelNetworkListener listener)
    {
        if (notifications.discard())
        {
            start(listener);
        }
        return 1;
    }

    private void start(final KernelNetworkListener listener)
    {
        final boolean afterLoss = notifications.isLost();
        notifications.onDumpStart();
        dump.start(listener, afterLoss);
    }

    private void slice()
    {
        boolean read = false;
        try
        {
            dump.slice();
            read = dump.isRunning() || dump.isConsistent();
        }
        finally
        {
            if (!read)
            {
                notifications.needDump();
            }
        }
    }

    private static UserException broken(final SystemCallException ex)
    {
        return new UserException("netlink: " + ex.getMessage(), ex);
    }
}
