package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/**
 * One dump of the kernel, with the best route of each prefix and table only, and with IPv6 only if the router forwards
 * it. For one thread, except {@link #cancel}.
 */
public final class KernelSnapshot implements KernelNetworkListener
{
    private final Map<Integer, KernelLink> links = new HashMap<>();
    private final List<KernelAddress> addresses = new ArrayList<>();
    private final List<KernelNeighbor> neighbors = new ArrayList<>();
    private final Map<IpPrefix, KernelRoute> mainRoutes = new HashMap<>();
    /** By number. */
    private final Map<Integer, Map<IpPrefix, KernelRoute>> furtherRoutes = new TreeMap<>();
    private final Map<IpPrefix, KernelRoute> localRoutes = new HashMap<>();
    private final Map<IpPrefix, KernelRoute> handedRoutes = new HashMap<>();
    private final Map<Integer, Integer> ipv6Mtus = new HashMap<>();
    private final boolean forwardsIpv6;
    private Set<IpPrefix> prefixesOfKernel = Set.of();
    private volatile boolean cancelled;

    /** Creates a snapshot without entries, for a router that forwards IPv6 or not. */
    public KernelSnapshot(final boolean forwardsIpv6)
    {
        this.forwardsIpv6 = forwardsIpv6;
    }

    boolean forwardsIpv6()
    {
        return forwardsIpv6;
    }

    Map<Integer, KernelLink> links()
    {
        return links;
    }

    /** Sets the IPv6 MTU in bytes of interfaces where it is below the MTU of the link. */
    public void ipv6Mtus(final Map<Integer, Integer> mtus)
    {
        ipv6Mtus.putAll(mtus);
    }

    /** Sets the prefixes of both families that are left to the kernel without regard to their routes. */
    public void prefixesOfKernel(final Set<IpPrefix> prefixes)
    {
        prefixesOfKernel = prefixes;
    }

    Set<IpPrefix> prefixesOfKernel()
    {
        return prefixesOfKernel;
    }

    int ipv6Mtu(final KernelLink link)
    {
        return Math.min(link.mtu(), ipv6Mtus.getOrDefault(link.index(), link.mtu()));
    }

    List<KernelAddress> addresses()
    {
        return addresses;
    }

    List<KernelNeighbor> neighbors()
    {
        return neighbors;
    }

    /** Returns the routes of the main table and the file. */
    Map<IpPrefix, KernelRoute> mainRoutes()
    {
        return mainRoutes;
    }

    Map<IpPrefix, KernelRoute> localRoutes()
    {
        return localRoutes;
    }

    /** Returns the numbers of the tables beside main and local. */
    public Set<Integer> furtherTables()
    {
        return furtherRoutes.keySet();
    }

    /** Returns this snapshot with another table in place of the main table, and without the local one. */
    public KernelSnapshot withTable(final int table)
    {
        final KernelSnapshot view = new KernelSnapshot(forwardsIpv6);
        view.links.putAll(links);
        view.addresses.addAll(addresses);
        view.neighbors.addAll(neighbors);
        view.ipv6Mtus.putAll(ipv6Mtus);
        view.prefixesOfKernel = prefixesOfKernel;
        view.mainRoutes.putAll(furtherRoutes.getOrDefault(table, Map.of()));
        return view;
    }

    /**
     * Adds a route of the routes file, with a gateway of either family, unless the kernel has a route for the prefix.
     * The file's last route for a prefix is used. To be called after the dump.
     */
    public void addFileRoute(final IpPrefix prefix, final IpAddress gateway)
    {
        final KernelRoute known = mainRoutes.get(prefix);
        if (known == null || known.interfaceIndex() == Decision.ANY_INTERFACE)
        {
            mainRoutes.put(prefix, new KernelRoute(
                prefix.isIpv6(), prefix.first(), prefix.length(), KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
                gateway, Decision.ANY_INTERFACE));
        }
    }

    /** Adds a route of a routing daemon. To be called after the dump and before {@link #mergeHandedRoutes}. */
    public void addHandedRoute(final KernelRoute route)
    {
        if (forwardsIpv6 || !route.isIpv6())
        {
            keepBest(handedRoutes, route);
        }
    }

    /** Adds the handed routes to the main table where it has none. To be called before {@link #addFileRoute}. */
    public void mergeHandedRoutes()
    {
        handedRoutes.forEach(mainRoutes::putIfAbsent);
        handedRoutes.clear();
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
        furtherRoutes.clear();
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
        if (forwardsIpv6 || address.address().isIpv4())
        {
            addresses.add(address);
        }
    }

    @Override
    public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
    {
        if (forwardsIpv6 || neighbor.address().isIpv4())
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
        if (!present || route.isIpv6() && !forwardsIpv6)
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
        else
        {
            keepBest(furtherRoutes.computeIfAbsent(route.table(), absent -> new HashMap<>()), route);
        }
    }

    private static void keepBest(final Map<IpPrefix, KernelRoute> routes, final KernelRouteView route)
    {
        final IpPrefix prefix = route.isIpv6() ?
            IpPrefix.of(route.prefixHigh(), route.prefixLow(), route.prefixLength()) :
            IpPrefix.of(route.prefix(), route.prefixLength());
        final KernelRoute known = routes.get(prefix);
        if (known == null || route.kind() == KernelRoute.Kind.TOS_SPECIFIC ||
            known.kind() != KernelRoute.Kind.TOS_SPECIFIC &&
            Integer.compareUnsigned(route.metric(), known.metric()) <= 0)
        {
            routes.put(prefix, route.copy());
        }
    }
}
