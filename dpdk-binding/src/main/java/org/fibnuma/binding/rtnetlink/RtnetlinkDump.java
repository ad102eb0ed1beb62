package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageHandler;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.port.PortException;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_DUMP;

/**
 * Reads all lists of the kernel: links, addresses, neighbours, next hops, routes, in this order. The list of links
 * comes first because the kernel gives it only between two changes of its configuration: an interface of which we
 * were told that it goes down has lost its routes when the list arrives.
 */
final class RtnetlinkDump
{
    // Objects change too fast for a consistent list only while a storm lasts; then we come back later.
    private static final int MAX_ATTEMPTS = 8;
    private static final int REQUEST_CAPACITY = 256;

    private final NetlinkExchange exchange;
    private final InterfaceStates interfaces;
    private final NextHops nextHops;
    private final DuplicateRoutes duplicates;
    private final LinkDecoder linkDecoder = new LinkDecoder();
    private final AddressDecoder addressDecoder = new AddressDecoder();
    private final NeighborDecoder neighborDecoder = new NeighborDecoder();
    private final RouteDecoder routeDecoder;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private KernelNetworkListener listener;
    private boolean consistent;

    /**
     * With what is shared with notifications, and filled here.
     *
     * @param exchange   to ask with.
     * @param interfaces what routes depend on in them.
     * @param nextHops   that routes name.
     * @param duplicates among routes.
     */
    RtnetlinkDump(final NetlinkExchange exchange, final InterfaceStates interfaces, final NextHops nextHops,
        final DuplicateRoutes duplicates)
    {
        this.exchange = exchange;
        this.interfaces = interfaces;
        this.nextHops = nextHops;
        this.duplicates = duplicates;
        this.routeDecoder = new RouteDecoder(nextHops);
    }

    /**
     * Reads everything, between {@code onDumpStart} and {@code onDumpEnd}.
     *
     * @param listener to tell.
     * @return false where a list kept changing while it was read, so that something may be missing.
     * @throws PortException where the kernel refuses.
     */
    boolean read(final KernelNetworkListener listener)
    {
        this.listener = listener;
        consistent = true;
        listener.onDumpStart();
        interfaces.clear();
        nextHops.clear();
        list("links", LinkLayout.RTM_GETLINK, LinkLayout.LENGTH, this::onLink);
        list("addresses", AddressLayout.RTM_GETADDR, AddressLayout.LENGTH, this::onAddress);
        list("neighbours", NeighborLayout.RTM_GETNEIGH, NeighborLayout.LENGTH, this::onNeighbor);
        list("next hops", NextHopLayout.RTM_GETNEXTHOP, NextHopLayout.LENGTH, this::onNextHop);
        list("routes", RouteLayout.RTM_GETROUTE, RouteLayout.LENGTH, this::onRoute);
        listener.onDumpEnd();
        return consistent;
    }

    private void list(final String what, final int type, final int structureLength, final NetlinkMessageHandler handler)
    {
        int attempts = 0;
        do
        {
            compose(type, structureLength);
            final int errno = exchange.dump(request, handler);
            final boolean withoutNextHops = type == NextHopLayout.RTM_GETNEXTHOP && Errno.EOPNOTSUPP.is(errno);
            if (errno != 0 && !withoutNextHops)
            {
                throw new PortException("netlink: cannot list the kernel's " + what + ": " + exchange.refusal());
            }
            attempts++;
        }
        while (exchange.wasInterrupted() && attempts < MAX_ATTEMPTS);
        consistent &= !exchange.wasInterrupted();
    }

    private void compose(final int type, final int structureLength)
    {
        request.clear().begin(type, NLM_F_DUMP, exchange.nextSequence(), structureLength);
        switch (type)
        {
            case LinkLayout.RTM_GETLINK ->
                request.addInt(LinkLayout.IFLA_EXT_MASK, LinkLayout.RTEXT_FILTER_SKIP_STATS);
            case AddressLayout.RTM_GETADDR -> request.putByte(AddressLayout.FAMILY_OFFSET, SysSocket.AF_INET);
            case NeighborLayout.RTM_GETNEIGH -> request.putByte(NeighborLayout.FAMILY_OFFSET, SysSocket.AF_INET);
            case RouteLayout.RTM_GETROUTE ->
            {
                request.putByte(RouteLayout.FAMILY_OFFSET, SysSocket.AF_INET);
                duplicates.onListStart();
            }
            default ->
            {
            }
        }
    }

    private void onLink(final NetlinkMessageFlyweight message)
    {
        final KernelLink link = message.type() == LinkLayout.RTM_NEWLINK ? linkDecoder.decode(message) : null;
        if (link != null)
        {
            interfaces.changed(link.index(), linkDecoder.routingState());
            listener.onLink(link, true);
        }
    }

    private void onAddress(final NetlinkMessageFlyweight message)
    {
        final KernelAddress address =
            message.type() == AddressLayout.RTM_NEWADDR ? addressDecoder.decode(message) : null;
        if (address != null)
        {
            interfaces.addAddress(address);
            listener.onAddress(address, true);
        }
    }

    private void onNeighbor(final NetlinkMessageFlyweight message)
    {
        final KernelNeighbor neighbor =
            message.type() == NeighborLayout.RTM_NEWNEIGH ? neighborDecoder.decode(message) : null;
        if (neighbor != null && neighborDecoder.isKnown())
        {
            listener.onNeighbor(neighbor, true);
        }
    }

    private void onNextHop(final NetlinkMessageFlyweight message)
    {
        if (message.type() == NextHopLayout.RTM_NEWNEXTHOP)
        {
            nextHops.onNew(message);
        }
    }

    private void onRoute(final NetlinkMessageFlyweight message)
    {
        final KernelRoute route = message.type() == RouteLayout.RTM_NEWROUTE ? routeDecoder.decode(message) : null;
        if (route != null && duplicates.isFirst(route, routeDecoder.isDead()))
        {
            listener.onRoute(route, true, false);
        }
    }
}
