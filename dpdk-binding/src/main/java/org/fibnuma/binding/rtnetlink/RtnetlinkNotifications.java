package org.fibnuma.binding.rtnetlink;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkSocket;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRouteView;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;

/**
 * Receives the kernel's notifications on its own socket. {@link #isDumpNeeded()} reports whether they are not
 * sufficient.
 */
final class RtnetlinkNotifications implements AutoCloseable
{
    private static final int DATAGRAM_LENGTH = 64 * 1024;
    // Limits of one call while a routing daemon loads a table, because requests and checks of ports wait for its end.
    private static final int MAX_DATAGRAMS = 1024;
    private static final long MAX_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Number of datagrams between two readings of the clock, a power of 2. */
    private static final int DATAGRAMS_OF_LOOK = 16;

    private final NetlinkSocket socket;
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(DATAGRAM_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final InterfaceStates interfaces;
    private final NextHops nextHops;
    private final DuplicateRoutes duplicates;
    private final Ipv6DuplicateRoutes ipv6Duplicates;
    private final RtnetlinkDump dump;
    private final NanoClock clock;
    private final LinkDecoder linkDecoder = new LinkDecoder();
    private final AddressDecoder addressDecoder = new AddressDecoder();
    private final NeighborDecoder neighborDecoder = new NeighborDecoder();
    private final RouteDecoder routeDecoder;
    /** Changes notified while a list of routes was read, when the dependencies of routes were not complete. */
    private final List<Change> undecided = new ArrayList<>();
    private boolean dumpNeeded;
    private boolean lost;
    private boolean settling;

    /**
     * Subscribes to the notification groups with a socket that this object closes. While the dump is running, it
     * receives the changed routes.
     */
    RtnetlinkNotifications(final NetlinkSocket socket, final InterfaceStates interfaces, final NextHops nextHops,
        final DuplicateRoutes duplicates, final Ipv6DuplicateRoutes ipv6, final RtnetlinkDump dump,
        final NanoClock clock)
    {
        this.socket = socket;
        this.interfaces = interfaces;
        this.nextHops = nextHops;
        this.duplicates = duplicates;
        this.ipv6Duplicates = ipv6;
        this.dump = dump;
        this.clock = clock;
        this.routeDecoder = new RouteDecoder(nextHops, interfaces);
        socket.join(LinkLayout.RTNLGRP_LINK);
        socket.join(AddressLayout.RTNLGRP_IPV4_IFADDR);
        socket.join(AddressLayout.RTNLGRP_IPV6_IFADDR);
        socket.join(NeighborLayout.RTNLGRP_NEIGH);
        socket.join(NextHopLayout.RTNLGRP_NEXTHOP);
        socket.join(RouteLayout.RTNLGRP_IPV4_ROUTE);
        socket.join(RouteLayout.RTNLGRP_IPV6_ROUTE);
    }

    /** Delivers pending notifications, without blocking, for 10 ms at most. Returns the number of messages read. */
    int poll(final KernelNetworkListener listener)
    {
        final long startNs = clock.nanoTime();
        int messages = 0;
        for (int datagrams = 0; datagrams < MAX_DATAGRAMS; datagrams++)
        {
            if ((datagrams & DATAGRAMS_OF_LOOK - 1) == DATAGRAMS_OF_LOOK - 1 && clock.nanoTime() - startNs > MAX_NS)
            {
                break;
            }
            final int length = socket.receive(buffer);
            if (length == NetlinkSocket.NOTHING)
            {
                settling = false;
                break;
            }
            if (length == NetlinkSocket.LOST)
            {
                onLoss();
                break;
            }
            message.wrap(buffer, 0, length);
            while (message.next())
            {
                messages++;
                onMessage(listener);
            }
            if (message.isMalformed())
            {
                onLoss();
            }
        }
        return messages;
    }

    /** Returns whether the reported state may differ from the kernel's; true until {@link #onDumpStart()}. */
    boolean isDumpNeeded()
    {
        if (!dump.isRunning() && !undecided.isEmpty())
        {
            dumpNeeded |= undecided.stream().anyMatch(this::concernsRoutes);
            undecided.clear();
        }
        return dumpNeeded;
    }

    void needDump()
    {
        dumpNeeded = true;
    }

    /**
     * Returns whether notifications were lost, so that pending ones may be outdated; true until {@link #onDumpStart()}.
     */
    boolean isLost()
    {
        return lost;
    }

    /** Discards pending notifications, at most as many as {@link #poll} delivers. Returns true if none is left. */
    boolean discard()
    {
        for (int datagrams = 0; datagrams < MAX_DATAGRAMS; datagrams++)
        {
            if (socket.receive(buffer) == NetlinkSocket.NOTHING)
            {
                return true;
            }
        }
        return false;
    }

    /** Called before a dump starts. */
    void onDumpStart()
    {
        undecided.clear();
        dumpNeeded = false;
        lost = false;
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
            case NetlinkLayout.NLMSG_OVERRUN -> onLoss();
            case LinkLayout.RTM_NEWLINK, LinkLayout.RTM_DELLINK -> onLink(listener);
            case AddressLayout.RTM_NEWADDR, AddressLayout.RTM_DELADDR -> onAddress(listener);
            case NeighborLayout.RTM_NEWNEIGH, NeighborLayout.RTM_DELNEIGH -> onNeighbor(listener);
            case NextHopLayout.RTM_NEWNEXTHOP -> onNextHop();
            // While a list of routes is read, the objects that routes use are not complete.
            case NextHopLayout.RTM_DELNEXTHOP -> dumpNeeded |= nextHops.onDeleted(message) || dump.isRunning();
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
            // Pending notifications may be about a change that the lists of links and addresses had already, and about
            // routes before it.
            if (interfaces.changed(link.index(), linkDecoder.routingState()) ||
                settling && (!link.up() || interfaces.isUsedByMultipath(link.index())))
            {
                decide(new Change(Change.Kind.LINK, link.index(), 0));
            }
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
        final boolean present = message.type() == AddressLayout.RTM_NEWADDR && addressDecoder.isUsable();
        if (address.address().isIpv4())
        {
            onIpv4Address(address, present);
        }
        else
        {
            // If IPv6 is switched off or on for an interface, its dead next hops change without a notification.
            final boolean changed =
                present ? interfaces.addAddress(address) || settling : interfaces.removeAddress(address);
            if (changed)
            {
                decide(new Change(Change.Kind.IPV6_ADDRESS, address.interfaceIndex(), 0));
            }
        }
        listener.onAddress(address, present);
    }

    private void onIpv4Address(final KernelAddress address, final boolean present)
    {
        if (!present)
        {
            interfaces.removeAddress(address);
            decide(new Change(Change.Kind.IPV4_REMOVAL, address.interfaceIndex(), address.address().ipv4()));
        }
        else if (interfaces.addAddress(address) || settling)
        {
            decide(new Change(Change.Kind.IPV4_ADDITION, address.interfaceIndex(), 0));
        }
    }

    /**
     * Requests a dump if routes depend on a change. A running dump completes first, because it reads the dependencies.
     */
    private void decide(final Change change)
    {
        if (dump.isRunning())
        {
            undecided.add(change);
        }
        else
        {
            dumpNeeded |= concernsRoutes(change);
        }
    }

    private boolean concernsRoutes(final Change change)
    {
        final int index = change.interfaceIndex;
        return switch (change.kind)
        {
            // The kernel's own routes are not recorded; they are those of addresses.
            case LINK -> interfaces.isUsed(index) || interfaces.isUsedByIpv6(index) || interfaces.hasAddress(index) ||
                nextHops.haveResolvedRoutes();
            case IPV4_ADDITION -> interfaces.isUsedByMultipath(index) || nextHops.haveResolvedRoutes();
            case IPV4_REMOVAL -> interfaces.isSource(change.address) || nextHops.haveResolvedRoutes() ||
                interfaces.isUsed(index) && !interfaces.hasAddress(index);
            case IPV6_ADDRESS -> interfaces.isUsedByMultipath(index);
        };
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
        dumpNeeded |=
            (message.flags() & NLM_F_REPLACE) != 0 && (nextHops.haveResolvedRoutes() || dump.isRunning());
    }

    private void onRoute(final KernelNetworkListener listener)
    {
        final boolean added = message.type() == RouteLayout.RTM_NEWROUTE;
        if (!added && RouteDecoder.isIpv6(message))
        {
            dump.onIpv6Removed();
            dumpNeeded |= settling && !dump.isRunning();
        }
        final KernelRouteView route = routeDecoder.decode(message);
        if (route == null)
        {
            return;
        }
        if (routeDecoder.standsForSeveral())
        {
            onRouteForSeveral(route, added, listener);
            return;
        }
        dump.onChanged(route);
        final boolean follows = routeDecoder.isPlain() && !interfaces.hasDead() && !dump.isRunning();
        switch (effectOf(route, added, follows))
        {
            case ROUTE -> listener.onRoute(route, added && !routeDecoder.isDead());
            case FIRST -> listener.onRoute(duplicates.first(), true);
            case UNKNOWN -> dumpNeeded = true;
            default ->
            {
            }
        }
    }

    /** Handles a route for several. Only a new list shows whether the removed one was the last of its prefix. */
    private void onRouteForSeveral(
        final KernelRouteView route, final boolean added, final KernelNetworkListener listener)
    {
        if (added)
        {
            listener.onRoute(route, true);
        }
        else
        {
            dumpNeeded = true;
        }
    }

    private DuplicateRoutes.Effect effectOf(final KernelRouteView route, final boolean added, final boolean follows)
    {
        if (route.isIpv6())
        {
            return added ?
                ipv6Duplicates.onNew(
                    route, message.flags(), routeDecoder.isMultipath(), routeDecoder.preference()) :
                ipv6Duplicates.onDeleted(route, routeDecoder.isMultipath());
        }
        return added ? duplicates.onNew(route, message.flags(), follows) : duplicates.onDeleted(route, follows);
    }

    private void onLoss()
    {
        dumpNeeded = true;
        lost = true;
    }

    /**
     * A change of an interface that may change routes without a notification.
     *
     * @param kind           of the change.
     * @param interfaceIndex of the interface.
     * @param address        that was removed, with IPV4_REMOVAL.
     */
    private record Change(Kind kind, int interfaceIndex, int address)
    {
        private enum Kind
        {
            LINK, IPV4_ADDITION, IPV4_REMOVAL, IPV6_ADDRESS
        }
    }
}
