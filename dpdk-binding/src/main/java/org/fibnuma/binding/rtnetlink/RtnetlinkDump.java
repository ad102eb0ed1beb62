package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.NanoClock;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageHandler;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_DUMP;

/**
 * Reads the kernel's links, addresses, neighbours, next hops and routes, in this order. Links come first because the
 * kernel composes their list between two changes of its configuration: an interface that is down in the list has
 * already lost its routes.
 * <p>
 * All lists but the routes are read at once. Reading the routes, and removing those that are not listed, takes as many
 * slices as needed; notifications are delivered between slices. A listed route is skipped after a notification about
 * it, because the list may be older.
 * <p>
 * After an IPv6 route was removed, the kernel continues its list by the number of routes listed so far, and leaves out
 * a route (fib6_dump_table, net/ipv6/ip6_fib.c). It does not mark such a list as interrupted. So the IPv6 routes are
 * listed again if a removal was notified meanwhile, and a route is kept if any of these lists has it.
 */
final class RtnetlinkDump implements AutoCloseable
{
    /** Duration of a slice in ns, a quarter of the time that a change or a request may wait. */
    static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Largest number of datagrams in a slice, with about 600 routes each. */
    static final int SLICE_DATAGRAMS = 16;

    private static final int REQUEST_CAPACITY = 256;
    private static final int[] FAMILIES = {SysSocket.AF_INET, SysSocket.AF_INET6};

    private enum Stage
    {
        NONE, ROUTES, LISTED, SWEEP
    }

    private final NetlinkExchange exchange;
    private final InterfaceStates interfaces;
    private final OwnRoutes ownRoutes;
    private final NextHops nextHops;
    private final DuplicateRoutes duplicates;
    private final Ipv6DuplicateRoutes ipv6Duplicates;
    private final NanoClock clock;
    private final ChangedRoutes changed = new ChangedRoutes();
    /** Interfaces that were down at some time since the start. */
    private final IntHashSet down = new IntHashSet();
    private final LinkDecoder linkDecoder = new LinkDecoder();
    private final AddressDecoder addressDecoder = new AddressDecoder();
    private final NeighborDecoder neighborDecoder = new NeighborDecoder();
    private final RouteDecoder routeDecoder;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final NetlinkMessageHandler routeHandler = this::onRoute;
    private KernelNetworkListener listener;
    private Stage stage = Stage.NONE;
    private int routeFamily;
    private int attempts;
    private boolean ipv6Removed;
    private boolean afterLoss;
    private boolean consistent;
    private long slices;

    /**
     * Creates a dump that sets the state on which the notifications depend, and closes {@code exchange}, which nothing
     * else uses.
     */
    RtnetlinkDump(final NetlinkExchange exchange, final FollowedState state, final NanoClock clock)
    {
        this.exchange = exchange;
        this.interfaces = state.interfaces();
        this.ownRoutes = state.ownRoutes();
        this.nextHops = state.nextHops();
        this.duplicates = state.duplicates();
        this.ipv6Duplicates = state.ipv6Duplicates();
        this.clock = clock;
        this.routeDecoder = new RouteDecoder(nextHops, interfaces);
    }

    /**
     * Starts to read all lists. A dump that is running is abandoned.
     *
     * @param to   receives all entries until {@link #isRunning()} is false.
     * @param loss whether notifications were lost before.
     * @throws UserException if the kernel refuses.
     */
    void start(final KernelNetworkListener to, final boolean loss)
    {
        giveUp();
        listener = to;
        afterLoss = loss;
        consistent = true;
        changed.clear();
        down.clear();
        listener.onDumpStart();
        interfaces.clear();
        ownRoutes.clear();
        nextHops.clear();
        list("links", LinkLayout.RTM_GETLINK, LinkLayout.LENGTH, LinkLayout.AF_UNSPEC, this::onLink);
        for (final int family : FAMILIES)
        {
            list("addresses", AddressLayout.RTM_GETADDR, AddressLayout.LENGTH, family, this::onAddress);
        }
        for (final int family : FAMILIES)
        {
            list("neighbours", NeighborLayout.RTM_GETNEIGH, NeighborLayout.LENGTH, family, this::onNeighbor);
        }
        list("next hops", NextHopLayout.RTM_GETNEXTHOP, NextHopLayout.LENGTH, LinkLayout.AF_UNSPEC, this::onNextHop);
        duplicates.onListStart();
        ipv6Duplicates.onListStart();
        attempts = 0;
        listRoutes(SysSocket.AF_INET);
    }

    /** Returns true from {@link #start} until the listener was notified of the end. */
    boolean isRunning()
    {
        return stage != Stage.NONE;
    }

    /** Returns false if a list changed in each attempt to read it, so that entries may be missing. */
    boolean isConsistent()
    {
        return consistent;
    }

    /** Returns how often {@link #slice()} was called. */
    long slices()
    {
        return slices;
    }

    /**
     * Reads or sweeps for a limited time, independent of the number of routes.
     *
     * @throws UserException if the kernel refuses.
     */
    void slice()
    {
        slices++;
        final long end = clock.nanoTime() + SLICE_NS;
        int datagrams = 0;
        do
        {
            if (stage == Stage.ROUTES)
            {
                readRoutes();
            }
            else if (stage == Stage.LISTED)
            {
                sweepOrListAgain();
            }
            else if (listener.onDumpSweep())
            {
                listener.onDumpEnd();
                stage = Stage.NONE;
            }
            datagrams++;
        }
        while (stage != Stage.NONE && stage != Stage.LISTED && datagrams < SLICE_DATAGRAMS && clock.nanoTime() < end);
    }

    /** Records a route after a notification about it: its entry in the list is skipped. */
    void onChanged(final KernelRouteView route)
    {
        if (stage == Stage.ROUTES || stage == Stage.LISTED)
        {
            changed.add(route);
        }
    }

    /**
     * Records that an interface is down or removed: its entries of own routes in the list are skipped. Those that the
     * kernel makes again when it is up are notified.
     */
    void onDown(final int interfaceIndex)
    {
        if (isRunning())
        {
            down.add(interfaceIndex);
        }
    }

    /** Records that an IPv6 route of any table was removed, so that a list of the IPv6 routes may be incomplete. */
    void onIpv6Removed()
    {
        ipv6Removed = true;
    }

    @Override
    public void close()
    {
        exchange.close();
    }

    /** Reads the rest of a requested list, so that another one can be requested. */
    private void giveUp()
    {
        int result = stage == Stage.ROUTES ? NetlinkExchange.MORE : 0;
        while (result == NetlinkExchange.MORE)
        {
            result = exchange.continueDump(message ->
            {
            });
        }
        stage = Stage.NONE;
    }

    private void listRoutes(final int family)
    {
        routeFamily = family;
        ipv6Removed = false;
        compose(RouteLayout.RTM_GETROUTE, RouteLayout.LENGTH, family);
        exchange.beginDump(request);
        stage = Stage.ROUTES;
    }

    private void readRoutes()
    {
        final int errno = exchange.continueDump(routeHandler);
        if (errno == NetlinkExchange.MORE)
        {
            return;
        }
        stage = Stage.NONE;
        check("routes", errno);
        attempts++;
        if (exchange.wasInterrupted() && attempts < NetlinkExchange.DUMP_ATTEMPTS)
        {
            onRouteListStart();
            listRoutes(routeFamily);
            return;
        }
        consistent &= !exchange.wasInterrupted();
        if (routeFamily == SysSocket.AF_INET)
        {
            attempts = 0;
            listRoutes(SysSocket.AF_INET6);
        }
        else
        {
            // The notifications of removals during the list are read before the next slice.
            stage = Stage.LISTED;
        }
    }

    private void sweepOrListAgain()
    {
        if (ipv6Removed && attempts < NetlinkExchange.DUMP_ATTEMPTS)
        {
            ipv6Duplicates.onListAgain();
            listRoutes(SysSocket.AF_INET6);
            return;
        }
        duplicates.onListEnd();
        ipv6Duplicates.onListEnd();
        changed.clear();
        stage = Stage.SWEEP;
    }

    private void onRouteListStart()
    {
        if (routeFamily == SysSocket.AF_INET)
        {
            duplicates.onListStart();
        }
        else
        {
            ipv6Duplicates.onListStart();
        }
    }

    private void list(final String what, final int type, final int structureLength, final int family,
        final NetlinkMessageHandler handler)
    {
        int tries = 0;
        do
        {
            compose(type, structureLength, family);
            final int errno = exchange.dump(request, handler);
            final boolean withoutNextHops = type == NextHopLayout.RTM_GETNEXTHOP && Errno.EOPNOTSUPP.is(errno);
            if (!withoutNextHops)
            {
                check(what, errno);
            }
            tries++;
        }
        while (exchange.wasInterrupted() && tries < NetlinkExchange.DUMP_ATTEMPTS);
        consistent &= !exchange.wasInterrupted();
    }

    private void check(final String what, final int errno)
    {
        if (errno != 0)
        {
            throw new UserException("netlink: cannot list the kernel's " + what + ": " + exchange.refusal());
        }
    }

    /** Composes a request for a list; the family is the first byte of the structure of each type. */
    private void compose(final int type, final int structureLength, final int family)
    {
        request.clear().begin(type, NLM_F_DUMP, exchange.nextSequence(), structureLength)
            .putByte(RouteLayout.FAMILY_OFFSET, family);
        if (type == LinkLayout.RTM_GETLINK)
        {
            request.addInt(LinkLayout.IFLA_EXT_MASK, LinkLayout.RTEXT_FILTER_SKIP_STATS);
        }
    }

    private void onLink(final NetlinkMessageFlyweight message)
    {
        final KernelLink link = message.type() == LinkLayout.RTM_NEWLINK ? linkDecoder.decode(message) : null;
        if (link != null)
        {
            interfaces.onListed(link.index(), linkDecoder.routingState());
            listener.onLink(link, true);
        }
    }

    private void onAddress(final NetlinkMessageFlyweight message)
    {
        final KernelAddress address =
            message.type() == AddressLayout.RTM_NEWADDR ? addressDecoder.decode(message) : null;
        if (address != null && addressDecoder.isUsable())
        {
            interfaces.addAddress(address, addressDecoder.network(), addressDecoder.endsWhenDown());
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
        final KernelRouteView route = message.type() == RouteLayout.RTM_NEWROUTE ? routeDecoder.decode(message) : null;
        // A kernel without IPv6 answers with the routes of all families.
        if (route == null || route.isIpv6() != (routeFamily == SysSocket.AF_INET6))
        {
            return;
        }
        if (routeDecoder.standsForSeveral())
        {
            listener.onRoute(route, true);
            return;
        }
        final boolean own = routeDecoder.isOwn();
        if (own && down.contains(route.interfaceIndex()) && OwnRoutes.endsWhenDown(route))
        {
            return;
        }
        final boolean used = route.isIpv6() ?
            ipv6Duplicates.isBest(
                route, routeDecoder.isDead(), routeDecoder.isMultipath(), routeDecoder.preference()) :
            duplicates.isFirst(route, routeDecoder.isDead(), routeDecoder.isPlain());
        if (changed.contains(route))
        {
            // After a loss the notification may be about another route of the same identity.
            consistent &= !afterLoss;
            return;
        }
        if (own)
        {
            ownRoutes.onListed(route.copy(), attempts > 0);
        }
        if (used)
        {
            listener.onRoute(route, true);
        }
    }

    /**
     * Routes with a notification while the routes are listed; their entries in the list may be older. The first metric
     * of an IPv4 prefix is stored without an object, because most prefixes have one.
     */
    private static final class ChangedRoutes
    {
        private static final long NONE = -1;
        private static final int LENGTH_BITS = 6;

        private final Long2LongHashMap metricOfPrefix = new Long2LongHashMap(NONE);
        private final Set<DuplicateRoutes.Identity> others = new HashSet<>();

        void clear()
        {
            metricOfPrefix.clear();
            metricOfPrefix.compact();
            others.clear();
        }

        void add(final KernelRouteView route)
        {
            if (!isIpv4OfMainOrLocal(route))
            {
                others.add(DuplicateRoutes.Identity.of(route));
                return;
            }
            final long metric = metric(route);
            final long known = metricOfPrefix.get(prefix(route));
            if (known == NONE)
            {
                metricOfPrefix.put(prefix(route), metric);
            }
            else if (known != metric)
            {
                others.add(DuplicateRoutes.Identity.of(route));
            }
        }

        /** Returns whether a route with this prefix, table and metric was recorded. */
        boolean contains(final KernelRouteView route)
        {
            return isIpv4OfMainOrLocal(route) && metricOfPrefix.get(prefix(route)) == metric(route) ||
                !others.isEmpty() && others.contains(DuplicateRoutes.Identity.of(route));
        }

        private static boolean isIpv4OfMainOrLocal(final KernelRouteView route)
        {
            return !route.isIpv6() &&
                (route.table() == KernelRoute.TABLE_MAIN || route.table() == KernelRoute.TABLE_LOCAL);
        }

        private static long prefix(final KernelRouteView route)
        {
            final long address = Integer.toUnsignedLong(route.prefix());
            return (address << LENGTH_BITS | route.prefixLength()) << 1 |
                (route.table() == KernelRoute.TABLE_LOCAL ? 1 : 0);
        }

        private static long metric(final KernelRouteView route)
        {
            return Integer.toUnsignedLong(route.metric());
        }
    }
}
