package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Next hops of the routes of both families, and their adjacencies. A next hop that sends frames has an adjacency of its
 * own, updated with its link and neighbour; the others share one for each kind. The next hops of a route that has
 * several are a next hop too, a group. A group leaves out members whose link is down or whose neighbour did not answer.
 */
final class NextHopTable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(NextHopTable.class);

    private final LinkTable links;
    private final NeighborTable neighbors;
    private final AdjacencyTable adjacencies;
    private final AdjacencyIndexes indexes;
    private final Map<AdjacencyKind, Integer> sharedIndexes = new EnumMap<>(AdjacencyKind.class);
    private final Map<NextHop.Key, NextHop> byKey = new HashMap<>();
    /** The next hops of each neighbour, by its key without options. */
    private final Map<NextHop.Key, List<NextHop>> byNeighbor = new HashMap<>();
    private final NavigableMap<IpAddress, NextHop> recursiveByGateway = new TreeMap<>();
    private final List<NextHop> byId = new ArrayList<>();
    private final Deque<Integer> freeIds = new ArrayDeque<>();
    private final List<NextHop> resilientGroups = new ArrayList<>();
    /** The latest resilient group of each number. */
    private final Map<Integer, NextHop> latestResilient = new HashMap<>();
    private boolean exhaustionReported;
    private long adjacencyWrites;

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
            AdjacencyKind.LOCAL, AdjacencyKind.BROADCAST, AdjacencyKind.KERNEL, AdjacencyKind.PUNT,
            AdjacencyKind.BLACKHOLE, AdjacencyKind.UNREACHABLE, AdjacencyKind.PROHIBIT))
        {
            final int index = indexes.allocate();
            sharedIndexes.put(kind, index);
            adjacencies.set(index, Adjacency.of(kind));
        }
    }

    /** Returns the members of the group that has an adjacency; empty if there is none. */
    List<MemberView> membersOf(final int adjacency)
    {
        for (final NextHop nextHop : byId)
        {
            if (nextHop != null && nextHop.group() != null && nextHop.adjacency() == adjacency)
            {
                return nextHop.group().views();
            }
        }
        return List.of();
    }

    /** Returns the index of the adjacency that leaves frames to the kernel. */
    int puntAdjacency()
    {
        return sharedAdjacency(AdjacencyKind.PUNT);
    }

    /** Returns the index of the adjacency of a kind that all next hops of the kind share. */
    int sharedAdjacency(final AdjacencyKind kind)
    {
        return sharedIndexes.get(kind);
    }

    /** Runs a change of a neighbour between {@link AdjacencyTable#beginChange()} and its end; may be nested. */
    void change(final Runnable change)
    {
        adjacencies.beginChange();
        try
        {
            change.run();
        }
        finally
        {
            adjacencies.endChange();
        }
    }

    /** Returns the next hop of an id; null if the id is free. */
    NextHop get(final int id)
    {
        return byId.get(id);
    }

    NextHop find(final NextHop.Key key)
    {
        return byKey.get(key);
    }

    /** Returns the highest id plus 1; {@link #get} returns null for free ids. */
    int idLimit()
    {
        return byId.size();
    }

    /** Returns the number of adjacencies in use, without "no route". */
    int adjacencyCount()
    {
        return indexes.used();
    }

    long adjacencyWrites()
    {
        return adjacencyWrites;
    }

    /** Returns the next hops of the routes file whose gateway is in a prefix. */
    Collection<NextHop> recursiveIn(final IpPrefix prefix)
    {
        if (recursiveByGateway.isEmpty())
        {
            return List.of();
        }
        return recursiveByGateway.subMap(prefix.first(), true, prefix.last(), true).values().stream()
            .filter(nextHop -> prefix.contains(nextHop.gateway())).toList();
    }

    /** Returns the next hop of a key, created if there is none, and adds a reference. */
    NextHop acquire(final NextHop.Key key)
    {
        NextHop nextHop = find(key);
        if (nextHop == null)
        {
            nextHop = create(key);
            byKey.put(key, nextHop);
            if (key.isNeighbor())
            {
                byNeighbor.computeIfAbsent(key.with(RouteOptions.NONE), absent -> new ArrayList<>(1)).add(nextHop);
            }
            if (nextHop.isRecursive())
            {
                recursiveByGateway.put(nextHop.gateway(), nextHop);
            }
        }
        nextHop.acquire();
        return nextHop;
    }

    /** Releases a reference. The FIB must have stopped returning the adjacency for the route of this reference. */
    void release(final NextHop nextHop)
    {
        if (nextHop.release() == 0)
        {
            byKey.remove(nextHop.key());
            if (nextHop.key().isNeighbor())
            {
                byNeighbor.computeIfPresent(nextHop.key().with(RouteOptions.NONE), (key, all) ->
                    all.remove(nextHop) && all.isEmpty() ? null : all);
            }
            if (nextHop.isRecursive())
            {
                recursiveByGateway.remove(nextHop.gateway());
            }
            byId.set(nextHop.id(), null);
            freeIds.push(nextHop.id());
            if (nextHop.ownsAdjacency())
            {
                // No group may stay in the table, because workers test whether it has any.
                final int index = nextHop.adjacency();
                final boolean isGroup = nextHop.group() != null;
                indexes.retire(index, () ->
                {
                    if (isGroup)
                    {
                        adjacencies.set(index, Adjacency.of(AdjacencyKind.NO_ROUTE));
                    }
                });
            }
            if (nextHop.group() != null)
            {
                releaseMembers(nextHop);
            }
        }
    }

    /** The adjacencies of the members are reused only when no worker holds the buckets of the group. */
    private void releaseMembers(final NextHop group)
    {
        resilientGroups.remove(group);
        latestResilient.values().remove(group);
        for (final NextHop member : group.group().members())
        {
            member.removeGroup(group);
            release(member);
        }
    }

    /** Moves idle buckets of resilient groups whose members have other shares than their weights. */
    void balanceGroups(final long timeMs)
    {
        for (int i = 0; i < resilientGroups.size(); i++)
        {
            final NextHop group = resilientGroups.get(i);
            if (group.group().balance(timeMs))
            {
                set(group.adjacency(), adjacencyOf(group));
            }
        }
    }

    /** Makes a neighbour due for a request, because it has become usable or unusable. */
    void requestNow(final int interfaceIndex, final IpAddress gateway)
    {
        for (final NextHop direct : nextHopsVia(interfaceIndex, gateway))
        {
            direct.requestNow();
        }
        for (final NextHop recursive : nextHopsVia(0, gateway))
        {
            recursive.requestNow();
        }
    }

    /** Returns the next hops of a neighbour on an interface, or with interface 0 those of the routes file. */
    private List<NextHop> nextHopsVia(final int interfaceIndex, final IpAddress gateway)
    {
        return byNeighbor.getOrDefault(NextHop.Key.via(interfaceIndex, gateway), List.of());
    }

    /**
     * Gives the next hops of an interface that has become a port adjacencies of their own; returns the ids of those
     * whose adjacency index has changed.
     */
    BitSet adopt(final int interfaceIndex)
    {
        final BitSet adopted = new BitSet();
        for (final NextHop nextHop : byId)
        {
            if (nextHop != null && nextHop.key().interfaceIndex() == interfaceIndex && adopt(nextHop))
            {
                adopted.set(nextHop.id());
            }
        }
        return adopted;
    }

    private boolean adopt(final NextHop nextHop)
    {
        if (nextHop.ownsAdjacency() || nextHop.key().kind() != KernelRoute.Kind.UNICAST)
        {
            return false;
        }
        final int own = indexes.allocate();
        if (own == AdjacencyIndexes.EXHAUSTED)
        {
            reportExhaustion();
            return false;
        }
        nextHop.own(own);
        set(own, adjacencyOf(nextHop));
        for (final NextHop group : nextHop.groups())
        {
            group.group().update(this::isUsable);
            set(group.adjacency(), adjacencyOf(group));
        }
        return true;
    }

    /** Updates the adjacencies of an interface after a change of its link. */
    void onLink(final int interfaceIndex)
    {
        for (final NextHop nextHop : byId)
        {
            if (nextHop != null && nextHop.egressInterface() == interfaceIndex)
            {
                refresh(nextHop);
                updateGroups(nextHop);
                nextHop.requestNow();
            }
        }
    }

    private void updateGroups(final NextHop member)
    {
        for (final NextHop group : member.groups())
        {
            if (group.group().update(this::isUsable))
            {
                set(group.adjacency(), adjacencyOf(group));
            }
        }
    }

    /** A next hop without an interface, which only the kernel can use, is always usable. */
    private boolean isUsable(final NextHop member)
    {
        final KernelLink link = links.get(member.egressInterface());
        return link == null ? !member.ownsAdjacency() : link.up() && !member.isFailed();
    }

    /** Updates the adjacencies to a neighbour after its change. */
    void onNeighbor(final int interfaceIndex, final IpAddress address)
    {
        for (final NextHop direct : nextHopsVia(interfaceIndex, address))
        {
            refresh(direct);
            direct.failed(isFailed(direct));
            updateGroups(direct);
        }
        nextHopsVia(0, address).forEach(this::refresh);
    }

    /** A neighbour that has failed counts as failed while the kernel requests it again, and after its removal. */
    private boolean isFailed(final NextHop nextHop)
    {
        final KernelNeighbor neighbor = neighbors.get(nextHop.egressInterface(), nextHop.gateway());
        return neighbor != null && neighbor.state() == KernelNeighbor.State.FAILED ||
            nextHop.isFailed() && (neighbor == null || !neighbor.isUsable());
    }

    /** Writes the adjacency of a next hop if it has changed. */
    void refresh(final NextHop nextHop)
    {
        if (nextHop.ownsAdjacency())
        {
            final Adjacency before = adjacencies.get(nextHop.adjacency());
            final Adjacency now = adjacencyOf(nextHop);
            if (!now.equals(before))
            {
                set(nextHop.adjacency(), now);
            }
        }
    }

    private NextHop create(final NextHop.Key key)
    {
        final boolean owns = key.kind() == KernelRoute.Kind.UNICAST &&
            (key.interfaceIndex() == 0 || links.numberOf(key.interfaceIndex()) != LinkTable.NO_NUMBER);
        final int own = owns ? indexes.allocate() : AdjacencyIndexes.EXHAUSTED;
        if (owns && own == AdjacencyIndexes.EXHAUSTED)
        {
            reportExhaustion();
        }
        final boolean has = own != AdjacencyIndexes.EXHAUSTED;
        final int id = freeIds.isEmpty() ? byId.size() : freeIds.pop();
        final NextHop nextHop =
            new NextHop(id, key, has ? own : sharedIndexes.get(sharedKindOf(key.kind())), has, nextRequestOf(key));
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
            if (key.multipath() != null)
            {
                acquireMembers(nextHop);
            }
            nextHop.failed(isFailed(nextHop));
            set(own, adjacencyOf(nextHop));
        }
        return nextHop;
    }

    private NextHop.RequestTime nextRequestOf(final NextHop.Key key)
    {
        final List<NextHop> others =
            key.isNeighbor() ? nextHopsVia(key.interfaceIndex(), key.gateway()) : List.<NextHop>of();
        return others.isEmpty() ? new NextHop.RequestTime() : others.get(0).nextRequest();
    }

    private void acquireMembers(final NextHop nextHop)
    {
        final KernelMultipath multipath = nextHop.key().multipath();
        final List<NextHop> members = new ArrayList<>();
        for (final KernelMultipath.Hop hop : multipath.hops())
        {
            final NextHop member = acquire(new NextHop.Key(
                hop.kind(), hop.interfaceIndex(), hop.gateway(), null,
                hop.kind() == KernelRoute.Kind.UNICAST ? nextHop.key().options() : RouteOptions.NONE));
            member.addGroup(nextHop);
            members.add(member);
        }
        final KernelMultipath.Resilience resilience = multipath.resilience();
        final NextHop previous = resilience == null ? null : latestResilient.put(resilience.groupId(), nextHop);
        nextHop.group(new NextHopGroup(multipath, members, previous == null ? null : previous.group()));
        nextHop.group().update(this::isUsable);
        if (resilience != null)
        {
            resilientGroups.add(nextHop);
        }
    }

    private void reportExhaustion()
    {
        if (!exhaustionReported)
        {
            exhaustionReported = true;
            LOGGER.warn("more than {} next hops at once: the kernel forwards for the rest",
                byId.size() - freeIds.size());
        }
    }

    private void set(final int index, final Adjacency adjacency)
    {
        adjacencies.set(index, adjacency);
        adjacencyWrites++;
    }

    private Adjacency adjacencyOf(final NextHop nextHop)
    {
        if (nextHop.group() != null)
        {
            return Adjacency.group(nextHop.group().adjacencies());
        }
        final int interfaceIndex = nextHop.egressInterface();
        if (interfaceIndex == 0)
        {
            return Adjacency.of(AdjacencyKind.NO_ROUTE);
        }
        final int number = links.numberOf(interfaceIndex);
        if (number == LinkTable.NO_NUMBER || !links.isSentBy(number))
        {
            return Adjacency.of(AdjacencyKind.KERNEL);
        }
        final KernelLink link = links.get(interfaceIndex);
        if (link == null || !link.up())
        {
            return Adjacency.of(AdjacencyKind.UNREACHABLE);
        }
        final RouteOptions options = nextHop.key().options();
        final int ipv6Mtu = links.ipv6Mtu(interfaceIndex);
        if (nextHop.gateway().isNone())
        {
            return Adjacency.glean(number, link.mtu()).with(options, ipv6Mtu);
        }
        final long mac = neighbors.usableMac(interfaceIndex, nextHop.gateway());
        final Adjacency adjacency = mac == 0 ?
            Adjacency.unresolved(number, nextHop.gateway(), link.mtu()) :
            Adjacency.forward(number, nextHop.gateway(), link.mtu(), mac, link.macAddress());
        return adjacency.with(options, ipv6Mtu);
    }

    private static AdjacencyKind sharedKindOf(final KernelRoute.Kind kind)
    {
        return switch (kind)
        {
            case LOCAL -> AdjacencyKind.LOCAL;
            case BROADCAST -> AdjacencyKind.BROADCAST;
            case BLACKHOLE -> AdjacencyKind.BLACKHOLE;
            case UNREACHABLE -> AdjacencyKind.UNREACHABLE;
            case PROHIBIT -> AdjacencyKind.PROHIBIT;
            case UNICAST -> AdjacencyKind.KERNEL;
            default -> AdjacencyKind.PUNT;
        };
    }
}
