package org.fibnuma.binding.netdevice;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Receives the kernel's notifications of changed offload features and numbers of channels (generic netlink family
 * "ethtool", Linux 5.6). Without the family {@link #poll} reports a possible change every second. The interfaces are
 * those of the network namespace of the thread that called the constructor. One thread at a time; polling does not
 * allocate.
 */
public final class EthtoolNotifications implements AutoCloseable
{
    private static final int NONE = 0;
    private static final int BUFFER_LENGTH = 32 * 1024;
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final NetlinkSocket socket = NetlinkSocket.open(GenericNetlinkLayout.NETLINK_GENERIC);
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attribute = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight nested = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight group = new NetlinkAttributeFlyweight();
    private final boolean notified;
    private long nextNs = System.nanoTime() + INTERVAL_NS;

    /**
     * Opens a socket in the calling thread's network namespace and subscribes.
     *
     * @throws SystemCallException if the kernel refuses the socket.
     */
    public EthtoolNotifications()
    {
        boolean complete = false;
        try
        {
            final int monitor = monitorGroup();
            if (monitor != NONE)
            {
                socket.join(monitor);
            }
            notified = monitor != NONE;
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                socket.close();
            }
        }
    }

    /**
     * Reads all pending notifications. Returns whether features or channels of an interface, by its index, may have
     * changed since the last call.
     *
     * @throws SystemCallException if the socket fails.
     */
    public boolean poll(final int ifindex)
    {
        if (!notified)
        {
            final boolean due = System.nanoTime() - nextNs >= 0;
            nextNs += due ? INTERVAL_NS : 0;
            return due;
        }
        boolean changed = false;
        int length = socket.receive(buffer);
        while (length != NetlinkSocket.NOTHING)
        {
            changed |= length == NetlinkSocket.LOST || isChange(length, ifindex);
            length = socket.receive(buffer);
        }
        return changed;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private boolean isChange(final int length, final int ifindex)
    {
        boolean changed = false;
        message.wrap(buffer, 0, length);
        while (message.next())
        {
            if (message.wrapAttributes(attribute, GenericNetlinkLayout.HEADER_LENGTH))
            {
                final int command = buffer.getByte(message.payloadOffset()) & 0xFF;
                changed |= (command == GenericNetlinkLayout.ETHTOOL_MSG_FEATURES_NTF ||
                    command == GenericNetlinkLayout.ETHTOOL_MSG_CHANNELS_NTF) && names(ifindex);
            }
        }
        return changed;
    }

    private boolean names(final int ifindex)
    {
        return attribute.find(GenericNetlinkLayout.ETHTOOL_A_HEADER) &&
            nested.wrapNested(attribute).find(GenericNetlinkLayout.ETHTOOL_A_HEADER_DEV_INDEX) &&
            nested.intValue(NONE) == ifindex;
    }

    /** Returns the number of the group. The kernel writes the answer during the send call. */
    private int monitorGroup()
    {
        socket.send(new NetlinkRequest(64)
            .begin(GenericNetlinkLayout.GENL_ID_CTRL, 0, 1, GenericNetlinkLayout.HEADER_LENGTH)
            .putByte(0, GenericNetlinkLayout.CTRL_CMD_GETFAMILY)
            .putByte(GenericNetlinkLayout.VERSION_OFFSET, GenericNetlinkLayout.VERSION)
            .addText(GenericNetlinkLayout.CTRL_ATTR_FAMILY_NAME, GenericNetlinkLayout.ETHTOOL_GENL_NAME));
        final int length = socket.receive(buffer);
        message.wrap(buffer, 0, Math.max(0, length));
        while (message.next())
        {
            if (message.type() != NetlinkLayout.NLMSG_ERROR &&
                message.wrapAttributes(attribute, GenericNetlinkLayout.HEADER_LENGTH) &&
                attribute.find(GenericNetlinkLayout.CTRL_ATTR_MCAST_GROUPS))
            {
                return monitorOf(nested.wrapNested(attribute));
            }
        }
        return NONE;
    }

    private int monitorOf(final NetlinkAttributeFlyweight groups)
    {
        while (groups.next())
        {
            String name = "";
            int id = NONE;
            group.wrapNested(groups);
            while (group.next())
            {
                if (group.type() == GenericNetlinkLayout.CTRL_ATTR_MCAST_GRP_NAME)
                {
                    name = group.textValue();
                }
                else if (group.type() == GenericNetlinkLayout.CTRL_ATTR_MCAST_GRP_ID)
                {
                    id = group.intValue(NONE);
                }
            }
            if (GenericNetlinkLayout.ETHTOOL_MCGRP_MONITOR_NAME.equals(name))
            {
                return id;
            }
        }
        return NONE;
    }
}
