package org.fibnuma.fibnic.rib;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceRules;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.fib.TableFib;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The control plane's tables. They apply each event of the kernel to the RIBs, FIBs, adjacencies, interfaces and the
 * ports' local addresses. IPv6 events are ignored until {@link #forwardIpv6()}. Control thread only.
 */
public final class RoutingTables implements KernelNetworkListener
{
    private final Shared shared;
    private final LinkTable links;
    private final NeighborTable neighbors = new NeighborTable();
    private final InterfaceAddresses addresses;
    private final InterfaceTable interfaces;
    private final NextHopTable nextHops;
    private final FibProgrammer ipv4;
    private final FibProgrammer ipv6;
    private final PolicyRouting policyRouting;
    private final LocalAddresses localAddresses;
    private final RouteTranslation translation = new RouteTranslation();
    private final HandedRoutes handedRoutes = new HandedRoutes(this);
    private VlanSettings vlanSettings = VlanSettings.DEFAULT;
    private boolean isDumping;
    private boolean forwardsOldBroadcasts;
    private long dumps;
    private long portChanges;

    /**
     * Creates tables without routes, neighbours and addresses.
     *
     * @param ports  get the local addresses.
     * @param links  with the interfaces of these ports.
     * @param shared tables that the workers read and only this object writes.
     */
    public RoutingTables(final List<? extends Port> ports, final LinkTable links, final Shared shared)
    {
        this.shared = shared;
        this.links = links;
        this.interfaces = shared.interfaces();
        this.addresses = new InterfaceAddresses(links, interfaces, ports);
        this.nextHops = new NextHopTable(
            links, neighbors, shared.adjacencies(), new AdjacencyIndexes(shared.epochs()));
        this.localAddresses = new LocalAddresses(ports, shared.interfaces().hostAddresses());
        this.policyRouting = new PolicyRouting(shared.epochs(), nextHops, FibWriter.of(shared.fib()),
            FibWriter.of(shared.ipv6Fib()), (isIpv6, fib) -> newProgrammer(isIpv6, fib, null));
        this.ipv4 = newProgrammer(false, policyRouting.mainFib(false), localAddresses);
        this.ipv6 = newProgrammer(true, policyRouting.mainFib(true), localAddresses);
        policyRouting.main(ipv4, ipv6);
        addresses.rules(this::rulesOf);
    }

    private FibProgrammer newProgrammer(final boolean isIpv6, final FibWriter fib, final LocalAddresses local)
    {
        final FibProgrammer programmer =
            new FibProgrammer(new Rib(isIpv6), fib, nextHops, neighbors, links, addresses, local);
        if (forwardsOldBroadcasts && !isIpv6)
        {
            programmer.forwardOldBroadcasts();
        }
        if (local == null)
        {
            programmer.leaveToKernel(programmer(isIpv6).prefixesOfKernel());
        }
        return programmer;
    }

    private InterfaceRules rulesOf(final int interfaceIndex)
    {
        final KernelLink link = links.get(interfaceIndex);
        return policyRouting.of(link == null ? "" : link.name());
    }

    /**
     * The tables that the control thread writes and the workers read.
     *
     * @param fib         IPv4 destination to adjacency index.
     * @param ipv6Fib     IPv6 destination to adjacency index.
     * @param adjacencies index to next hop.
     * @param interfaces  of the router, by number.
     * @param epochs      of the workers.
     */
    public record Shared(
        Ipv4Fib fib, Ipv6Fib ipv6Fib, AdjacencyTable adjacencies, InterfaceTable interfaces, ReaderEpochs epochs)
    {
    }

    /**
     * The cost of all changes since the tables were made. A change that does not concern the whole table adds little
     * for any number of routes.
     *
     * @param dumps           full dumps of the kernel.
     * @param routesTouched   routes that were added, replaced or removed.
     * @param fibWrites       prefixes announced to the FIB or withdrawn from it.
     * @param adjacencyWrites adjacencies that were written.
     */
    public record Work(long dumps, long routesTouched, long fibWrites, long adjacencyWrites)
    {
    }

    /** Returns the number of adjacencies in use, at most {@link AdjacencyTable#CAPACITY} - 1. */
    public int adjacencyCount()
    {
        return nextHops.adjacencyCount();
    }

    /** Returns the cost of all changes. */
    public Work work()
    {
        return new Work(
            dumps,
            sumOf(FibProgrammer::routesTouched),
            sumOf(FibProgrammer::fibWrites),
            nextHops.adjacencyWrites());
    }

    private long sumOf(final ToLongFunction<FibProgrammer> figure)
    {
        return figure.applyAsLong(ipv4) + figure.applyAsLong(ipv6) +
            policyRouting.programmers().stream().mapToLong(figure).sum();
    }

    /**
     * Adds a route of the routes file, or replaces the file's last route for the prefix. Routes of other sources for
     * this prefix are preferred.
     *
     * @param prefix  of the destinations.
     * @param gateway next hop, not link-local, of either family (RFC 8950). The route has the egress interface of the
     *                connected network that contains the gateway. While there is none, it counts as no route.
     */
    public void addFileRoute(final IpPrefix prefix, final IpAddress gateway)
    {
        final NextHop.Key key = NextHop.Key.via(0, gateway);
        final NextHop known = nextHops.find(key);
        programmer(prefix.isIpv6()).add(prefix, RouteSource.FILE, 0, key);
        if (known == null)
        {
            programmer(!gateway.isIpv4()).resolve(nextHops.find(key));
        }
    }

    /** Sets whether the router sends redirects to the networks of an interface, by its number; initially false. */
    public void sendRedirects(final int number, final boolean send)
    {
        addresses.sendRedirects(number, send);
    }

    /** Sets what the kernel does not report about VLAN interfaces. To be called before the first dump. */
    public void vlanSettings(final VlanSettings settings)
    {
        vlanSettings = settings;
    }

    /** Sets the policy of the host for packets received by a VLAN interface of the router, by its number. */
    public void vlanPolicy(final int number, final InterfacePolicy policy)
    {
        addresses.policy(number, policy);
    }

    /**
     * Forwards frames to {prefix, 0} of a connected network to a neighbour that has this address; by default they are
     * not forwarded (RFC 1812 section 4.2.3.1). To be called before the first dump.
     */
    public void forwardOldBroadcasts()
    {
        forwardsOldBroadcasts = true;
        ipv4.forwardOldBroadcasts();
    }

    /**
     * Follows the kernel's IPv6 routes, addresses and neighbours. By default they are ignored, and IPv4 routes by IPv6
     * next hops are left to the kernel. To be called before the first dump.
     */
    public void forwardIpv6()
    {
        translation.forwardIpv6();
    }

    /** Returns whether IPv6 is followed, see {@link #forwardIpv6()}. */
    public boolean forwardsIpv6()
    {
        return translation.forwardsIpv6();
    }

    /**
     * A port has lost its device or attached to another one. While a port has no device, frames to its interface are
     * left to the kernel.
     *
     * @param port           index of the port.
     * @param interfaceIndex kernel's index of the interface by which the port receives and sends, 0 for none.
     */
    public void onPort(final int port, final int interfaceIndex)
    {
        portChanges++;
        links.carrier(port, interfaceIndex);
        onEgress(port, links.interfaceOf(port));
    }

    /**
     * Leaves frames to the kernel by egress: those of interfaces and of the VLAN interfaces above them.
     *
     * @param interfaceIndexes of the kernel; frames with other egress interfaces are forwarded.
     */
    public void leaveToKernel(final Set<Integer> interfaceIndexes)
    {
        links.leave(interfaceIndexes).forEach(changed -> onEgress(links.numberOf(changed), changed));
    }

    /**
     * Leaves frames to the kernel by destination, without regard to their routes. Where sources are checked, frames
     * from these addresses are left to it too, see {@link InterfacePolicy#reversePath()}.
     *
     * @param prefixes of both families; frames to other addresses are forwarded.
     */
    public void leavePrefixesToKernel(final Set<IpPrefix> prefixes)
    {
        leavePrefixesToKernel(
            false, prefixes.stream().filter(prefix -> !prefix.isIpv6()).collect(Collectors.toSet()));
        leavePrefixesToKernel(true, prefixes.stream().filter(IpPrefix::isIpv6).collect(Collectors.toSet()));
    }

    private void leavePrefixesToKernel(final boolean isIpv6, final Set<IpPrefix> prefixes)
    {
        programmer(isIpv6).leaveToKernel(prefixes);
        policyRouting.forEach(isIpv6, further -> further.leaveToKernel(prefixes));
    }

    /**
     * Routes packets by rules of policy routing instead of those before.
     *
     * @param rules of both families in the order in which the kernel applies them; without any, all packets are routed
     *              by the main table.
     * @return the rules whose packets are left to the kernel.
     */
    public List<KernelRule> rules(final List<KernelRule> rules)
    {
        if (!rules.equals(policyRouting.rules()))
        {
            policyRouting.apply(rules, this::publishRules);
        }
        return rules.stream().filter(policyRouting::isLeft).toList();
    }

    private void publishRules()
    {
        interfaces.ownRules(policyRouting.of(PolicyRouting.OWN));
        links.interfaces().forEach(addresses::publish);
    }

    private void updateRules()
    {
        if (!isDumping && policyRouting.isDue())
        {
            policyRouting.apply(policyRouting.rules(), this::publishRules);
        }
    }

    /** Returns the prefixes of {@link #leavePrefixesToKernel}. */
    public Set<IpPrefix> prefixesOfKernel()
    {
        final Set<IpPrefix> prefixes = new HashSet<>(ipv4.prefixesOfKernel());
        prefixes.addAll(ipv6.prefixesOfKernel());
        return prefixes;
    }

    /** An interface and the VLAN interfaces above it have begun or ceased to send frames. */
    private void onEgress(final int number, final int interfaceIndex)
    {
        nextHops.onLink(interfaceIndex);
        for (final int vlan : links.vlans().interfaces())
        {
            if (InterfaceNumber.portOf(links.numberOf(vlan)) == number)
            {
                nextHops.onLink(vlan);
            }
        }
    }

    /**
     * Gives a port another interface of the kernel. Frames to it are left to the kernel until {@link #onPort}.
     *
     * @param port           index of the port, which leaves the interface that it has.
     * @param interfaceIndex kernel's index of the interface.
     * @param name           of the interface. If it is deleted, the port takes the next interface of this name.
     */
    public void takeInterface(final int port, final int interfaceIndex, final String name)
    {
        final int old = links.interfaceOf(port);
        links.assign(port, interfaceIndex, name);
        if (old != interfaceIndex)
        {
            onLeft(old);
        }
        portChanges++;
        nextHops.onLink(interfaceIndex);
        onNewPort(interfaceIndex);
        addresses.publish(interfaceIndex);
        addresses.publishSources();
        updateVlans(interfaceIndex);
    }

    /** Takes its interface from a port, see {@link #takeInterface}. */
    public void leaveInterface(final int port)
    {
        final int old = links.interfaceOf(port);
        links.release(port);
        portChanges++;
        onLeft(old);
    }

    /** An interface of the kernel has ceased to be a port; 0 for none. */
    private void onLeft(final int interfaceIndex)
    {
        if (interfaceIndex != 0)
        {
            nextHops.onLink(interfaceIndex);
            updateHostRoutes(interfaceIndex);
            updateVlans(interfaceIndex);
            addresses.publishSources();
        }
    }

    /**
     * Sets the IPv6 MTU of an interface ({@code net.ipv6.conf.IF.mtu}) until the MTU of its link changes: then the
     * kernel sets it again.
     *
     * @param interfaceIndex of the kernel.
     * @param mtu            in bytes; the MTU of the link is its upper bound.
     */
    public void ipv6Mtu(final int interfaceIndex, final int mtu)
    {
        if (links.ipv6Mtu(interfaceIndex, mtu))
        {
            nextHops.onLink(interfaceIndex);
        }
    }

    /** Passes all addresses of this host to a new port. */
    public void announceAddresses(final Port port)
    {
        localAddresses.announce(port);
    }

    /** Returns how often a port has lost its device or attached to another one; never decreases. */
    public long portChanges()
    {
        return portChanges;
    }

    @Override
    public void onDumpStart()
    {
        links.onDumpStart();
        neighbors.onDumpStart();
        addresses.onDumpStart();
        isDumping = true;
        forEachProgrammer(programmer -> programmer.kernelSweep().nextGeneration());
        dumps++;
    }

    @Override
    public boolean onDumpSweep()
    {
        boolean swept = ipv4.kernelSweep().slice() && ipv6.kernelSweep().slice();
        for (final FibProgrammer further : policyRouting.programmers())
        {
            swept = swept && further.kernelSweep().slice();
        }
        return swept;
    }

    @Override
    public void onDumpEnd()
    {
        neighbors.stale().forEach(neighbor -> onNeighbor(neighbor, false));
        addresses.stale().forEach(address -> onAddress(address, false));
        links.stale().forEach(link -> onLink(link, false));
        isDumping = false;
        addresses.onDumpEnd();
        interfaces.vlans(links.vlans().table());
        boolean swept;
        do
        {
            swept = onDumpSweep();
        }
        while (!swept);
        updateRules();
    }

    @Override
    public void onLink(final KernelLink link, final boolean present)
    {
        final KernelLink before = present ? links.put(link) : links.remove(link.index());
        final KernelLink awaited = present ? null : links.awaitedBy(link.index());
        if (awaited != null)
        {
            // The deleted interface had the name of this one, whose event came before.
            onLink(awaited, true);
        }
        final int port = present ? links.portToBecome(link) : LinkTable.NO_PORT;
        if (port != LinkTable.NO_PORT)
        {
            final int old = links.interfaceOf(port);
            links.move(port, link.index());
            nextHops.onLink(old);
            onNewPort(link.index());
            addresses.publishSources();
        }
        if (!link.equals(before) || !present || port != LinkTable.NO_PORT)
        {
            addresses.publish(link.index());
            nextHops.onLink(link.index());
            if (before == null || !present || port != LinkTable.NO_PORT || before.macAddress() != link.macAddress() ||
                !Objects.equals(before.vlan(), link.vlan()))
            {
                updateVlans(link.index());
            }
        }
    }

    /** Begins and ends VLAN interfaces after a change of a link: that of the VLAN interface or one below it. */
    private void updateVlans(final int interfaceIndex)
    {
        final Map<Integer, Integer> before = new HashMap<>();
        links.vlans().interfaces().forEach(vlan -> before.put(vlan, links.numberOf(vlan)));
        final List<Integer> changed = links.vlans().update(interfaceIndex);
        for (final int vlan : changed)
        {
            final int number = links.numberOf(vlan);
            if (before.containsKey(vlan))
            {
                addresses.leaveVlan(before.get(vlan));
            }
            if (number != LinkTable.NO_NUMBER)
            {
                vlanSettings.onBegin().accept(number);
                addresses.begin(number, links.vlans().identityOf(vlan), VlanTag.withPcp(
                    links.vlans().tagsOf(vlan), vlanSettings.pcp().applyAsInt(InterfaceNumber.portOf(number), vlan)),
                    vlanSettings.policy());
            }
        }
        if (!changed.isEmpty() && !isDumping)
        {
            interfaces.vlans(links.vlans().table());
        }
        for (final int vlan : changed)
        {
            addresses.publish(vlan);
            nextHops.onLink(vlan);
            onNewPort(vlan);
        }
        if (!changed.isEmpty())
        {
            addresses.publishSources();
        }
    }

    /** Programs the routes and neighbours of an interface that has become one of the router. */
    private void onNewPort(final int interfaceIndex)
    {
        final BitSet adopted = nextHops.adopt(interfaceIndex);
        forEachProgrammer(programmer -> programmer.onNewPort(adopted));
        updateHostRoutes(interfaceIndex);
    }

    private void updateHostRoutes(final int interfaceIndex)
    {
        for (final KernelNeighbor neighbor : List.copyOf(neighbors.all()))
        {
            if (neighbor.interfaceIndex() == interfaceIndex)
            {
                programmer(!neighbor.address().isIpv4()).updateHostRoute(neighbor.address());
                updateFurtherHostRoutes(neighbor.address());
            }
        }
    }

    @Override
    public void onAddress(final KernelAddress address, final boolean present)
    {
        if (isIgnored(!address.address().isIpv4()))
        {
            return;
        }
        if (present)
        {
            addresses.put(address);
        }
        else
        {
            addresses.remove(address);
        }
        programmer(!address.address().isIpv4()).onAddress(address);
        policyRouting.forEach(!address.address().isIpv4(), further -> further.onAddress(address));
    }

    @Override
    public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
    {
        final IpAddress address = neighbor.address();
        if (isIgnored(!address.isIpv4()))
        {
            return;
        }
        final KernelNeighbor before = present ?
            neighbors.put(neighbor) : neighbors.remove(neighbor.interfaceIndex(), address);
        if (!neighbor.equals(before) || !present)
        {
            if ((before != null && before.isUsable()) != (present && neighbor.isUsable()))
            {
                nextHops.requestNow(neighbor.interfaceIndex(), address);
            }
            programmer(!address.isIpv4()).onNeighbor(neighbor.interfaceIndex(), address);
            updateFurtherHostRoutes(address);
        }
    }

    private void updateFurtherHostRoutes(final IpAddress address)
    {
        policyRouting.forEach(!address.isIpv4(), further -> further.updateHostRoute(address));
    }

    private void forEachProgrammer(final Consumer<FibProgrammer> consumer)
    {
        consumer.accept(ipv4);
        consumer.accept(ipv6);
        policyRouting.programmers().forEach(consumer);
    }

    @Override
    public void onRoute(final KernelRouteView route, final boolean present)
    {
        if (isIgnored(route.isIpv6()))
        {
            return;
        }
        final FibProgrammer programmer = programmer(route);
        final RouteSource source = RouteTranslation.sourceOf(route);
        if (!present)
        {
            programmer.remove(RouteTranslation.prefixOf(route), source, route.metric());
        }
        else if (!programmer.confirm(route, source, translation.kindOf(route)))
        {
            programmer.add(RouteTranslation.prefixOf(route), source, route.metric(), translation.nextHopOf(route));
            translation.report(route);
        }
        if (programmer != ipv4 && programmer != ipv6)
        {
            updateRules();
        }
    }

    private FibProgrammer programmer(final KernelRouteView route)
    {
        return route.table() == KernelRoute.TABLE_MAIN || route.table() == KernelRoute.TABLE_LOCAL ?
            programmer(route.isIpv6()) : policyRouting.programmer(route.table(), route.isIpv6());
    }

    /** Returns the routes that a routing daemon hands over by FPM. */
    public HandedRoutes handedRoutes()
    {
        return handedRoutes;
    }

    /**
     * Returns the best routes of prefixes that a prefix covers, itself included, in the order of {@link IpPrefix}.
     *
     * @param table number of the table: main, with the local one in it, or one of {@link #furtherTables}.
     * @param outer covers the prefixes.
     * @param after null for the first routes, or the prefix of the last route of the previous call.
     * @param limit most routes to return, 0 or more.
     * @return the routes, fewer than the limit where there are no more.
     */
    public List<RouteView> routesIn(final int table, final IpPrefix outer, final IpPrefix after, final int limit)
    {
        final FibProgrammer programmer = policyRouting.find(table, outer.isIpv6());
        final List<RouteView> views = new ArrayList<>();
        if (programmer == null)
        {
            return views;
        }
        final Rib routes = programmer.rib();
        for (final IpPrefix prefix : routes.prefixesIn(outer, after, limit))
        {
            final int row = routes.head(prefix);
            final NextHop nextHop = nextHops.get(routes.nextHop(row));
            views.add(new RouteView(
                prefix, routes.source(row), routes.metric(row), nextHop.key().kind(), nextHop.gateway(),
                nextHop.egressInterface(), nextHop.key().multipath(), nextHop.key().options()));
        }
        return views;
    }

    /** Returns the numbers of the tables of a family, beside main and local, that have a route. */
    public Collection<Integer> furtherTables(final boolean isIpv6)
    {
        return policyRouting.numbers(isIpv6);
    }

    /** Returns the FIB of a table of a family: the main table, with the local one in it, or another one. */
    public TableFib fibOf(final int table, final boolean isIpv6)
    {
        final Ipv6Fib shorter = policyRouting.shorterFib(table, isIpv6);
        return table != KernelRoute.TABLE_MAIN ? TableFib.of(policyRouting.fib(table, isIpv6), shorter) :
            isIpv6 ? TableFib.of(shared.ipv6Fib(), shorter) : TableFib.of(shared.fib(), shorter);
    }

    /** Returns the rules of policy routing in use. */
    public List<KernelRule> rules()
    {
        return policyRouting.rules();
    }

    /** Returns whether the packets of a rule are left to the kernel, see {@link #rules(List)}. */
    public boolean isLeft(final KernelRule rule)
    {
        return policyRouting.isLeft(rule);
    }

    /** Returns the number of routes of a family from all sources, also of those that are not the best of a prefix. */
    public int routeCount(final boolean isIpv6)
    {
        return programmer(isIpv6).rib().size();
    }

    /** Returns the number of prefixes of a family that have a route in the main table or the local one. */
    public int prefixCount(final boolean isIpv6)
    {
        return prefixCount(KernelRoute.TABLE_MAIN, isIpv6);
    }

    /** Returns the number of prefixes that have a route in a table, see {@link #routesIn}. */
    public int prefixCount(final int table, final boolean isIpv6)
    {
        return policyRouting.find(table, isIpv6).rib().prefixCount();
    }

    /** Returns the memory of the RIB of the main table in bytes, with the part that is free for more routes. */
    public long ribBytes(final boolean isIpv6)
    {
        return ribBytes(KernelRoute.TABLE_MAIN, isIpv6);
    }

    /** Returns the memory of the RIB of a table in bytes, see {@link #routesIn}. */
    public long ribBytes(final int table, final boolean isIpv6)
    {
        return policyRouting.find(table, isIpv6).rib().bytes();
    }

    /** Returns the neighbours of the host by address, on ports and on other interfaces. */
    public Collection<KernelNeighbor> neighbors()
    {
        return neighbors.all();
    }

    /** Returns the addresses of an interface, by its number, in the order in which the kernel reported them. */
    public List<KernelAddress> addressesOf(final int number)
    {
        return addresses.of(number);
    }

    /**
     * Returns the members of the group with an adjacency index, in their order; empty if the adjacency is no group of
     * these tables.
     */
    public List<MemberView> membersOf(final int index)
    {
        return nextHops.membersOf(index);
    }

    /**
     * Moves idle buckets of resilient groups whose members have other shares than their weights.
     *
     * @param timeMs time on the clock of the workers.
     */
    public void balanceGroups(final long timeMs)
    {
        nextHops.balanceGroups(timeMs);
    }

    /** Returns the interfaces of the host, and which of them are ports. */
    public LinkTable links()
    {
        return links;
    }

    NextHopTable nextHops()
    {
        return nextHops;
    }

    NeighborTable neighborTable()
    {
        return neighbors;
    }

    /**
     * Returns whether a neighbour on an interface of the kernel is permanent. Such a neighbour must not be resolved:
     * the kernel would drop its static state.
     */
    public boolean isPermanentNeighbor(final int interfaceIndex, final IpAddress address)
    {
        return neighbors.isPermanent(interfaceIndex, address);
    }

    RouteTranslation translation()
    {
        return translation;
    }

    boolean isIgnored(final boolean isIpv6)
    {
        return isIpv6 && !forwardsIpv6();
    }

    FibProgrammer programmer(final boolean isIpv6)
    {
        return isIpv6 ? ipv6 : ipv4;
    }
}
