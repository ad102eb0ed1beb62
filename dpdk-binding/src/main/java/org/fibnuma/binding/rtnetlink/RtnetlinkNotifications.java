package org.fibnuma.binding.rtnetlink;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;

import java.nio.ByteBuffer;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_APPEND;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * What the kernel tells by itself, on a socket of its own, and when that is not enough: {@link #isDumpNeeded()}.
 */
final class RtnetlinkNotifications implements AutoCloseable
{
    private static final int DATAGRAM_LENGTH = 64 * 1024;
    // Keeps the control agent responsive while a routing daemon loads a table.
    private static final int MAX_DATAGRAMS = 1024;

    private final NetlinkSocket socket;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final InterfaceStates interfaces;
    private final NextHops nextHops;
    private final DuplicateRoutes duplicates;
    private final LinkDecoder linkDecoder = new LinkDecoder();
    private final AddressDecoder addressDecoder = new AddressDecoder();
    private final NeighborDecoder neighborDecoder = new NeighborDecoder();
    private final RouteDecoder routeDecoder;
    private boolean dumpNeeded;
    private boolean settling;

    /**
     * Subscribes.
     *
     * @param socket     not yet in any group; owned by this from now on.
     * @param interfaces what routes depend on in them.
     * @param nextHops   that routes name.
     * @param duplicates among routes.
     */
    RtnetlinkNotifications(final NetlinkSocket socket, final InterfaceStates interfaces, final NextHops nextHops,
        final DuplicateRoutes duplicates)
    {
        this.socket = socket;
        this.interfaces = interfaces;
        this.nextHops = nextHops;
        this.duplicates = duplicates;
        this.routeDecoder = new RouteDecoder(nextHops);
        socket.join(LinkLayout.RTNLGRP_LINK);
        socket.join(AddressLayout.RTNLGRP_IPV4_IFADDR);
        socket.join(NeighborLayout.RTNLGRP_NEIGH);
        socket.join(NextHopLayout.RTNLGRP_NEXTHOP);
        socket.join(RouteLayout.RTNLGRP_IPV4_ROUTE);
    }

    /**
     * Delivers what waits, without blocking.
     *
     * @param listener to tell.
     * @return how many messages were read.
     */
    int poll(final KernelNetworkListener listener)
    {
        int messages = 0;
        for (int datagrams = 0; datagrams < MAX_DATAGRAMS; datagrams++)
        {
            final int length = socket.receive(buffer);
            if (length == NetlinkSocket.NOTHING)
            {
                settling = false;
                break;
            }
            if (length == NetlinkSocket.LOST)
            {
                dumpNeeded = true;
                break;
            }
            message.wrap(buffer, 0, length);
            while (message.next())
            {
                messages++;
                onMessage(listener);
            }
            dumpNeeded |= message.isMalformed();
        }
        return messages;
    }

    /**
     * Whether our view may differ from the kernel's until everything is read again.
     *
     * @return true until {@link #onDumpStart()}.
     */
    boolean isDumpNeeded()
    {
        return dumpNeeded;
    }

    /** Asks for a dump. */
    void needDump()
    {
        dumpNeeded = true;
    }

    /** Everything is about to be read: what waits is older and is thrown away. */
    void onDumpStart()
    {
        int length;
        do
        {
            length = socket.receive(buffer);
        }
        while (length != NetlinkSocket.NOTHING);
        dumpNeeded = false;
        settling = true;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private void onMessage(final KernelNetworkListener listener)
    {
        switch (message.type())
        {
            case NetlinkLayout.NLMSG_OVERRUN -> dumpNeeded = true;
            case LinkLayout.RTM_NEWLINK, LinkLayout.RTM_DELLINK -> onLink(listener);
            case AddressLayout.RTM_NEWADDR, AddressLayout.RTM_DELADDR -> onAddress(listener);
            case NeighborLayout.RTM_NEWNEIGH, NeighborLayout.RTM_DELNEIGH -> onNeighbor(listener);
            case NextHopLayout.RTM_NEWNEXTHOP -> onNextHop();
            case NextHopLayout.RTM_DELNEXTHOP -> dumpNeeded |= nextHops.onDeleted(message);
            case RouteLayout.RTM_NEWROUTE, RouteLayout.RTM_DELROUTE -> onRoute(listener);
            default ->
            {
            }
        }
    }

    private void onLink(final KernelNetworkListener listener)
    {
        final KernelLink link = linkDecoder.decode(message);
        if (link == null)
        {
            return;
        }
        final boolean present = message.type() == LinkLayout.RTM_NEWLINK;
        if (present)
        {
            // What came in while the dump ran may tell of a route and then of the link that took it down, although
            // the dump found the link down already.
            dumpNeeded |= interfaces.changed(link.index(), linkDecoder.routingState()) || settling && !link.up();
        }
        else
        {
            interfaces.remove(link.index());
        }
        listener.onLink(link, present);
    }

    private void onAddress(final KernelNetworkListener listener)
    {
        final KernelAddress address = addressDecoder.decode(message);
        if (address == null)
        {
            return;
        }
        final boolean present = message.type() == AddressLayout.RTM_NEWADDR;
        if (present)
        {
            dumpNeeded |= interfaces.addAddress(address) || settling;
        }
        else
        {
            interfaces.removeAddress(address);
            dumpNeeded = true;
        }
        listener.onAddress(address, present);
    }

    private void onNeighbor(final KernelNetworkListener listener)
    {
        final KernelNeighbor neighbor = neighborDecoder.decode(message);
        if (neighbor != null)
        {
            listener.onNeighbor(
                neighbor, message.type() == NeighborLayout.RTM_NEWNEIGH && neighborDecoder.isKnown());
        }
    }

    private void onNextHop()
    {
        nextHops.onNew(message);
        dumpNeeded |= (message.flags() & NLM_F_REPLACE) != 0 && nextHops.haveResolvedRoutes();
    }

    private void onRoute(final KernelNetworkListener listener)
    {
        final KernelRoute route = routeDecoder.decode(message);
        if (route == null)
        {
            return;
        }
        final int flags = message.flags();
        final boolean present = message.type() == RouteLayout.RTM_NEWROUTE;
        if (present && isBesideAnother(flags))
        {
            duplicates.add(route);
        }
        if (duplicates.contains(route))
        {
            dumpNeeded = true;
        }
        else
        {
            listener.onRoute(route, present && !routeDecoder.isDead(), (flags & NLM_F_REPLACE) != 0);
        }
    }

    // The kernel marks a route that is alone with its prefix, table and metric as exclusive (fib_table_insert).
    private static boolean isBesideAnother(final int flags)
    {
        return (flags & NLM_F_APPEND) != 0 || (flags & (NLM_F_CREATE | NLM_F_EXCL | NLM_F_REPLACE)) == NLM_F_CREATE;
    }
}
