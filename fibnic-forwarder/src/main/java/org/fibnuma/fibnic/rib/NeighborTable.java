package org.fibnuma.fibnic.rib;

import org.agrona.collections.LongHashSet;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Neighbours of the host, on ports and elsewhere, in the order of their addresses. Control thread. */
final class NeighborTable
{
    private static final int INTERFACE_BITS = 31;
    private static final long INTERFACE_MASK = (1L << INTERFACE_BITS) - 1;

    private final NavigableMap<Long, KernelNeighbor> neighbors = new TreeMap<>();
    private final LongHashSet seen = new LongHashSet();

    /** All neighbours, by address. */
    Collection<KernelNeighbor> all()
    {
        return neighbors.values();
    }

    KernelNeighbor get(final int interfaceIndex, final int address)
    {
        return neighbors.get(key(address, interfaceIndex));
    }

    /** The link-layer address of a neighbour that frames can be sent to, or 0. */
    long usableMac(final int interfaceIndex, final int address)
    {
        final KernelNeighbor neighbor = get(interfaceIndex, address);
        return neighbor != null && neighbor.isUsable() ? neighbor.macAddress() : 0;
    }

    /** Returns whether a neighbour is permanent and needs no requests. */
    boolean isPermanent(final int interfaceIndex, final int address)
    {
        final KernelNeighbor neighbor = get(interfaceIndex, address);
        return neighbor != null && neighbor.state() == KernelNeighbor.State.PERMANENT;
    }

    KernelNeighbor put(final KernelNeighbor neighbor)
    {
        final long key = key(neighbor.address().ipv4(), neighbor.interfaceIndex());
        seen.add(key);
        return neighbors.put(key, neighbor);
    }

    KernelNeighbor remove(final int interfaceIndex, final int address)
    {
        return neighbors.remove(key(address, interfaceIndex));
    }

    /** Returns whether any neighbour's address is in a prefix. */
    boolean anyIn(final long routeKey)
    {
        final Long first = neighbors.ceilingKey(key(RouteKey.prefix(routeKey), 0));
        return first != null && first <= lastKey(routeKey);
    }

    /** A copy of the neighbours whose addresses are in a prefix. */
    List<KernelNeighbor> in(final long routeKey)
    {
        return new ArrayList<>(
            neighbors.subMap(key(RouteKey.prefix(routeKey), 0), true, lastKey(routeKey), true).values());
    }

    void onDumpStart()
    {
        seen.clear();
    }

    List<KernelNeighbor> stale()
    {
        final List<KernelNeighbor> stale = new ArrayList<>();
        neighbors.forEach((key, neighbor) ->
        {
            if (!seen.contains(key))
            {
                stale.add(neighbor);
            }
        });
        return stale;
    }

    private static long lastKey(final long routeKey)
    {
        final int last = RouteKey.prefix(routeKey) | ~Ipv4Address.mask(RouteKey.length(routeKey));
        return key(last, 0) | INTERFACE_MASK;
    }

    private static long key(final int address, final int interfaceIndex)
    {
        return (address & 0xFFFF_FFFFL) << INTERFACE_BITS | interfaceIndex;
    }
}
