package org.fibnuma.binding.rtnetlink;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkSocket;

import java.nio.ByteBuffer;

/** Detects removals of IPv6 routes by its own subscription, while no notification may be delivered. One thread. */
final class Ipv6Removals implements AutoCloseable
{
    /** Notifications are shorter than a memory page, and a longer one counts as lost. */
    private static final int DATAGRAM_LENGTH = 32 * 1024;

    private final NetlinkSocket socket;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();

    /** Uses a socket, which {@link #close} closes. */
    Ipv6Removals(final NetlinkSocket socket)
    {
        this.socket = socket;
    }

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

    /** Ends the subscription and discards pending notifications. */
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
