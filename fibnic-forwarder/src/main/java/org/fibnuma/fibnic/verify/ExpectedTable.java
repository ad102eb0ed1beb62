package org.fibnuma.fibnic.verify;

import org.agrona.collections.Long2ObjectHashMap;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.rib.RouteKey;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The expected adjacency of every address, computed from one {@link KernelSnapshot}. */
public final class ExpectedTable
{
    /** A network of one or two addresses has no broadcast address. */
    private static final int LONGEST_WITH_BROADCAST = 30;
    private static final Adjacency NO_ROUTE = Adjacency.of(AdjacencyKind.NO_ROUTE);

    private final KernelSnapshot snapshot;
    private final Map<Integer, Integer> portByInterface;
    private final Set<List<Integer>> oldBroadcasts = new HashSet<>();
    private final Map<List<Object>, Decision> decisions = new HashMap<>();
    private final Map<List<Integer>, Long> usableMacs = new HashMap<>();
    private final AddressRanges ranges;

    /**
     * Computes the table.
     *
     * @param snapshot        of the kernel, with the routes of the file added.
     * @param portByInterface index of the port of each interface that is one.
     * @param forwarding      whether {prefix, 0} of a connected network can be the address of a neighbour.
     */
    public ExpectedTable(
        final KernelSnapshot snapshot, final Map<Integer, Integer> portByInterface, final ForwardingConfig forwarding)
    {
        this.snapshot = snapshot;
        this.portByInterface = portByInterface;
        for (final KernelNeighbor neighbor : snapshot.neighbors())
        {
            if (neighbor.isUsable() && neighbor.macAddress() != 0)
            {
                usableMacs.put(List.of(neighbor.interfaceIndex(), neighbor.address().ipv4()), neighbor.macAddress());
            }
        }
        if (!forwarding.oldBroadcasts())
        {
            snapshot.addresses().stream().filter(address -> address.prefixLength() <= LONGEST_WITH_BROADCAST)
                .forEach(address -> oldBroadcasts.add(List.of(
                    address.interfaceIndex(), address.address().ipv4() & Ipv4Address.mask(address.prefixLength()))));
        }
        final AddressRanges main = rangesOf(snapshot.mainRoutes());
        final AddressRanges local = rangesOf(snapshot.localRoutes());
        final AddressRanges routed = main.under(local);
        ranges = main.under(hosts(main)).under(local);
        decisions.values().forEach(decision -> decision.adjacency(adjacencyOf(decision, routed)));
    }

    /** Returns the number of prefixes of all tables and the file. */
    public int prefixCount()
    {
        return snapshot.mainRoutes().size() + snapshot.localRoutes().size();
    }

    int rangeCount()
    {
        return ranges.size();
    }

    long rangeEnd(final int range)
    {
        return ranges.end(range);
    }

    Adjacency expected(final int range)
    {
        final Decision decision = ranges.decision(range);
        return decision == null ? NO_ROUTE : decision.adjacency();
    }

    private AddressRanges rangesOf(final Long2ObjectHashMap<KernelRoute> routes)
    {
        final long[] keys = new long[routes.size()];
        int count = 0;
        final Long2ObjectHashMap<KernelRoute>.KeyIterator iterator = routes.keySet().iterator();
        while (iterator.hasNext())
        {
            keys[count++] = iterator.nextLong();
        }
        return AddressRanges.sweep(keys, key ->
        {
            final KernelRoute route = routes.get(key);
            return decision(
                route.hasIpv6Gateway() ? KernelRoute.Kind.OTHER : route.kind(), route.interfaceIndex(),
                route.ipv4Gateway());
        });
    }

    private AddressRanges hosts(final AddressRanges main)
    {
        final Long2ObjectHashMap<Decision> hosts = new Long2ObjectHashMap<>();
        for (final List<Integer> neighbor : usableMacs.keySet())
        {
            final int interfaceIndex = neighbor.get(0);
            final int address = neighbor.get(1);
            final Decision around = main.at(address);
            if (around != null && around.isConnectedTo(interfaceIndex) &&
                portByInterface.containsKey(interfaceIndex) && !oldBroadcasts.contains(neighbor))
            {
                hosts.put(
                    RouteKey.of(address, Integer.SIZE),
                    decision(KernelRoute.Kind.UNICAST, interfaceIndex, address));
            }
        }
        return AddressRanges.sweep(
            hosts.keySet().stream().mapToLong(Long::longValue).toArray(), hosts::get);
    }

    private Decision decision(final KernelRoute.Kind kind, final int interfaceIndex, final int gateway)
    {
        return decisions.computeIfAbsent(
            List.of(kind, interfaceIndex, gateway), key -> new Decision(kind, interfaceIndex, gateway));
    }

    private Adjacency adjacencyOf(final Decision decision, final AddressRanges routed)
    {
        return switch (decision.kind())
        {
            case UNICAST -> decision.interfaceIndex() == Decision.ANY_INTERFACE ?
                throughConnected(decision, routed) :
                through(decision.interfaceIndex(), decision.gateway());
            case LOCAL -> Adjacency.of(AdjacencyKind.LOCAL);
            case BROADCAST -> Adjacency.of(AdjacencyKind.BROADCAST);
            case BLACKHOLE -> Adjacency.of(AdjacencyKind.BLACKHOLE);
            case UNREACHABLE -> Adjacency.of(AdjacencyKind.UNREACHABLE);
            case PROHIBIT -> Adjacency.of(AdjacencyKind.PROHIBIT);
            default -> Adjacency.of(AdjacencyKind.KERNEL);
        };
    }

    private Adjacency throughConnected(final Decision decision, final AddressRanges routed)
    {
        final Decision around = routed.at(decision.gateway());
        return around != null && around.isConnectedTo(around.interfaceIndex()) ?
            through(around.interfaceIndex(), decision.gateway()) : NO_ROUTE;
    }

    private Adjacency through(final int interfaceIndex, final int gateway)
    {
        final Integer port = portByInterface.get(interfaceIndex);
        if (port == null)
        {
            return Adjacency.of(AdjacencyKind.KERNEL);
        }
        final KernelLink link = snapshot.links().get(interfaceIndex);
        if (link == null || !link.up())
        {
            return Adjacency.of(AdjacencyKind.UNREACHABLE);
        }
        final Long mac = usableMacs.get(List.of(interfaceIndex, gateway));
        if (gateway == 0)
        {
            return Adjacency.glean(port, link.mtu());
        }
        return mac == null ?
            Adjacency.unresolved(port, IpAddress.of(gateway), link.mtu()) :
            Adjacency.forward(port, IpAddress.of(gateway), link.mtu(), mac, link.macAddress());
    }
}
