package org.fibnuma.fibnic.rib;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.BitSet;
import java.util.List;

/**
 * Programs the FIB from the RIB. The best route of each prefix is announced. A prefix of the local table hides all
 * routes inside it, because the kernel looks up the local table first. A usable neighbour in a connected network gets a
 * /32, unless its address is the network's {prefix, 0} and such addresses are not forwarded to.
 */
final class FibProgrammer
{
    private static final int HOST_LENGTH = 32;

    /** Most rows checked and routes removed in one slice of a sweep, each far below a millisecond. */
    private static final int SWEEP_ROWS = 16_384;
    private static final int SWEEP_REMOVALS = 256;

    private final Rib rib = new Rib();
    private final Int2ObjectHashMap<NextHop> hostRoutes = new Int2ObjectHashMap<>();
    private final LongArrayList wideLocalPrefixes = new LongArrayList();
    private final NextHopTable nextHops;
    private final NeighborTable neighbors;
    private final LinkTable links;
    private final InterfaceAddresses addresses;
    private final LocalAddresses localAddresses;
    private final Ipv4Fib fib;
    private int nextRowToSweep;
    private long routesTouched;
    private long fibWrites;
    private boolean forwardsOldBroadcasts;

    FibProgrammer(
        final NextHopTable nextHops,
        final NeighborTable neighbors,
        final LinkTable links,
        final InterfaceAddresses addresses,
        final LocalAddresses localAddresses,
        final Ipv4Fib fib)
    {
        this.nextHops = nextHops;
        this.neighbors = neighbors;
        this.links = links;
        this.addresses = addresses;
        this.localAddresses = localAddresses;
        this.fib = fib;
    }

    Rib rib()
    {
        return rib;
    }

    /** Routes that were added, replaced or removed since this was made. */
    long routesTouched()
    {
        return routesTouched;
    }

    /** Prefixes announced to the FIB or withdrawn from it since this was made. */
    long fibWrites()
    {
        return fibWrites;
    }

    /** Gives neighbours at {prefix, 0} of a connected network a /32 like all others. */
    void forwardOldBroadcasts()
    {
        forwardsOldBroadcasts = true;
    }

    /** Adds a route or replaces the one with the same prefix, source and metric. */
    void add(
        final long key,
        final RouteSource source,
        final int metric,
        final KernelRoute.Kind kind,
        final int interfaceIndex,
        final int gateway)
    {
        final int row = rib.find(key, source, metric);
        if (row != Rib.NONE && nextHops.get(rib.nextHop(row)).is(kind, interfaceIndex, gateway))
        {
            rib.mark(row);
            return;
        }
        routesTouched++;
        final NextHop nextHop = nextHops.acquire(kind, interfaceIndex, gateway);
        if (nextHop.isRecursive() && nextHop.references() == 1)
        {
            resolve(nextHop);
        }
        final NextHop before = bestOf(key);
        if (row == Rib.NONE)
        {
            rib.add(key, source, metric, nextHop.id());
            onChange(key, before);
        }
        else
        {
            final NextHop old = nextHops.get(rib.nextHop(row));
            rib.replaceNextHop(row, nextHop.id());
            onChange(key, before);
            nextHops.release(old);
        }
    }

    /** Removes a route if it exists. */
    void remove(final long key, final RouteSource source, final int metric)
    {
        final int row = rib.find(key, source, metric);
        if (row != Rib.NONE)
        {
            removeRow(row);
        }
    }

    /** Makes all routes of the kernel stale that are not added again after this call. */
    void nextGeneration()
    {
        rib.nextGeneration();
        nextRowToSweep = 0;
    }

    /** Removes some of the stale routes; returns true when none is left. */
    boolean sweep()
    {
        final int end = Math.min(rib.rowLimit(), nextRowToSweep + SWEEP_ROWS);
        int removals = 0;
        while (nextRowToSweep < end && removals < SWEEP_REMOVALS)
        {
            final int row = nextRowToSweep++;
            if (!rib.isFree(row) && rib.isStale(row) && rib.source(row) != RouteSource.FILE)
            {
                removeRow(row);
                removals++;
            }
        }
        return nextRowToSweep >= rib.rowLimit();
    }

    /** A neighbour was added, changed or removed. */
    void onNeighbor(final int interfaceIndex, final int address)
    {
        nextHops.beginChange();
        try
        {
            refreshNeighbor(interfaceIndex, address);
        }
        finally
        {
            nextHops.endChange();
        }
    }

    private void refreshNeighbor(final int interfaceIndex, final int address)
    {
        refresh(nextHops.find(KernelRoute.Kind.UNICAST, interfaceIndex, address));
        refresh(nextHops.find(KernelRoute.Kind.UNICAST, 0, address));
        updateHostRoute(address);
    }

    /** An address was added or removed, which changes whether {prefix, 0} of its network is a broadcast address. */
    void onAddress(final KernelAddress address)
    {
        updateHostRoute(address.address().ipv4() & Ipv4Address.mask(address.prefixLength()));
    }

    /** A link was added, changed or removed. */
    void onLink(final int interfaceIndex)
    {
        for (int id = 0; id < nextHops.idLimit(); id++)
        {
            final NextHop nextHop = nextHops.get(id);
            if (nextHop != null && nextHop.egressInterface() == interfaceIndex)
            {
                nextHops.refresh(nextHop);
            }
        }
    }

    /** An interface has become a port; its routes and neighbours may be in the tables already. */
    void onNewPort(final int interfaceIndex)
    {
        final BitSet adopted = new BitSet();
        for (int id = 0; id < nextHops.idLimit(); id++)
        {
            final NextHop nextHop = nextHops.get(id);
            if (nextHop != null && nextHop.key().interfaceIndex() == interfaceIndex && nextHops.adopt(nextHop))
            {
                adopted.set(id);
            }
        }
        for (int row = 0; !adopted.isEmpty() && row < rib.rowLimit(); row++)
        {
            if (!rib.isFree(row) && adopted.get(rib.nextHop(row)) && rib.head(rib.key(row)) == row)
            {
                program(rib.key(row));
            }
        }
        for (final KernelNeighbor neighbor : List.copyOf(neighbors.all()))
        {
            if (neighbor.interfaceIndex() == interfaceIndex)
            {
                updateHostRoute(neighbor.address().ipv4());
            }
        }
    }

    /** The next hop of the best route of a prefix, or null where it has none. */
    NextHop bestOf(final long key)
    {
        final int row = rib.head(key);
        return row == Rib.NONE ? null : nextHops.get(rib.nextHop(row));
    }

    private void refresh(final NextHop nextHop)
    {
        if (nextHop != null)
        {
            nextHops.refresh(nextHop);
        }
    }

    private void removeRow(final int row)
    {
        routesTouched++;
        final long key = rib.key(row);
        final NextHop before = bestOf(key);
        final NextHop removed = nextHops.get(rib.nextHop(row));
        rib.remove(row);
        onChange(key, before);
        nextHops.release(removed);
    }

    private void onChange(final long key, final NextHop before)
    {
        final NextHop after = bestOf(key);
        if (RouteKey.length(key) < HOST_LENGTH)
        {
            trackWideLocal(key);
        }
        if (before == after)
        {
            return;
        }
        program(key);
        if (neighbors.anyIn(key))
        {
            for (final KernelNeighbor neighbor : neighbors.in(key))
            {
                updateHostRoute(neighbor.address().ipv4());
            }
        }
        resolveRecursive(key);
    }

    private void program(final long key)
    {
        fibWrites++;
        final int prefix = RouteKey.prefix(key);
        final int length = RouteKey.length(key);
        NextHop nextHop = bestOf(key);
        if (length == HOST_LENGTH)
        {
            localAddresses.onHostRoute(prefix, nextHop);
            final NextHop host = hostRoutes.get(prefix);
            nextHop = host == null ? nextHop : host;
        }
        if (nextHop == null || isHidden(key))
        {
            fib.withdraw(prefix, length);
        }
        else
        {
            fib.announce(prefix, length, nextHop.adjacency());
        }
    }

    private void updateHostRoute(final int address)
    {
        nextHops.beginChange();
        try
        {
            changeHostRoute(address);
        }
        finally
        {
            nextHops.endChange();
        }
    }

    private void changeHostRoute(final int address)
    {
        final NextHop before = hostRoutes.get(address);
        final NextHop after = acquireHost(address);
        if (after == before)
        {
            if (after != null)
            {
                nextHops.release(after);
            }
            return;
        }
        if (after == null)
        {
            hostRoutes.remove(address);
        }
        else
        {
            hostRoutes.put(address, after);
        }
        program(RouteKey.of(address, HOST_LENGTH));
        if (before != null)
        {
            nextHops.release(before);
        }
    }

    private NextHop acquireHost(final int address)
    {
        final int interfaceIndex = connectedInterface(address);
        final int port = links.portOf(interfaceIndex);
        return port == LinkTable.NO_PORT || neighbors.usableMac(interfaceIndex, address) == 0 ||
            !forwardsOldBroadcasts && addresses.isOldBroadcast(port, address) ? null :
            nextHops.acquire(KernelRoute.Kind.UNICAST, interfaceIndex, address);
    }

    /** The interface of the connected network that contains an address by longest match, or 0. */
    private int connectedInterface(final int address)
    {
        final int row = rib.longestMatch(address, HOST_LENGTH);
        if (row == Rib.NONE || isHidden(rib.key(row)))
        {
            return 0;
        }
        final NextHop nextHop = nextHops.get(rib.nextHop(row));
        return nextHop.isConnected() ? nextHop.key().interfaceIndex() : 0;
    }

    /** Resolves the gateways again that a changed prefix covers. */
    private void resolveRecursive(final long key)
    {
        for (final NextHop nextHop : nextHops.recursiveIn(key))
        {
            resolve(nextHop);
        }
    }

    private void resolve(final NextHop nextHop)
    {
        nextHop.egressInterface(connectedInterface(nextHop.gateway()));
        nextHops.refresh(nextHop);
    }

    private boolean isHidden(final long key)
    {
        final int row = rib.head(key);
        if (row == Rib.NONE || rib.source(row) != RouteSource.LOCAL)
        {
            for (int i = 0; i < wideLocalPrefixes.size(); i++)
            {
                if (RouteKey.covers(wideLocalPrefixes.getLong(i), key))
                {
                    return true;
                }
            }
        }
        return false;
    }

    private void trackWideLocal(final long key)
    {
        final int row = rib.head(key);
        final boolean isLocal = row != Rib.NONE && rib.source(row) == RouteSource.LOCAL;
        if (isLocal != wideLocalPrefixes.containsLong(key))
        {
            if (isLocal)
            {
                wideLocalPrefixes.addLong(key);
            }
            else
            {
                wideLocalPrefixes.removeLong(key);
            }
            programInside(key);
        }
    }

    private void programInside(final long outer)
    {
        rib.forEachHeadIn(outer, this::program);
        for (final KernelNeighbor neighbor : neighbors.in(outer))
        {
            updateHostRoute(neighbor.address().ipv4());
        }
        resolveRecursive(outer);
    }
}
