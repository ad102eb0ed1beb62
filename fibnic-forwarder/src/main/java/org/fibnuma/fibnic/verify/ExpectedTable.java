package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.config.ForwardingConfig;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The expected adjacency of every address of both families, computed from one {@link KernelSnapshot}. */
public final class ExpectedTable
{
    /** A network of one or two addresses has no broadcast address. */
    private static final int LONGEST_WITH_BROADCAST = 30;
    private static final Adjacency NO_ROUTE = Adjacency.of(AdjacencyKind.NO_ROUTE);

    private final KernelSnapshot snapshot;
    private final Map<Integer, Integer> numberByInterface;
    private final Set<Neighbor> oldBroadcasts = new HashSet<>();
    private final Map<List<Object>, Decision> decisions = new HashMap<>();
    private final Map<Neighbor, Long> usableMacs = new HashMap<>();
    /** Members of the groups of this table, by index. */
    private final List<Adjacency> members = new ArrayList<>();
    private final AddressRanges ipv4;
    private final AddressRanges ipv6;

    /**
     * Computes the table.
     *
     * @param snapshot          of the kernel, with the routes of the file added.
     * @param numberByInterface numbers of the interfaces that the router sends by, by their index in the kernel.
     * @param forwarding        whether {prefix, 0} of a connected network can be the address of a neighbour.
     */
    public ExpectedTable(
        final KernelSnapshot snapshot, final Map<Integer, Integer> numberByInterface, final ForwardingConfig forwarding)
    {
        this.snapshot = snapshot;
        this.numberByInterface = numberByInterface;
        for (final KernelNeighbor neighbor : snapshot.neighbors())
        {
            if (neighbor.isUsable() && neighbor.macAddress() != 0)
            {
                usableMacs.put(new Neighbor(neighbor.interfaceIndex(), neighbor.address()), neighbor.macAddress());
            }
        }
        if (!forwarding.oldBroadcasts())
        {
            snapshot.addresses().stream()
                .filter(address -> address.address().isIpv4() && address.prefixLength() <= LONGEST_WITH_BROADCAST)
                .forEach(address -> oldBroadcasts.add(new Neighbor(
                    address.interfaceIndex(), IpPrefix.of(address.address(), address.prefixLength()).first())));
        }
        final Family ipv4Family = compute(false);
        final Family ipv6Family = compute(true);
        ipv4 = ipv4Family.ranges;
        ipv6 = ipv6Family.ranges;
        decisions.values().forEach(decision -> decision.adjacency(adjacencyOf(
            decision, decision.gateway().isIpv4() ? ipv4Family.routed : ipv6Family.routed)));
    }

    private record Neighbor(int interfaceIndex, IpAddress address)
    {
    }

    /**
     * The ranges of one family.
     *
     * @param ranges with the hosts of connected networks.
     * @param routed without these hosts, for the lookup of the gateways of the file.
     */
    private record Family(AddressRanges ranges, AddressRanges routed)
    {
    }

    private Family compute(final boolean isIpv6)
    {
        final AddressRanges main = rangesOf(isIpv6, snapshot.mainRoutes());
        final AddressRanges local = rangesOf(isIpv6, snapshot.localRoutes());
        final AddressRanges ofKernel = AddressRanges.sweep(
            isIpv6, snapshot.prefixesOfKernel().stream().filter(prefix -> prefix.isIpv6() == isIpv6).toList(),
            prefix -> decision(KernelRoute.Kind.OTHER, Decision.ANY_INTERFACE, IpAddress.NONE, RouteOptions.NONE));
        return new Family(main.under(hosts(isIpv6, main)).under(ofKernel).under(local), main.under(local));
    }

    /** Returns the number of prefixes of all tables and the file. */
    public int prefixCount()
    {
        return snapshot.mainRoutes().size() + snapshot.localRoutes().size();
    }

    /** Returns the kernel's name of an interface of the router, by its number; the number if it has been removed. */
    String interfaceName(final int number)
    {
        for (final Map.Entry<Integer, Integer> entry : numberByInterface.entrySet())
        {
            final KernelLink link = snapshot.links().get(entry.getKey());
            if (entry.getValue() == number && link != null)
            {
                return link.name();
            }
        }
        return Integer.toString(number);
    }

    AddressRanges ranges(final boolean isIpv6)
    {
        return isIpv6 ? ipv6 : ipv4;
    }

    Adjacency expected(final boolean isIpv6, final int range)
    {
        final Decision decision = ranges(isIpv6).decision(range);
        return decision == null ? NO_ROUTE : decision.adjacency();
    }

    /** Returns a member of a group of this table, by the index in the group. */
    Adjacency member(final int index)
    {
        return members.get(index);
    }

    private AddressRanges rangesOf(final boolean isIpv6, final Map<IpPrefix, KernelRoute> routes)
    {
        return AddressRanges.sweep(
            isIpv6, routes.keySet().stream().filter(prefix -> prefix.isIpv6() == isIpv6).toList(), prefix ->
            {
                final KernelRoute route = routes.get(prefix);
                return isForwardedByLocal(route) ?
                    decision(KernelRoute.Kind.OTHER, route.interfaceIndex(), IpAddress.NONE, RouteOptions.NONE) :
                    route.multipath() != null ? decision(route.multipath(), route.options()) :
                    route.hasIpv6Gateway() && !snapshot.forwardsIpv6() ||
                    route.kind() == KernelRoute.Kind.UNICAST && route.interfaceIndex() == 0 ?
                    decision(KernelRoute.Kind.OTHER, route.interfaceIndex(), IpAddress.NONE, RouteOptions.NONE) :
                    decision(route.kind(), route.interfaceIndex(), route.gateway(), route.options());
            });
    }

    /** Returns whether a route of the local table is none for the host: the router leaves it to the kernel. */
    private static boolean isForwardedByLocal(final KernelRoute route)
    {
        return route.table() == KernelRoute.TABLE_LOCAL &&
            route.kind() != KernelRoute.Kind.LOCAL && route.kind() != KernelRoute.Kind.BROADCAST;
    }

    private AddressRanges hosts(final boolean isIpv6, final AddressRanges main)
    {
        final Map<IpPrefix, Decision> hosts = new HashMap<>();
        for (final Neighbor neighbor : usableMacs.keySet())
        {
            final IpAddress address = neighbor.address();
            final Decision around = address.isIpv4() == isIpv6 ? null : main.at(address);
            if (around != null && around.isConnectedTo(neighbor.interfaceIndex()) &&
                numberByInterface.containsKey(neighbor.interfaceIndex()) && !oldBroadcasts.contains(neighbor) &&
                !Ipv6Address.isLinkLocal(address.high()))
            {
                hosts.put(
                    IpPrefix.host(address),
                    decision(
                        KernelRoute.Kind.UNICAST, neighbor.interfaceIndex(), address, around.options()));
            }
        }
        return AddressRanges.sweep(isIpv6, hosts.keySet(), hosts::get);
    }

    private Decision decision(
        final KernelRoute.Kind kind, final int interfaceIndex, final IpAddress gateway, final RouteOptions options)
    {
        return decisions.computeIfAbsent(List.of(kind, interfaceIndex, gateway, options), key ->
            new Decision(kind, interfaceIndex, gateway, null, options));
    }

    private Decision decision(final KernelMultipath multipath, final RouteOptions options)
    {
        return decisions.computeIfAbsent(List.of(multipath, options), key ->
            new Decision(KernelRoute.Kind.UNICAST, Decision.SEVERAL_INTERFACES, IpAddress.NONE, multipath, options));
    }

    /** Returns a group with a single bucket, because buckets are not compared. */
    private Adjacency group(final KernelMultipath multipath, final RouteOptions options)
    {
        final int[] indexes = new int[multipath.hops().size()];
        final int[] weights = new int[indexes.length];
        for (int i = 0; i < indexes.length; i++)
        {
            final KernelMultipath.Hop hop = multipath.hops().get(i);
            final boolean isKernels = hop.kind() != KernelRoute.Kind.UNICAST || hop.interfaceIndex() == 0 ||
                hop.gateway().isNone() || !hop.gateway().isIpv4() && !snapshot.forwardsIpv6();
            indexes[i] = members.size();
            weights[i] = hop.weight();
            members.add(
                isKernels ? Adjacency.of(AdjacencyKind.PUNT) :
                    through(hop.interfaceIndex(), hop.gateway(), options));
        }
        return Adjacency.group(new AdjacencyGroup(indexes, weights, new int[1], null));
    }

    private Adjacency adjacencyOf(final Decision decision, final AddressRanges routed)
    {
        if (decision.multipath() != null)
        {
            return group(decision.multipath(), decision.options());
        }
        return switch (decision.kind())
        {
            case UNICAST -> decision.interfaceIndex() == Decision.ANY_INTERFACE ?
                throughConnected(decision, routed) :
                through(decision.interfaceIndex(), decision.gateway(), decision.options());
            case LOCAL -> Adjacency.of(AdjacencyKind.LOCAL);
            case BROADCAST -> Adjacency.of(AdjacencyKind.BROADCAST);
            case BLACKHOLE -> Adjacency.of(AdjacencyKind.BLACKHOLE);
            case UNREACHABLE -> Adjacency.of(AdjacencyKind.UNREACHABLE);
            case PROHIBIT -> Adjacency.of(AdjacencyKind.PROHIBIT);
            default -> Adjacency.of(AdjacencyKind.PUNT);
        };
    }

    private Adjacency throughConnected(final Decision decision, final AddressRanges routed)
    {
        final Decision around = routed.at(decision.gateway());
        return around != null && around.isConnectedTo(around.interfaceIndex()) ?
            through(around.interfaceIndex(), decision.gateway(), RouteOptions.NONE) : NO_ROUTE;
    }

    private Adjacency through(final int interfaceIndex, final IpAddress gateway, final RouteOptions options)
    {
        final Integer number = numberByInterface.get(interfaceIndex);
        if (number == null)
        {
            return Adjacency.of(AdjacencyKind.KERNEL);
        }
        final KernelLink link = snapshot.links().get(interfaceIndex);
        if (link == null || !link.up())
        {
            return Adjacency.of(AdjacencyKind.UNREACHABLE);
        }
        final int ipv6Mtu = snapshot.ipv6Mtu(link);
        final Long mac = usableMacs.get(new Neighbor(interfaceIndex, gateway));
        if (gateway.isNone())
        {
            return Adjacency.glean(number, link.mtu()).with(options, ipv6Mtu);
        }
        final Adjacency adjacency = mac == null ?
            Adjacency.unresolved(number, gateway, link.mtu()) :
            Adjacency.forward(number, gateway, link.mtu(), mac, link.macAddress());
        return adjacency.with(options, ipv6Mtu);
    }
}
