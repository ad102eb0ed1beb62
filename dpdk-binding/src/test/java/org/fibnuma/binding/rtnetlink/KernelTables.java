package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The tables that result from the calls of a listener, swept after a dump as in its contract. */
final class KernelTables implements KernelNetworkListener
{
    final Map<Integer, KernelLink> links = new HashMap<>();
    final Set<KernelAddress> addresses = new HashSet<>();
    final Map<NeighborKey, KernelNeighbor> neighbors = new HashMap<>();
    final Map<RouteKey, KernelRoute> routes = new HashMap<>();
    int dumps;
    int routesToldInDumps;

    private final Set<Object> seen = new HashSet<>();
    private boolean dumping;

    @Override
    public void onDumpStart()
    {
        seen.clear();
        dumping = true;
    }

    @Override
    public void onDumpEnd()
    {
        dumping = false;
        dumps++;
        links.keySet().retainAll(seen);
        addresses.retainAll(seen);
        neighbors.keySet().retainAll(seen);
        routes.keySet().retainAll(seen);
    }

    @Override
    public void onLink(final KernelLink link, final boolean present)
    {
        apply(links, link.index(), link, present);
    }

    @Override
    public void onAddress(final KernelAddress address, final boolean present)
    {
        seen.add(address);
        if (present)
        {
            addresses.add(address);
        }
        else
        {
            addresses.remove(address);
        }
    }

    @Override
    public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
    {
        apply(neighbors, new NeighborKey(neighbor.interfaceIndex(), neighbor.address()), neighbor, present);
    }

    @Override
    public void onRoute(final KernelRouteView route, final boolean present)
    {
        routesToldInDumps += dumping ? 1 : 0;
        apply(routes, RouteKey.of(route), route.copy(), present);
    }

    boolean dumping()
    {
        return dumping;
    }

    KernelNeighbor neighbor(final int interfaceIndex, final IpAddress address)
    {
        return neighbors.get(new NeighborKey(interfaceIndex, address));
    }

    private <K, V> void apply(final Map<K, V> map, final K key, final V value, final boolean present)
    {
        if (dumping)
        {
            seen.add(key);
        }
        if (present)
        {
            map.put(key, value);
        }
        else
        {
            map.remove(key);
        }
    }

    record NeighborKey(int interfaceIndex, IpAddress address)
    {
    }

    record RouteKey(
        boolean ipv6, IpAddress network, int prefixLength, int table, int metric, boolean isTosSpecific)
    {
        static RouteKey of(final KernelRouteView view)
        {
            final KernelRoute route = view.copy();
            return new RouteKey(
                route.isIpv6(), route.network(), route.prefixLength(), route.table(), route.metric(),
                route.kind() == KernelRoute.Kind.TOS_SPECIFIC);
        }
    }
}
