package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The control plane's tables: applies each event of the kernel to the RIB, FIB, adjacencies, interfaces and the ports'
 * local addresses. Control thread only.
 */
public final class RoutingTables implements KernelNetworkListener
{
    private final LinkTable links;
    private final NeighborTable neighbors = new NeighborTable();
    private final InterfaceAddresses addresses;
    private final NextHopTable nextHops;
    private final FibProgrammer programmer;
    private long dumps;
    private long portChanges;

    /**
     * Tables without routes, neighbours and addresses.
     *
     * @param ports  whose filters get the local addresses.
     * @param links  with the interfaces of these ports.
     * @param shared tables that the workers read, written here only.
     */
    public RoutingTables(final List<? extends Port> ports, final LinkTable links, final Shared shared)
    {
        this.links = links;
        this.addresses = new InterfaceAddresses(links, shared.interfaces());
        this.nextHops = new NextHopTable(
            links, neighbors, shared.adjacencies(), new AdjacencyIndexes(shared.epochs()));
        this.programmer = new FibProgrammer(
            nextHops, neighbors, links, addresses,
            new LocalAddresses(ports, shared.interfaces().hostAddresses()), shared.fib());
    }

    /**
     * The tables that the control thread writes and the workers read.
     *
     * @param fib         destination to adjacency index.
     * @param adjacencies index to next hop.
     * @param interfaces  the router's side of each port.
     * @param epochs      that every worker reports to.
     */
    public record Shared(
        Ipv4Fib fib, AdjacencyTable adjacencies, InterfaceTable interfaces, ReaderEpochs epochs)
    {
    }

    /**
     * The cost of all changes since the tables were made. A change that does not concern the whole table adds little,
     * however many routes there are.
     *
     * @param dumps           full dumps of the kernel.
     * @param routesTouched   routes that were added, replaced or removed.
     * @param fibWrites       prefixes announced to the FIB or withdrawn from it.
     * @param adjacencyWrites adjacencies that were written.
     */
    public record Work(long dumps, long routesTouched, long fibWrites, long adjacencyWrites)
    {
    }

    /** Returns the current cost figures of changes. */
    public Work work()
    {
        return new Work(dumps, programmer.routesTouched(), programmer.fibWrites(), nextHops.adjacencyWrites());
    }

    /**
     * Adds a route of the routes file, or replaces the one that the file had for the same prefix before. A kernel route
     * or static route for the same prefix is preferred.
     *
     * @param prefix  address whose bits below the length are 0.
     * @param length  0 to 32.
     * @param gateway next hop, resolved through the connected networks; while it is in none of them, the route counts
     *                as no route.
     */
    public void addFileRoute(final int prefix, final int length, final int gateway)
    {
        programmer.add(
            RouteKey.of(prefix, length), RouteSource.FILE, 0, KernelRoute.Kind.UNICAST, 0, gateway);
    }

    /** Sets whether the router sends redirects to hosts on the networks of a port; initially it does not. */
    public void sendRedirects(final int port, final boolean send)
    {
        addresses.sendRedirects(port, send);
    }

    /**
     * Forwards frames to {prefix, 0} of a connected network to a neighbour that has this address; by default they are
     * not forwarded (RFC 1812 section 4.2.3.1). To be called before the first dump.
     */
    public void forwardOldBroadcasts()
    {
        programmer.forwardOldBroadcasts();
    }

    /**
     * A port has lost its device or attached to another one. While it has none, frames to its interface go to the
     * kernel.
     *
     * @param port           index of the port.
     * @param interfaceIndex of the interface that it now receives and sends by, 0 for none.
     */
    public void onPort(final int port, final int interfaceIndex)
    {
        portChanges++;
        links.carrier(port, interfaceIndex);
        programmer.onLink(links.interfaceOf(port));
    }

    /** Returns how often a port has lost its device or attached to another one; never decreases. */
    public long portChanges()
    {
        return portChanges;
    }

    @Override
    public void onDumpStart()
    {
        links.onDumpStart();
        neighbors.onDumpStart();
        addresses.onDumpStart();
        programmer.nextGeneration();
        dumps++;
    }

    @Override
    public boolean onDumpSweep()
    {
        return programmer.sweep();
    }

    @Override
    public void onDumpEnd()
    {
        neighbors.stale().forEach(neighbor -> onNeighbor(neighbor, false));
        addresses.stale().forEach(address -> onAddress(address, false));
        links.stale().forEach(link -> onLink(link, false));
        boolean swept;
        do
        {
            swept = programmer.sweep();
        }
        while (!swept);
    }

    @Override
    public void onLink(final KernelLink link, final boolean present)
    {
        final KernelLink before = present ? links.put(link) : links.remove(link.index());
        final int port = present ? links.portToBecome(link) : LinkTable.NO_PORT;
        if (port != LinkTable.NO_PORT)
        {
            final int old = links.interfaceOf(port);
            links.move(port, link.index());
            programmer.onLink(old);
            programmer.onNewPort(link.index());
        }
        if (!link.equals(before) || !present || port != LinkTable.NO_PORT)
        {
            addresses.publish(link.index());
            programmer.onLink(link.index());
        }
    }

    @Override
    public void onAddress(final KernelAddress address, final boolean present)
    {
        if (!address.address().isIpv4())
        {
            return;
        }
        if (present)
        {
            addresses.put(address);
        }
        else
        {
            addresses.remove(address);
        }
        programmer.onAddress(address);
    }

    @Override
    public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
    {
        if (!neighbor.address().isIpv4())
        {
            return;
        }
        final int address = neighbor.address().ipv4();
        final KernelNeighbor before = present ?
            neighbors.put(neighbor) : neighbors.remove(neighbor.interfaceIndex(), address);
        if (!neighbor.equals(before) || !present)
        {
            if (before != null && before.isUsable() && !(present && neighbor.isUsable()))
            {
                nextHops.requestNow(neighbor.interfaceIndex(), address);
            }
            programmer.onNeighbor(neighbor.interfaceIndex(), address);
        }
    }

    @Override
    public void onRoute(final KernelRouteView route, final boolean present)
    {
        if (!route.isIpv6() &&
            (route.table() == KernelRoute.TABLE_MAIN || route.table() == KernelRoute.TABLE_LOCAL))
        {
            final long key = RouteKey.of(route.prefix(), route.prefixLength());
            final RouteSource source =
                route.table() == KernelRoute.TABLE_LOCAL ? RouteSource.LOCAL : RouteSource.MAIN;
            if (present)
            {
                programmer.add(
                    key, source, route.metric(), kindOf(route), route.interfaceIndex(), route.ipv4Gateway());
            }
            else
            {
                programmer.remove(key, source, route.metric());
            }
        }
    }

    /**
     * Returns the best routes of the next prefixes, in the order of {@link RouteKey}.
     *
     * @param after {@link RouteKey#BEFORE_FIRST}, or the key of the last route of the previous call.
     * @param limit most routes to return, 1 or more.
     * @return fewer than the limit where there are no more.
     */
    public List<RouteView> routesAfter(final long after, final int limit)
    {
        final Rib routes = programmer.rib();
        final List<RouteView> views = new ArrayList<>();
        for (final long key : routes.keysAfter(after, limit))
        {
            final int row = routes.head(key);
            final NextHop nextHop = nextHops.get(routes.nextHop(row));
            views.add(new RouteView(
                key, routes.source(row), routes.metric(row), nextHop.key().kind(), nextHop.gateway(),
                nextHop.egressInterface()));
        }
        return views;
    }

    /** Returns the number of routes from all sources, including those that are not the best of their prefix. */
    public int routeCount()
    {
        return programmer.rib().size();
    }

    /** Returns the number of prefixes that have a route. */
    public int prefixCount()
    {
        return programmer.rib().prefixCount();
    }

    /** Returns the memory of the RIB in bytes, including what is free for more routes. */
    public long ribBytes()
    {
        return programmer.rib().bytes();
    }

    /** Returns the neighbours of the host by address, on ports and on other interfaces. */
    public Collection<KernelNeighbor> neighbors()
    {
        return neighbors.all();
    }

    /** Returns the addresses of a port in the order in which the kernel reported them. */
    public List<KernelAddress> addressesOf(final int port)
    {
        return addresses.of(port);
    }

    /** Returns the interfaces of the host, and which of them are ports. */
    public LinkTable links()
    {
        return links;
    }

    NextHopTable nextHops()
    {
        return nextHops;
    }

    NeighborTable neighborTable()
    {
        return neighbors;
    }

    private static KernelRoute.Kind kindOf(final KernelRouteView route)
    {
        return route.kind() == KernelRoute.Kind.UNICAST && (route.interfaceIndex() == 0 || route.hasIpv6Gateway()) ?
            KernelRoute.Kind.OTHER : route.kind();
    }
}
