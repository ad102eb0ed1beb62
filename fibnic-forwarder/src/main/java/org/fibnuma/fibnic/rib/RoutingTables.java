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
 * The control plane's tables: takes what the kernel says, one event after the other, and keeps FIB, adjacencies,
 * interfaces and the ports' local addresses in step. Control thread only.
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
     * Tables that know nothing but the ports.
     *
     * @param ports to tell which addresses are local.
     * @param links that knows which interfaces these ports are.
     * @param shared with the workers, written here only.
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
     * What control thread and workers share.
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
     * What changes have cost since the tables were made. A change that is not of the whole table leaves these figures
     * nearly as they were, however many routes there are.
     *
     * @param dumps           times that everything was read from the kernel.
     * @param routesTouched   routes that were added, replaced or removed.
     * @param fibWrites       prefixes that were announced to the FIB or withdrawn from it.
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
     * Adds a route of the routes file, in place of one for the same prefix that the file named before. The kernel's or
     * a static route for the same prefix wins.
     *
     * @param prefix  address whose bits below the length are 0.
     * @param length  0 to 32.
     * @param gateway next hop, resolved through the connected networks; while it is in none of them, destinations are
     *                treated as having no route.
     */
    public void addFileRoute(final int prefix, final int length, final int gateway)
    {
        programmer.add(
            RouteKey.of(prefix, length), RouteSource.FILE, 0, KernelRoute.Kind.UNICAST, 0, gateway);
    }

    /**
     * Says whether the router sends redirects to hosts on the networks of a port; at first it does not.
     *
     * @param port its index.
     * @param send true to send them.
     */
    public void sendRedirects(final int port, final boolean send)
    {
        addresses.sendRedirects(port, send);
    }

    /**
     * Has frames to {prefix, 0} of a connected network forwarded to a neighbour that has this address; at first it is
     * none for a neighbour (RFC 1812 section 4.2.3.1). To be called before the first dump.
     */
    public void forwardOldBroadcasts()
    {
        programmer.forwardOldBroadcasts();
    }

    /**
     * A port has lost its device, or has taken up another one. Where it has none the kernel forwards what routes lead
     * to its interface.
     *
     * @param port           its index.
     * @param interfaceIndex of the interface that it receives and sends by now, 0 for none.
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
        final KernelNeighbor before = present ?
            neighbors.put(neighbor) : neighbors.remove(neighbor.interfaceIndex(), neighbor.address());
        if (!neighbor.equals(before) || !present)
        {
            if (before != null && before.isUsable() && !(present && neighbor.isUsable()))
            {
                nextHops.requestNow(neighbor.interfaceIndex(), neighbor.address());
            }
            programmer.onNeighbor(neighbor.interfaceIndex(), neighbor.address());
        }
    }

    @Override
    public void onRoute(final KernelRouteView route, final boolean present)
    {
        if (route.table() == KernelRoute.TABLE_MAIN || route.table() == KernelRoute.TABLE_LOCAL)
        {
            final long key = RouteKey.of(route.prefix(), route.prefixLength());
            final RouteSource source =
                route.table() == KernelRoute.TABLE_LOCAL ? RouteSource.LOCAL : RouteSource.MAIN;
            if (present)
            {
                programmer.add(
                    key, source, route.metric(), kindOf(route), route.interfaceIndex(), route.gateway());
            }
            else
            {
                programmer.remove(key, source, route.metric());
            }
        }
    }

    /**
     * The best route of each prefix, in the order of {@link RouteKey}.
     *
     * @param after {@link RouteKey#BEFORE_FIRST}, or the key of the last route already seen.
     * @param limit 1 or more.
     * @return at most so many; fewer where there are no more.
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

    /**
     * The addresses of a port.
     *
     * @param port its index.
     * @return in the order in which they came.
     */
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
        return route.kind() == KernelRoute.Kind.UNICAST && route.interfaceIndex() == 0 ?
            KernelRoute.Kind.OTHER : route.kind();
    }
}
