package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Neighbours of the host on all interfaces, in the order of their addresses, IPv4 first. Neighbours on two interfaces
 * can have the same link-local address. Control thread.
 */
final class NeighborTable
{
    private record Key(IpAddress address, int interfaceIndex)
    {
        static Key of(final KernelNeighbor neighbor)
        {
            return new Key(neighbor.address(), neighbor.interfaceIndex());
        }
    }

    private final NavigableMap<Key, KernelNeighbor> neighbors = new TreeMap<>(
        Comparator.comparing((Key key) -> !key.address.isIpv4())
            .thenComparing(Key::address)
            .thenComparingInt(Key::interfaceIndex));
    private final Set<Key> seen = new HashSet<>();

    Collection<KernelNeighbor> all()
    {
        return neighbors.values();
    }

    KernelNeighbor get(final int interfaceIndex, final IpAddress address)
    {
        return neighbors.get(new Key(address, interfaceIndex));
    }

    /** Returns the MAC address of a usable neighbour, or 0. */
    long usableMac(final int interfaceIndex, final IpAddress address)
    {
        final KernelNeighbor neighbor = get(interfaceIndex, address);
        return neighbor != null && neighbor.isUsable() ? neighbor.macAddress() : 0;
    }

    boolean isPermanent(final int interfaceIndex, final IpAddress address)
    {
        final KernelNeighbor neighbor = get(interfaceIndex, address);
        return neighbor != null && neighbor.state() == KernelNeighbor.State.PERMANENT;
    }

    KernelNeighbor put(final KernelNeighbor neighbor)
    {
        final Key key = Key.of(neighbor);
        seen.add(key);
        return neighbors.put(key, neighbor);
    }

    KernelNeighbor remove(final int interfaceIndex, final IpAddress address)
    {
        return neighbors.remove(new Key(address, interfaceIndex));
    }

    boolean anyIn(final IpPrefix prefix)
    {
        final Key first = neighbors.ceilingKey(firstKey(prefix));
        return first != null && prefix.contains(first.address);
    }

    /** Returns a copy of the neighbours whose addresses are in a prefix. */
    List<KernelNeighbor> in(final IpPrefix prefix)
    {
        final List<KernelNeighbor> inside = new ArrayList<>();
        for (final KernelNeighbor neighbor : neighbors.tailMap(firstKey(prefix), true).values())
        {
            if (!prefix.contains(neighbor.address()))
            {
                break;
            }
            inside.add(neighbor);
        }
        return inside;
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

    private static Key firstKey(final IpPrefix prefix)
    {
        return new Key(prefix.first(), 0);
    }
}
