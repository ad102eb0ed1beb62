package org.fibnuma.binding.rtnetlink;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkSocket;

import java.nio.ByteBuffer;

/**
 * Notices that IPv6 routes are removed while no notification may be delivered, by a subscription of its own. For one
 * thread.
 */
final class Ipv6Removals implements AutoCloseable
{
    /** Notifications are shorter than a page, and a longer one counts as lost. */
    private static final int DATAGRAM_LENGTH = 32 * 1024;

    private final NetlinkSocket socket;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();

    /** Takes a socket, which is closed by {@link #close}. */
    Ipv6Removals(final NetlinkSocket socket)
    {
        this.socket = socket;
    }

    /** Starts to watch. */
    void start()
    {
        socket.join(RouteLayout.RTNLGRP_IPV6_ROUTE);
    }

    /** Returns whether an IPv6 route was, or may have been, removed since the last call. */
    boolean poll()
    {
        boolean removed = false;
        for (int length = socket.receive(buffer); length != NetlinkSocket.NOTHING; length = socket.receive(buffer))
        {
            removed |= length == NetlinkSocket.LOST || hasRemoval(length);
        }
        return removed;
    }

    /** Stops to watch and discards what has come. */
    void stop()
    {
        socket.leave(RouteLayout.RTNLGRP_IPV6_ROUTE);
        poll();
    }

    private boolean hasRemoval(final int length)
    {
        message.wrap(buffer, 0, length);
        boolean removed = false;
        while (message.next())
        {
            removed |= message.type() == RouteLayout.RTM_DELROUTE;
        }
        return removed;
    }

    @Override
    public void close()
    {
        socket.close();
    }
}
