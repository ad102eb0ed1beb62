package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Next hops and their adjacencies. Those that send frames have an adjacency of their own, kept in step with the link
 * and the neighbour behind it; the others share one for each kind.
 */
final class NextHopTable
{
    private static final Logger LOG = LoggerFactory.getLogger(NextHopTable.class);

    private final LinkTable links;
    private final NeighborTable neighbors;
    private final AdjacencyTable adjacencies;
    private final AdjacencyIndexes indexes;
    private final Map<AdjacencyKind, Integer> sharedIndexes = new EnumMap<>(AdjacencyKind.class);
    private final Map<NextHop.Key, NextHop> byKey = new HashMap<>();
    private final NavigableMap<Long, NextHop> recursiveByGateway = new TreeMap<>();
    private final List<NextHop> byId = new ArrayList<>();
    private final Deque<Integer> freeIds = new ArrayDeque<>();
    private boolean exhaustionReported;

    NextHopTable(
        final LinkTable links,
        final NeighborTable neighbors,
        final AdjacencyTable adjacencies,
        final AdjacencyIndexes indexes)
    {
        this.links = links;
        this.neighbors = neighbors;
        this.adjacencies = adjacencies;
        this.indexes = indexes;
        for (final AdjacencyKind kind : List.of(
            AdjacencyKind.LOCAL, AdjacencyKind.BROADCAST, AdjacencyKind.KERNEL,
            AdjacencyKind.BLACKHOLE, AdjacencyKind.UNREACHABLE, AdjacencyKind.PROHIBIT))
        {
            final int index = indexes.allocate();
            sharedIndexes.put(kind, index);
            adjacencies.set(index, Adjacency.of(kind));
        }
    }

    /** The next hop of an id that some row holds. */
    NextHop get(final int id)
    {
        return byId.get(id);
    }

    /** The next hop with these properties, or null. */
    NextHop find(final NextHop.Key key)
    {
        return byKey.get(key);
    }

    /** All next hops; the iteration must not change the table. */
    Iterable<NextHop> all()
    {
        return byKey.values();
    }

    /** Those that name only a gateway, where the gateway lies in a prefix. */
    Collection<NextHop> recursiveIn(final long routeKey)
    {
        if (recursiveByGateway.isEmpty())
        {
            return List.of();
        }
        final long first = Integer.toUnsignedLong(RouteKey.prefix(routeKey));
        final long last = first + Integer.toUnsignedLong(~Ipv4Address.mask(RouteKey.length(routeKey)));
        return recursiveByGateway.subMap(first, true, last, true).values();
    }

    /** The next hop with these properties, made where there is none, with one reference more. */
    NextHop acquire(final NextHop.Key key)
    {
        NextHop nextHop = byKey.get(key);
        if (nextHop == null)
        {
            nextHop = create(key);
            byKey.put(key, nextHop);
            if (nextHop.isRecursive())
            {
                recursiveByGateway.put(Integer.toUnsignedLong(nextHop.gateway()), nextHop);
            }
        }
        nextHop.acquire();
        return nextHop;
    }

    /** Gives a reference back, after the FIB has stopped to yield it on its account. */
    void release(final NextHop nextHop)
    {
        if (nextHop.release() == 0)
        {
            byKey.remove(nextHop.key());
            if (nextHop.isRecursive())
            {
                recursiveByGateway.remove(Integer.toUnsignedLong(nextHop.gateway()));
            }
            byId.set(nextHop.id(), null);
            freeIds.push(nextHop.id());
            if (nextHop.ownsAdjacency())
            {
                indexes.retire(nextHop.adjacency());
            }
        }
    }

    /** Makes the adjacency say what link and neighbour say now. */
    void refresh(final NextHop nextHop)
    {
        if (nextHop.ownsAdjacency())
        {
            final Adjacency before = adjacencies.get(nextHop.adjacency());
            final Adjacency now = adjacencyOf(nextHop);
            if (!now.equals(before))
            {
                adjacencies.set(nextHop.adjacency(), now);
            }
        }
    }

    private NextHop create(final NextHop.Key key)
    {
        final boolean owns = key.kind() == KernelRoute.Kind.UNICAST &&
            (key.interfaceIndex() == 0 || links.portOf(key.interfaceIndex()) != LinkTable.NO_PORT);
        final int own = owns ? indexes.allocate() : AdjacencyIndexes.EXHAUSTED;
        if (owns && own == AdjacencyIndexes.EXHAUSTED && !exhaustionReported)
        {
            exhaustionReported = true;
            LOG.warn("more than {} next hops at once: the kernel forwards for the rest", byKey.size());
        }
        final boolean has = own != AdjacencyIndexes.EXHAUSTED;
        final int id = freeIds.isEmpty() ? byId.size() : freeIds.pop();
        final NextHop nextHop =
            new NextHop(id, key, has ? own : sharedIndexes.get(sharedKindOf(key.kind())), has);
        if (id == byId.size())
        {
            byId.add(nextHop);
        }
        else
        {
            byId.set(id, nextHop);
        }
        if (has)
        {
            adjacencies.set(own, adjacencyOf(nextHop));
        }
        return nextHop;
    }

    private Adjacency adjacencyOf(final NextHop nextHop)
    {
        final int interfaceIndex = nextHop.egressInterface();
        if (interfaceIndex == 0)
        {
            return Adjacency.of(AdjacencyKind.NO_ROUTE);
        }
        final int port = links.portOf(interfaceIndex);
        if (port == LinkTable.NO_PORT)
        {
            return Adjacency.of(AdjacencyKind.KERNEL);
        }
        final KernelLink link = links.get(interfaceIndex);
        if (link == null || !link.up())
        {
            return Adjacency.of(AdjacencyKind.UNREACHABLE);
        }
        if (nextHop.gateway() == 0)
        {
            return Adjacency.glean(port, link.mtu());
        }
        final long mac = neighbors.usableMac(interfaceIndex, nextHop.gateway());
        return mac == 0 ?
            Adjacency.unresolved(port, nextHop.gateway(), link.mtu()) :
            Adjacency.forward(port, nextHop.gateway(), link.mtu(), mac, link.macAddress());
    }

    private static AdjacencyKind sharedKindOf(final KernelRoute.Kind kind)
    {
        switch (kind)
        {
            case LOCAL:
                return AdjacencyKind.LOCAL;
            case BROADCAST:
                return AdjacencyKind.BROADCAST;
            case BLACKHOLE:
                return AdjacencyKind.BLACKHOLE;
            case UNREACHABLE:
                return AdjacencyKind.UNREACHABLE;
            case PROHIBIT:
                return AdjacencyKind.PROHIBIT;
            default:
                return AdjacencyKind.KERNEL;
        }
    }
}
