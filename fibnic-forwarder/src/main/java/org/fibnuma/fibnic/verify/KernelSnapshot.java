package org.fibnuma.fibnic.verify;

import org.agrona.collections.Long2ObjectHashMap;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.fibnic.rib.RouteKey;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** One dump of the kernel, with only the best route of each prefix and table. One thread, except {@link #cancel}. */
public final class KernelSnapshot implements KernelNetworkListener
{
    private final Map<Integer, KernelLink> links = new HashMap<>();
    private final List<KernelAddress> addresses = new ArrayList<>();
    private final List<KernelNeighbor> neighbors = new ArrayList<>();
    private final Long2ObjectHashMap<KernelRoute> mainRoutes = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<KernelRoute> localRoutes = new Long2ObjectHashMap<>();
    private volatile boolean cancelled;

    Map<Integer, KernelLink> links()
    {
        return links;
    }

    List<KernelAddress> addresses()
    {
        return addresses;
    }

    List<KernelNeighbor> neighbors()
    {
        return neighbors;
    }

    /** Routes of the main table and the file, by {@link RouteKey}. */
    Long2ObjectHashMap<KernelRoute> mainRoutes()
    {
        return mainRoutes;
    }

    /** Routes of the local table, by {@link RouteKey}. */
    Long2ObjectHashMap<KernelRoute> localRoutes()
    {
        return localRoutes;
    }

    /**
     * Adds a route of the routes file, after the dump, unless the kernel has one for its prefix. The last one of the
     * file for a prefix is used.
     *
     * @param prefix  address whose bits below the length are 0.
     * @param length  0 to 32.
     * @param gateway IPv4 address of the next hop.
     */
    public void addFileRoute(final int prefix, final int length, final int gateway)
    {
        final long key = RouteKey.of(prefix, length);
        final KernelRoute known = mainRoutes.get(key);
        if (known == null || known.interfaceIndex() == Decision.ANY_INTERFACE)
        {
            mainRoutes.put(key, new KernelRoute(
                prefix, length, KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, gateway, Decision.ANY_INTERFACE));
        }
    }

    /** Ends the current or next dump with a {@link CancellationException} at its next route; any thread. */
    public void cancel()
    {
        cancelled = true;
    }

    @Override
    public void onDumpStart()
    {
        links.clear();
        addresses.clear();
        neighbors.clear();
        mainRoutes.clear();
        localRoutes.clear();
    }

    @Override
    public void onDumpEnd()
    {
    }

    @Override
    public void onLink(final KernelLink link, final boolean present)
    {
        links.put(link.index(), link);
    }

    @Override
    public void onAddress(final KernelAddress address, final boolean present)
    {
        if (address.address().isIpv4())
        {
            addresses.add(address);
        }
    }

    @Override
    public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
    {
        if (neighbor.address().isIpv4())
        {
            neighbors.add(neighbor);
        }
    }

    @Override
    public void onRoute(final KernelRouteView route, final boolean present)
    {
        if (cancelled)
        {
            throw new CancellationException("the dump was cancelled");
        }
        if (route.isIpv6())
        {
            return;
        }
        if (route.table() == KernelRoute.TABLE_MAIN)
        {
            keepBest(mainRoutes, route);
        }
        else if (route.table() == KernelRoute.TABLE_LOCAL)
        {
            keepBest(localRoutes, route);
        }
    }

    private static void keepBest(final Long2ObjectHashMap<KernelRoute> routes, final KernelRouteView route)
    {
        final long key = RouteKey.of(route.prefix(), route.prefixLength());
        final KernelRoute known = routes.get(key);
        if (known == null || Integer.compareUnsigned(route.metric(), known.metric()) < 0)
        {
            routes.put(key, route.copy());
        }
    }
}
