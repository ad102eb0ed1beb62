package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Programs the FIB of one family from its RIB. The best route of each prefix is announced. A prefix of the local table
 * hides all routes inside it, because the kernel looks up the local table first. A usable neighbour in a connected
 * network gets a host route. Link-local addresses get none, because a router never forwards to them (RFC 4291 section
 * 2.5.6); {prefix, 0} of the network gets one with {@link #forwardOldBroadcasts()} only. Some prefixes are left to the
 * kernel with all routes inside them, except those of the local table.
 */
final class FibProgrammer
{
    /** Most rows checked and routes removed in one slice of a sweep, each far below a millisecond. */
    private static final int SWEEP_ROWS = 16_384;
    private static final int SWEEP_REMOVALS = 256;

    private final Rib rib;
    private final Map<IpAddress, NextHop> hostRoutes = new HashMap<>();
    private final List<IpPrefix> wideLocalPrefixes = new ArrayList<>();
    /** Left to the kernel, and the numbers of leading bits that occur among them. */
    private Set<IpPrefix> ofKernel = Set.of();
    private int[] bitsOfKernel = {};
    private final NextHopTable nextHops;
    private final NeighborTable neighbors;
    private final LinkTable links;
    private final InterfaceAddresses addresses;
    /** Null for a table beside main and local. */
    private final LocalAddresses localAddresses;
    private final FibWriter fib;
    private final Sweep kernelSweep = new Sweep(
        RouteSource.LOCAL_TOS, RouteSource.LOCAL, RouteSource.MAIN_TOS, RouteSource.MAIN);
    private final Sweep handedSweep = new Sweep(RouteSource.FPM);
    private long routesTouched;
    private long fibWrites;
    private boolean forwardsOldBroadcasts;

    FibProgrammer(
        final Rib rib,
        final FibWriter fib,
        final NextHopTable nextHops,
        final NeighborTable neighbors,
        final LinkTable links,
        final InterfaceAddresses addresses,
        final LocalAddresses localAddresses)
    {
        this.rib = rib;
        this.fib = fib;
        this.nextHops = nextHops;
        this.neighbors = neighbors;
        this.links = links;
        this.addresses = addresses;
        this.localAddresses = localAddresses;
    }

    Rib rib()
    {
        return rib;
    }

    /** Returns the number of routes that were added, replaced or removed. */
    long routesTouched()
    {
        return routesTouched;
    }

    /** Returns the number of prefixes that were announced to the FIB or withdrawn from it. */
    long fibWrites()
    {
        return fibWrites;
    }

    /** Gives a neighbour at {prefix, 0} of a connected network a host route like all others. */
    void forwardOldBroadcasts()
    {
        forwardsOldBroadcasts = true;
    }

    /**
     * Marks a route of the kernel if the RIB has it with the same next hop. Allocates no object, because almost all
     * routes of a dump are unchanged.
     *
     * @return whether the route was marked.
     */
    boolean confirm(final KernelRouteView route, final RouteSource source, final KernelRoute.Kind kind)
    {
        final int bits = route.isIpv6() ? route.prefixLength() : IpPrefix.IPV4_BITS + route.prefixLength();
        final int row = rib.find(route.prefixHigh(), route.prefixLow(), bits, source, route.metric());
        if (row == Rib.NONE || !nextHops.get(rib.nextHop(row)).key().isOf(kind, route))
        {
            return false;
        }
        rib.mark(row);
        return true;
    }

    /** Adds a route or replaces the one with the same prefix, source and metric. */
    void add(final IpPrefix prefix, final RouteSource source, final int metric, final NextHop.Key key)
    {
        final int row = rib.find(prefix, source, metric);
        if (row != Rib.NONE && nextHops.get(rib.nextHop(row)).key().equals(key))
        {
            rib.mark(row);
            return;
        }
        routesTouched++;
        final NextHop nextHop = nextHops.acquire(key);
        final NextHop before = bestOf(prefix);
        if (row == Rib.NONE)
        {
            rib.add(prefix, source, metric, nextHop.id());
            onChange(prefix, before);
        }
        else
        {
            final NextHop old = nextHops.get(rib.nextHop(row));
            rib.replaceNextHop(row, nextHop.id());
            onChange(prefix, before);
            nextHops.release(old);
        }
    }

    /** Removes a route if it exists. */
    void remove(final IpPrefix prefix, final RouteSource source, final int metric)
    {
        final int row = rib.find(prefix, source, metric);
        if (row != Rib.NONE)
        {
            removeRow(row);
        }
    }

    /** Returns the sweep of the kernel's routes after a dump. */
    Sweep kernelSweep()
    {
        return kernelSweep;
    }

    /** Returns the sweep of a routing daemon's routes after it has connected again. */
    Sweep handedSweep()
    {
        return handedSweep;
    }

    /** Removes the routes of some sources that were not reported again, in slices. */
    final class Sweep
    {
        private final RouteSource[] sources;
        private final Set<RouteSource> swept;
        private int nextRow;

        private Sweep(final RouteSource... sources)
        {
            this.sources = sources;
            this.swept = EnumSet.copyOf(List.of(sources));
        }

        /** Makes all routes of the sources stale until they are added again. */
        void nextGeneration()
        {
            for (final RouteSource source : sources)
            {
                rib.nextGeneration(source);
            }
            nextRow = 0;
        }

        /** Removes some of the stale routes; returns true when none is left. */
        boolean slice()
        {
            final int end = Math.min(rib.rowLimit(), nextRow + SWEEP_ROWS);
            int removals = 0;
            while (nextRow < end && removals < SWEEP_REMOVALS)
            {
                final int row = nextRow++;
                if (!rib.isFree(row) && rib.isStale(row) && swept.contains(rib.source(row)))
                {
                    removeRow(row);
                    removals++;
                }
            }
            return nextRow >= rib.rowLimit();
        }
    }

    /** A neighbour of the family was added, changed or removed. */
    void onNeighbor(final int interfaceIndex, final IpAddress address)
    {
        nextHops.change(() ->
        {
            nextHops.onNeighbor(interfaceIndex, address);
            updateHostRoute(address);
        });
    }

    /** An address was added or removed: {prefix, 0} of its network may have become a broadcast address, or be none. */
    void onAddress(final KernelAddress address)
    {
        updateHostRoute(IpPrefix.of(address.address(), address.prefixLength()).first());
    }

    /**
     * Programs the routes of an interface that has become a port.
     *
     * @param adopted from {@link NextHopTable#adopt}.
     */
    void onNewPort(final BitSet adopted)
    {
        for (int row = 0; !adopted.isEmpty() && row < rib.rowLimit(); row++)
        {
            if (!rib.isFree(row) && adopted.get(rib.nextHop(row)) && rib.head(rib.prefix(row)) == row)
            {
                program(rib.prefix(row));
            }
        }
    }

    /** Leaves prefixes of the family to the kernel, instead of those of the last call. */
    void leaveToKernel(final Set<IpPrefix> prefixes)
    {
        final Set<IpPrefix> changed = new TreeSet<>(ofKernel);
        changed.addAll(prefixes);
        changed.removeIf(prefix -> ofKernel.contains(prefix) && prefixes.contains(prefix));
        ofKernel = Set.copyOf(prefixes);
        bitsOfKernel = prefixes.stream().mapToInt(IpPrefix::bits).distinct().sorted().toArray();
        for (final IpPrefix prefix : changed)
        {
            program(prefix);
            rib.forEachHeadIn(prefix, this::program);
            neighbors.in(prefix).stream().map(KernelNeighbor::address).filter(hostRoutes::containsKey)
                .forEach(address -> program(IpPrefix.host(address)));
        }
    }

    /**
     * Moves the routes of some prefix lengths to the other FIB of the table, where {@link #endSplit} leaves them alone.
     *
     * @param split  what this programmer writes to.
     * @param length see {@link SplitFib#length()}.
     */
    void split(final SplitFib split, final int length)
    {
        final int before = split.length();
        split.length(length);
        forEachMoved(before, length, this::program);
    }

    /** Withdraws the routes that {@link #split} has moved from the FIB that they were in. */
    void endSplit(final SplitFib split, final int lengthBefore)
    {
        forEachMoved(lengthBefore, split.length(), split::withdrawOther);
    }

    private void forEachMoved(final int before, final int now, final Consumer<IpPrefix> consumer)
    {
        if (before != now)
        {
            final Consumer<IpPrefix> ifMoved = prefix ->
            {
                if (prefix.length() <= before != prefix.length() <= now)
                {
                    consumer.accept(prefix);
                }
            };
            rib.forEachHeadIn(rib.all(), ifMoved);
            ofKernel.forEach(ifMoved);
            hostRoutes.keySet().stream().map(IpPrefix::host).toList().forEach(ifMoved);
        }
    }

    Set<IpPrefix> prefixesOfKernel()
    {
        return ofKernel;
    }

    private boolean isOfKernel(final IpPrefix prefix)
    {
        for (int i = 0; i < bitsOfKernel.length && bitsOfKernel[i] <= prefix.bits(); i++)
        {
            if (ofKernel.contains(prefix.outer(bitsOfKernel[i])))
            {
                final int row = rib.head(prefix);
                return row == Rib.NONE || !rib.source(row).isLocal();
            }
        }
        return false;
    }

    /** Returns the next hop of the best route of a prefix, or null. */
    NextHop bestOf(final IpPrefix prefix)
    {
        final int row = rib.head(prefix);
        return row == Rib.NONE ? null : nextHops.get(rib.nextHop(row));
    }

    private void removeRow(final int row)
    {
        routesTouched++;
        final IpPrefix prefix = rib.prefix(row);
        final NextHop before = bestOf(prefix);
        final NextHop removed = nextHops.get(rib.nextHop(row));
        rib.remove(row);
        onChange(prefix, before);
        nextHops.release(removed);
    }

    private void onChange(final IpPrefix prefix, final NextHop before)
    {
        final NextHop after = bestOf(prefix);
        if (!prefix.isHost())
        {
            trackWideLocal(prefix);
        }
        if (before == after)
        {
            if (bitsOfKernel.length > 0)
            {
                // The route may have moved into the local table or out of it.
                program(prefix);
            }
            return;
        }
        program(prefix);
        if (neighbors.anyIn(prefix))
        {
            updateHostRoutes(prefix);
        }
        resolveRecursive(prefix);
    }

    private void program(final IpPrefix prefix)
    {
        fibWrites++;
        NextHop nextHop = bestOf(prefix);
        if (prefix.isHost())
        {
            if (localAddresses != null)
            {
                localAddresses.onHostRoute(prefix.first(), nextHop);
            }
            final NextHop host = hostRoutes.get(prefix.first());
            nextHop = host == null ? nextHop : host;
        }
        if (isOfKernel(prefix) && (nextHop != null || ofKernel.contains(prefix)) && !isHidden(prefix))
        {
            fib.announce(prefix, nextHops.puntAdjacency());
        }
        else if (nextHop == null || isHidden(prefix))
        {
            fib.withdraw(prefix);
        }
        else
        {
            fib.announce(prefix, nextHop.adjacency());
        }
    }

    private void updateHostRoutes(final IpPrefix prefix)
    {
        for (final KernelNeighbor neighbor : neighbors.in(prefix))
        {
            updateHostRoute(neighbor.address());
        }
    }

    /** Adds, changes or removes the host route to an address after a change of its neighbour, port or network. */
    void updateHostRoute(final IpAddress address)
    {
        nextHops.change(() -> changeHostRoute(address));
    }

    private void changeHostRoute(final IpAddress address)
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
        program(IpPrefix.host(address));
        if (before != null)
        {
            nextHops.release(before);
        }
    }

    /** Returns the next hop of the host route to an address, with the options of the route to its network, or null. */
    private NextHop acquireHost(final IpAddress address)
    {
        final NextHop.Key network = connectedNetwork(address);
        final int interfaceIndex = network == null ? 0 : network.interfaceIndex();
        final int number = links.numberOf(interfaceIndex);
        return number == LinkTable.NO_NUMBER || neighbors.usableMac(interfaceIndex, address) == 0 ||
            !forwardsOldBroadcasts && addresses.isOldBroadcast(number, address) ||
            Ipv6Address.isLinkLocal(address.high()) ? null :
            nextHops.acquire(NextHop.Key.via(interfaceIndex, address).with(network.options()));
    }

    /** Returns the next hop of the connected network that is the longest match of an address, or null. */
    private NextHop.Key connectedNetwork(final IpAddress address)
    {
        final int row = rib.longestMatch(address);
        if (row == Rib.NONE || isHidden(rib.prefix(row)))
        {
            return null;
        }
        final NextHop nextHop = nextHops.get(rib.nextHop(row));
        return nextHop.isConnected() ? nextHop.key() : null;
    }

    /** The gateways of the routes file and of a routing daemon are found in the main table. */
    private void resolveRecursive(final IpPrefix prefix)
    {
        if (localAddresses == null)
        {
            return;
        }
        for (final NextHop nextHop : nextHops.recursiveIn(prefix))
        {
            resolve(nextHop);
        }
    }

    /** Finds the egress interface of a gateway of the family that was configured without an interface. */
    void resolve(final NextHop nextHop)
    {
        final NextHop.Key network = connectedNetwork(nextHop.gateway());
        nextHop.egressInterface(network == null ? 0 : network.interfaceIndex());
        nextHops.refresh(nextHop);
    }

    private boolean isHidden(final IpPrefix prefix)
    {
        final int row = rib.head(prefix);
        if (row == Rib.NONE || !rib.source(row).isLocal())
        {
            for (int i = 0; i < wideLocalPrefixes.size(); i++)
            {
                if (wideLocalPrefixes.get(i).covers(prefix))
                {
                    return true;
                }
            }
        }
        return false;
    }

    private void trackWideLocal(final IpPrefix prefix)
    {
        final int row = rib.head(prefix);
        final boolean isLocal = row != Rib.NONE && rib.source(row).isLocal();
        if (isLocal != wideLocalPrefixes.contains(prefix))
        {
            if (isLocal)
            {
                wideLocalPrefixes.add(prefix);
            }
            else
            {
                wideLocalPrefixes.remove(prefix);
            }
            programInside(prefix);
        }
    }

    private void programInside(final IpPrefix outer)
    {
        rib.forEachHeadIn(outer, this::program);
        ofKernel.stream().filter(outer::covers).forEach(this::program);
        updateHostRoutes(outer);
        resolveRecursive(outer);
    }
}
