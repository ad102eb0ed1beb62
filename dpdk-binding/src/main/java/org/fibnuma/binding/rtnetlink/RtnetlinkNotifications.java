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
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpPrefix;

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
    private final OwnRoutes ownRoutes;
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
    private boolean discarded;
    /** Whether notifications were discarded before the last dump, as before the first one. */
    private boolean fromScratch;

    /**
     * Subscribes to the notification groups with a socket that this object closes. While the dump is running, it
     * receives the changed routes.
     */
    RtnetlinkNotifications(
        final NetlinkSocket socket, final FollowedState state, final RtnetlinkDump dump, final NanoClock clock)
    {
        this.socket = socket;
        this.interfaces = state.interfaces();
        this.ownRoutes = state.ownRoutes();
        this.nextHops = state.nextHops();
        this.duplicates = state.duplicates();
        this.ipv6Duplicates = state.ipv6Duplicates();
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
        discarded = true;
        interfaces.onDiscard();
        ownRoutes.onDiscard();
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
        fromScratch = discarded;
        discarded = false;
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
            onLinkState(link, listener);
        }
        else
        {
            interfaces.remove(link.index());
            dump.onDown(link.index());
            removeAll(ownRoutes.takeRemoved(link.index()), listener);
            decide(Change.of(Change.Kind.LINK, link.index()));
        }
        listener.onLink(link, present);
    }

    private void onLinkState(final KernelLink link, final KernelNetworkListener listener)
    {
        final int index = link.index();
        final long state = linkDecoder.routingState();
        final long before = interfaces.onNotified(index, state);
        if (LinkDecoder.isUp(state))
        {
            ownRoutes.onUp(index);
        }
        else if (before != InterfaceStates.UNKNOWN && LinkDecoder.isUp(before))
        {
            dump.onDown(index);
            interfaces.takeDown(index).forEach(address -> listener.onAddress(address, false));
            removeAll(ownRoutes.takeDown(index), listener);
        }
        if (before != InterfaceStates.UNKNOWN && before != state)
        {
            decide(Change.of(!LinkDecoder.isOfCarrierOrUp(before, state) ? Change.Kind.LINK :
                LinkDecoder.isUp(before) == LinkDecoder.isUp(state) ? Change.Kind.CARRIER : Change.Kind.UP, index));
        }
        else if (settling && (!link.up() || interfaces.isUsedByMultipath(index)))
        {
            // Pending notifications may be about a change that the lists of links and addresses had already, and about
            // routes before it.
            decide(Change.of(fromScratch ? Change.Kind.LINK : Change.Kind.UP, index));
        }
    }

    /** Reports the removal of own routes of which the kernel does not notify. */
    private void removeAll(final List<KernelRoute> routes, final KernelNetworkListener listener)
    {
        for (final KernelRoute route : routes)
        {
            if (route.isIpv6())
            {
                dump.onIpv6Removed();
            }
            report(route, false, removalOf(route, false, isFollowed()), listener);
        }
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
            onIpv4Address(address, present, listener);
        }
        else
        {
            // If IPv6 is switched off or on for an interface, its dead next hops change without a notification.
            final IpPrefix network = addressDecoder.network();
            final boolean changed = present ?
                interfaces.addAddress(address, network, addressDecoder.endsWhenDown()) || settling :
                interfaces.removeAddress(address, network);
            if (changed)
            {
                decide(Change.of(Change.Kind.IPV6_ADDRESS, address.interfaceIndex()));
            }
        }
        listener.onAddress(address, present);
    }

    private void onIpv4Address(
        final KernelAddress address, final boolean present, final KernelNetworkListener listener)
    {
        final IpPrefix network = addressDecoder.network();
        final int index = address.interfaceIndex();
        if (!present)
        {
            final boolean known = interfaces.removeAddress(address, network);
            if (known && !interfaces.hasAddress(index) && !settling && !dump.isRunning())
            {
                removeAll(ownRoutes.takeIpv4(index), listener);
            }
            decide(new Change(Change.Kind.IPV4_REMOVAL, index, address.address().ipv4(),
                addressDecoder.makesRoute() ? network : null, settling || !interfaces.hasAddress(index)));
        }
        else if (interfaces.addAddress(address, network, false) || settling)
        {
            decide(Change.of(Change.Kind.IPV4_ADDITION, index));
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
            case LINK -> isUsedWhenUp(index) || interfaces.hasAddress(index) || ownRoutes.has(index);
            case UP -> isUsedWhenUp(index);
            case CARRIER -> interfaces.isUsedByMultipath(index) || nextHops.haveInterface(index);
            case IPV4_ADDITION -> interfaces.isUsedByMultipath(index) || nextHops.haveResolvedRoutes();
            case IPV4_REMOVAL -> interfaces.isSource(change.address) || nextHops.haveResolvedRoutes() ||
                change.last && interfaces.isUsed(index) ||
                ownRoutes.isLeftBy(index, change.address, change.network, !interfaces.hasAddress(index));
            case IPV6_ADDRESS -> interfaces.isUsedByMultipath(index);
        };
    }

    /** Returns whether routes other than own ones may change when an interface goes up or down. */
    private boolean isUsedWhenUp(final int index)
    {
        return interfaces.isUsed(index) || interfaces.isUsedByIpv6(index) || nextHops.haveInterface(index) ||
            ownRoutes.isUncertain(index);
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
        if (added)
        {
            ownRoutes.onNew(route, routeDecoder.isOwn(), message.flags());
        }
        else if (routeDecoder.isOwn() && !ownRoutes.onDeleted(route.copy()))
        {
            return;
        }
        dump.onChanged(route);
        report(route, added && !routeDecoder.isDead(), effectOf(route, added), listener);
    }

    /** Returns whether the order of routes with the same prefix, table and metric can be followed. */
    private boolean isFollowed()
    {
        return !interfaces.hasDead() && !dump.isRunning();
    }

    private void report(final KernelRouteView route, final boolean present, final DuplicateRoutes.Effect effect,
        final KernelNetworkListener listener)
    {
        switch (effect)
        {
            case ROUTE -> listener.onRoute(route, present);
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

    private DuplicateRoutes.Effect effectOf(final KernelRouteView route, final boolean added)
    {
        final boolean follows = routeDecoder.isPlain() && isFollowed();
        return !added ? removalOf(route, routeDecoder.isMultipath(), follows) : route.isIpv6() ?
            ipv6Duplicates.onNew(route, message.flags(), routeDecoder.isMultipath(), routeDecoder.preference()) :
            duplicates.onNew(route, message.flags(), follows);
    }

    private DuplicateRoutes.Effect removalOf(
        final KernelRouteView route, final boolean multipath, final boolean follows)
    {
        return route.isIpv6() ? ipv6Duplicates.onDeleted(route, multipath) : duplicates.onDeleted(route, follows);
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
     * @param network        of the address, or null if the kernel made no route to it, with IPV4_REMOVAL.
     * @param last           whether it may have been the last IPv4 address, with IPV4_REMOVAL.
     */
    private record Change(Kind kind, int interfaceIndex, int address, IpPrefix network, boolean last)
    {
        static Change of(final Kind kind, final int interfaceIndex)
        {
            return new Change(kind, interfaceIndex, 0, null, false);
        }

        private enum Kind
        {
            /** Any change of the link that is none of the next two, or its removal. */
            LINK,
            /** It goes up or down, whatever its carrier. */
            UP,
            /** Its carrier only, and the kernel uses its routes without a carrier. */
            CARRIER,
            IPV4_ADDITION, IPV4_REMOVAL, IPV6_ADDRESS
        }
    }
}
