package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.acl.ActiveList;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortDrops;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.TableFib;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.fibnic.multipath.Flow;
import org.fibnuma.fibnic.multipath.FlowHash;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.MemberView;
import org.fibnuma.fibnic.rib.RouteView;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.wire.MacControl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The state of a running router as JSON objects, one for each request of {@code show} and {@code lookup}. Control
 * thread.
 *
 * @param ports      by index.
 * @param exceptions by port index: the kernel interface of a port that the kernel does not see.
 * @param tables     of the control plane.
 * @param shared     tables that the workers read.
 * @param counters   of the workers.
 * @param portDrops  dropped frames by port and reason.
 * @param access     access lists in force.
 * @param host       returns the current restrictions of the host for packets that it forwards.
 * @param flows      returns the flows in numbers.
 * @param flowHash   divides flows among several next hops.
 * @param vlans      counters of the VLAN interfaces.
 */
public record RouterReport(
    List<Port> ports,
    Map<Integer, KernelPort> exceptions,
    RoutingTables tables,
    RoutingTables.Shared shared,
    CountersReader counters,
    PortDrops portDrops,
    AccessTable access,
    Supplier<FollowedRestrictions> host,
    Supplier<FlowStatus> flows,
    FlowHash flowHash,
    VlanTraffic vlans)
{
    /** Most routes in one answer, which takes a few ms of the control thread. */
    public static final int MAX_ROUTES = 2000;

    private static final List<IpPrefix> ALL = List.of(IpPrefix.of(0, 0), IpPrefix.of(0, 0, 0));
    private static final int NO_ROUTE = 0;
    private static final String OFFLOADED_ONLY =
        "it judges each packet, therefore only connections in a flowtable (flow add) are followed";

    /**
     * Returns device, link, policy and traffic of every port and VLAN interface.
     *
     * @return an object with arrays {@code ports} and {@code vlans}.
     */
    public ObjectNode portTraffic()
    {
        final FateReport fates = FateReport.of(counters, portDrops);
        final ObjectNode answer = object().put("hostRestrictionsBypassed", host.get().bypassed().size())
            .put("hostRestrictionsLeft", host.get().left().size());
        final ArrayNode rows = answer.putArray("ports");
        for (int index = 0; index < ports.size(); index++)
        {
            final Port port = ports.get(index);
            if (isRemoved(index))
            {
                continue;
            }
            final ObjectNode row = rows.addObject().put("name", port.name()).put("device", port.device())
                .put("mode", port.mode());
            port.capability(SharedInterface.class).ifPresent(
                shared -> row.put("fallback", shared.fallback()).put("unservedQueues", shared.unservedQueues()));
            putException(row, exceptions.get(index));
            final KernelLink link = tables.links().get(tables.links().interfaceOf(index));
            if (link != null)
            {
                row.put("interface", link.name());
            }
            putLink(row, index);
            for (final PortTraffic traffic : PortTraffic.values())
            {
                row.put(Labels.camelCase(traffic.label()), fates.get(index, traffic));
            }
            row.put("dropped", LongStream.of(fates.portDrops(index)).sum()).put("lost", lostBy(port));
            for (final PortCounter counter : PortCounter.values())
            {
                row.put(Labels.camelCase(counter.label()), port.deviceCounter(counter));
            }
        }
        putVlans(answer);
        return answer;
    }

    /** Returns the frames that the device of a port lost before reception, or refused to send. */
    private static long lostBy(final Port port)
    {
        return Stream.of(PortCounter.values()).mapToLong(port::deviceCounter).sum();
    }

    /**
     * Returns whether the user has removed a port from the running router; any thread.
     *
     * @param port index of the port.
     * @return true until it is added again.
     */
    public boolean isRemoved(final int port)
    {
        return ports.get(port).capability(Reattachable.class).map(Reattachable::isDetached).orElse(false);
    }

    /** Returns whether the router forwards only flows of a family that any port or VLAN interface receives. */
    public boolean forwardsFlows()
    {
        return IntStream.concat(
            IntStream.range(0, ports.size()),
            tables.links().vlans().interfaces().stream().mapToInt(tables.links()::numberOf))
            .anyMatch(number -> shared.interfaces().get(number).policy().flowsOnly());
    }

    private void putVlans(final ObjectNode answer)
    {
        final ArrayNode rows = answer.putArray("vlans");
        for (final int vlan : tables.links().vlans().interfaces())
        {
            final int number = tables.links().numberOf(vlan);
            if (isRemoved(InterfaceNumber.portOf(number)))
            {
                continue;
            }
            final long tags = tables.links().vlans().tagsOf(vlan);
            final ObjectNode row = rows.addObject()
                .put("name", tables.links().get(vlan).name())
                .put("port", ports.get(InterfaceNumber.portOf(number)).name())
                .put("macvlan", tables.links().vlans().isMacvlan(vlan));
            if (tags != 0)
            {
                row.put("protocol", protocol(tags)).put("id", VlanTag.vid(tags));
            }
            if (VlanTag.outer(tags) != 0)
            {
                row.put("outerProtocol", protocol(VlanTag.outer(tags))).put("outer", VlanTag.vid(VlanTag.outer(tags)));
            }
            putLink(row, number);
            for (final VlanTraffic.Counter counter : VlanTraffic.Counter.values())
            {
                row.put(Labels.camelCase(Labels.hyphenated(counter)), vlans.get(number, counter));
            }
        }
    }

    private static String protocol(final long tag)
    {
        return VlanTag.etherType(tag) == EtherType.SERVICE_VLAN ? "802.1ad" : "802.1q";
    }

    /**
     * Returns some routes of a table, each the best one of its prefix, IPv4 first, and the sizes of the main table.
     *
     * @param table number of the routing table.
     * @param under covers the prefixes of the routes, or null for all routes.
     * @param after prefix of the last route of the previous answer, or null.
     * @param limit most routes in the answer, which has at most {@link #MAX_ROUTES}.
     * @return an object with an array {@code routes} and, where there may be more, the prefix {@code next} for
     *         {@code after}.
     * @throws IllegalArgumentException if the table has no routes.
     */
    public ObjectNode routes(final int table, final IpPrefix under, final IpPrefix after, final int limit)
    {
        requireTable(table);
        final int most = Math.min(limit, MAX_ROUTES);
        final List<RouteView> views = routesIn(table, under == null ? ALL : List.of(under), after, most);
        final ObjectNode answer = object();
        if (table == KernelRoute.TABLE_MAIN)
        {
            putSizes(answer);
        }
        final ArrayNode routes = answer.putArray("routes");
        for (final RouteView view : views)
        {
            final ObjectNode row = routes.addObject()
                .put("prefix", view.prefix().toString())
                .put("kind", Labels.hyphenated(view.kind()));
            putNextHops(row, view);
            row.put("metric", Integer.toUnsignedLong(view.metric()))
                .put("source",
                    table == KernelRoute.TABLE_MAIN ? view.source().label() : Integer.toUnsignedString(table));
        }
        if (most > 0 && views.size() == most)
        {
            answer.put("next", views.get(most - 1).prefix().toString());
        }
        return answer;
    }

    /** Puts the next hop; for a route with several next hops, arrays in one order. */
    private void putNextHops(final ObjectNode row, final RouteView view)
    {
        if (view.options().mtu() != 0)
        {
            row.put("mtu", view.options().mtu());
        }
        if (view.multipath() == null)
        {
            row.put("via", view.gateway().isNone() ? null : view.gateway().toString())
                .put("port", egress(view.interfaceIndex()));
            return;
        }
        final ArrayNode gateways = row.putArray("via");
        final ArrayNode links = row.putArray("port");
        final ArrayNode weights = row.putArray("weight");
        for (final KernelMultipath.Hop hop : view.multipath().hops())
        {
            gateways.add(hop.gateway().isNone() ? null : hop.gateway().toString());
            links.add(egress(hop.interfaceIndex()));
            weights.add(hop.weight());
        }
        if (view.multipath().resilience() != null)
        {
            row.put("resilientGroup", view.multipath().resilience().groupId());
        }
    }

    private void requireTable(final int table)
    {
        if (table != KernelRoute.TABLE_MAIN && !tables.furtherTables(false).contains(table) &&
            !tables.furtherTables(true).contains(table))
        {
            throw new IllegalArgumentException("routing table " + Integer.toUnsignedString(table) +
                " has no routes; `show rules` lists the tables that have some");
        }
    }

    private List<RouteView> routesIn(
        final int table, final List<IpPrefix> prefixes, final IpPrefix after, final int limit)
    {
        final List<RouteView> views = new ArrayList<>();
        for (final IpPrefix outer : prefixes)
        {
            if (after == null || outer.isIpv6() || !after.isIpv6())
            {
                views.addAll(tables.routesIn(table,
                    outer, after != null && after.isIpv6() == outer.isIpv6() ? after : null, limit - views.size()));
            }
        }
        return views;
    }

    private void putSizes(final ObjectNode answer)
    {
        final Ipv4Fib ipv4 = shared.fib();
        answer.put("prefixes", tables.prefixCount(false))
            .put("candidates", tables.routeCount(false))
            .put("fibRoutes", ipv4.size())
            .put("codeBits", ipv4.codeBits())
            .put("tableBytes", ipv4.tableBytes())
            .put("secondLevelBytes", ipv4.secondLevelBytes())
            .put("fibPrefixBytes", ipv4.prefixBytes())
            .put("ribBytes", tables.ribBytes(false));
        if (!tables.forwardsIpv6())
        {
            return;
        }
        final Ipv6Fib fib = shared.ipv6Fib();
        answer.put("ipv6Prefixes", tables.prefixCount(true))
            .put("ipv6Candidates", tables.routeCount(true))
            .put("ipv6FibRoutes", fib.size())
            .put("ipv6TableBytes", fib.tableBytes())
            .put("ipv6FibPrefixBytes", fib.prefixBytes())
            .put("ipv6RibBytes", tables.ribBytes(true));
    }

    /** Returns the neighbours on the interfaces of the router, as an object with an array {@code neighbors}. */
    public ObjectNode neighbors()
    {
        final ObjectNode answer = object();
        final ArrayNode rows = answer.putArray("neighbors");
        for (final KernelNeighbor neighbor : tables.neighbors())
        {
            final int number = tables.links().numberOf(neighbor.interfaceIndex());
            if (number != LinkTable.NO_NUMBER)
            {
                rows.addObject()
                    .put("address", neighbor.address().toString())
                    .put("port", interfaceName(number))
                    .put("mac", neighbor.macAddress() == 0 ? null : MacAddress.format(neighbor.macAddress()))
                    .put("state", Labels.hyphenated(neighbor.state()));
            }
        }
        return answer;
    }

    /**
     * Returns the disposition of all frames, and the reasons of drops. Frames that a device has lost count neither as
     * {@code received} nor as {@code dropped}, because the router did not receive them.
     *
     * @return an object with {@code lostByDevices}, each counter, {@code balanced}, and three arrays: {@code drops},
     *         the reasons that occurred with meaning and remedy; {@code portDrops}, the reasons by present ingress
     *         port; {@code deviceLosses}, the frames that the devices of the present ports lost.
     */
    public ObjectNode drops()
    {
        final FateReport fates = FateReport.of(counters, portDrops);
        final ObjectNode answer = object().put("lostByDevices", ports.stream().mapToLong(RouterReport::lostBy).sum());
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            answer.put(Labels.camelCase(counter.label()), fates.get(counter));
        }
        answer.put("dropped", fates.dropped()).put("balanced", fates.isBalanced());
        final ArrayNode rows = answer.putArray("drops");
        for (final DropReason reason : DropReason.values())
        {
            if (fates.get(reason) > 0)
            {
                rows.addObject().put("reason", reason.label()).put("frames", fates.get(reason))
                    .put("meaning", reason.meaning()).put("remedy", reason.remedy());
            }
        }
        final ArrayNode portRows = answer.putArray("portDrops");
        for (int index = 0; index < ports.size(); index++)
        {
            if (!isRemoved(index))
            {
                putDrops(portRows, ports.get(index).name(), fates.portDrops(index));
            }
        }
        putLosses(answer.putArray("deviceLosses"));
        return answer;
    }

    private void putLosses(final ArrayNode rows)
    {
        for (final Port port : ports)
        {
            for (final PortCounter counter : PortCounter.values())
            {
                final long frames = port.deviceCounter(counter);
                if (frames > 0)
                {
                    rows.addObject().put("port", port.name()).put("lost", counter.label()).put("frames", frames);
                }
            }
        }
    }

    private static void putDrops(final ArrayNode rows, final String port, final long[] drops)
    {
        for (final DropReason reason : DropReason.values())
        {
            if (drops[reason.id()] > 0)
            {
                rows.addObject().put("port", port).put("reason", reason.label()).put("frames", drops[reason.id()]);
            }
        }
    }

    /**
     * Returns the restrictions of the host for forwarded packets that the router does not apply.
     *
     * @return an object with an array {@code restrictions} and two numbers of them: {@code bypassed}, which frames
     *         bypass, and {@code leftToKernel}, whose frames are left to the kernel; and an array {@code refusals} of
     *         the reasons for which established connections are left to the kernel.
     */
    public ObjectNode hostRestrictions()
    {
        final FollowedRestrictions restrictions = host.get();
        final ObjectNode answer = object().put("bypassed", restrictions.bypassed().size())
            .put("followed", restrictions.followed().size()).put("leftToKernel", restrictions.left().size());
        final ArrayNode rows = answer.putArray("restrictions");
        restrictions.bypassed().forEach(restriction -> putRestriction(rows, restriction, "bypassed", ""));
        restrictions.followed().forEach(restriction -> putRestriction(rows, restriction, "flows",
            restriction.kind() == HostRestriction.Kind.NETFILTER_OFFLOAD ? OFFLOADED_ONLY : ""));
        restrictions.left().forEach(
            restriction -> putRestriction(rows, restriction, "left-to-kernel", reason(restriction)));
        FlowsReport.putRefusals(answer.putArray("refusals"), flows.get());
        return answer;
    }

    /** Returns why a packet filter keeps established connections at the kernel; empty for other restrictions. */
    private String reason(final HostRestriction restriction)
    {
        return switch (restriction.kind())
        {
            case NETFILTER_PACKET, NETFILTER_OFFLOAD -> "it judges each packet of a connection";
            case NETFILTER -> flows.get().obstacle();
            default -> "";
        };
    }

    private static void putRestriction(
        final ArrayNode rows, final HostRestriction restriction, final String frames, final String reason)
    {
        final ObjectNode row = rows.addObject()
            .put("kind", Labels.hyphenated(restriction.kind()))
            .put("restriction", restriction.text())
            .put("frames", frames);
        if (!reason.isEmpty())
        {
            row.put("reason", reason);
        }
        row.put("command", restriction.command());
    }

    /**
     * Returns PFC pauses, headroom, storms and marks of every lossless priority of every port, and the PFC pauses
     * received for other priorities, which are not obeyed.
     *
     * @return an object with an array {@code priorities}, empty where none is lossless, and an array
     *         {@code ignoredPauses} of the ports and priorities with ignored PFC pauses.
     */
    public ObjectNode pfc()
    {
        final LosslessReport report = LosslessReport.of(counters);
        final ObjectNode answer = object();
        final ArrayNode rows = answer.putArray("priorities");
        for (int port = 0; port < ports.size(); port++)
        {
            for (int rest = report.priorities(); rest != 0; rest &= rest - 1)
            {
                final int priority = Integer.numberOfTrailingZeros(rest);
                final ObjectNode row = rows.addObject()
                    .put("port", ports.get(port).name())
                    .put("priority", priority)
                    .put("pausesBy", pausesBy(ports.get(port)))
                    .put("storm", report.isStorm(port, priority));
                for (final PfcCounter counter : PfcCounter.values())
                {
                    if (counter.isOf(true))
                    {
                        row.put(Labels.camelCase(counter.label()), report.get(port, priority, counter));
                    }
                }
            }
        }
        putIgnoredPauses(answer, report);
        return answer;
    }

    /**
     * Returns the access lists with the frames and bytes that each rule has matched since the lists came into force.
     *
     * @return an object with an array {@code lists}, an array {@code ports} of the ports that use a list, and an array
     *         {@code rules}; the last rule of each list is its default.
     */
    public ObjectNode acl()
    {
        final AccessLists current = access.current();
        final ObjectNode answer = object();
        final ArrayNode lists = answer.putArray("lists");
        final ArrayNode uses = answer.putArray("ports");
        final ArrayNode rules = answer.putArray("rules");
        for (final ActiveList active : current.lists())
        {
            final String name = active.list().name();
            final int count = active.list().rules().size();
            lists.addObject().put("list", name).put("ruleCount", count).put("tableBytes", active.bytes());
            for (int rule = 0; rule <= count; rule++)
            {
                rules.addObject().put("list", name).put("rule", rule + 1)
                    .put("text", rule < count ? active.list().rules().get(rule).text() :
                        active.list().defaultAction().key() + " (default)")
                    .put("frames", active.frames(rule)).put("bytes", active.bytes(rule));
            }
        }
        for (int port = 0; port < ports.size(); port++)
        {
            putUse(uses, port, "in", current.ingress(port));
            putUse(uses, port, "out", current.egress(port));
        }
        return answer;
    }

    private void putUse(final ArrayNode uses, final int port, final String direction, final ActiveList active)
    {
        if (active != null)
        {
            uses.addObject().put("port", ports.get(port).name()).put("direction", direction)
                .put("list", active.list().name());
        }
    }

    private void putIgnoredPauses(final ObjectNode answer, final LosslessReport report)
    {
        final ArrayNode rows = answer.putArray("ignoredPauses");
        for (int port = 0; port < ports.size(); port++)
        {
            for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
            {
                final long pauses = report.get(port, priority, PfcCounter.XOFF_IGNORED);
                if (pauses > 0)
                {
                    rows.addObject()
                        .put("port", ports.get(port).name())
                        .put("priority", priority)
                        .put(Labels.camelCase(PfcCounter.XOFF_IGNORED.label()), pauses);
                }
            }
        }
    }

    private static String pausesBy(final Port port)
    {
        return port.capability(ConfigurableDevice.class).map(ConfigurableDevice::isFlowControlEnabled).orElse(false) ?
            "device, router" : "router";
    }

    /**
     * Returns the prefix and the adjacency that the FIB has for a destination. For a route with several next hops, it
     * returns the next hop of a flow or, without a flow, all as members of a group.
     *
     * @param table   number of the routing table.
     * @param address of the destination.
     * @param flow    to this destination, or null.
     * @return an object, with an array {@code members} for a group.
     * @throws IllegalArgumentException if the address is IPv6 and the kernel forwards IPv6, the flow has another
     *                                  destination, or the table has no routes.
     */
    public ObjectNode lookup(final int table, final IpAddress address, final Flow flow)
    {
        requireTable(table);
        requireForwarded(!address.isIpv4(), address);
        if (flow != null && !flow.destination().equals(address))
        {
            throw new IllegalArgumentException(
                "the flow is to " + flow.destination() + ", not to " + address + "; look up its destination");
        }
        final TableFib fib = tables.fibOf(table, !address.isIpv4());
        final int index = fib.lookup(address);
        final Adjacency adjacency = shared.adjacencies().get(index);
        final IpPrefix found = longestOver(fib, IpPrefix.host(address));
        final ObjectNode answer = object()
            .put("address", address.toString())
            .put("prefix", found == null ? null : found.toString());
        if (adjacency.group() == null || flow == null)
        {
            putRoute(answer, index, !address.isIpv4());
        }
        else
        {
            final int bucket = adjacency.group().bucket(flowHash.of(flow));
            final int member = adjacency.group().adjacency(bucket);
            answer.put("group", index).put("bucket", bucket);
            putAdjacency(answer, member, shared.adjacencies().get(member));
        }
        return answer;
    }

    /**
     * Returns the adjacency that the FIB has for a prefix or, without one, for the longest prefix that covers it.
     * Longer prefixes inside are not considered.
     *
     * @param table   number of the routing table.
     * @param network the prefix.
     * @return an object, whose field {@code match} is "exact", "covering" or "none".
     * @throws IllegalArgumentException if the prefix is IPv6 and the kernel forwards IPv6, or the table has no routes.
     */
    public ObjectNode lookup(final int table, final IpPrefix network)
    {
        requireTable(table);
        requireForwarded(network.isIpv6(), network);
        final TableFib fib = tables.fibOf(table, network.isIpv6());
        final IpPrefix found = longestOver(fib, network);
        final ObjectNode answer = object()
            .put("network", network.toString())
            .put("match", found == null ? "none" : found.equals(network) ? "exact" : "covering")
            .put("prefix", found == null ? null : found.toString());
        putRoute(answer, found == null ? NO_ROUTE : fib.exact(found), network.isIpv6());
        return answer;
    }

    private void requireForwarded(final boolean isIpv6, final Object destination)
    {
        if (isIpv6 && !tables.forwardsIpv6())
        {
            throw new IllegalArgumentException(
                "the kernel forwards IPv6, not the router; set ipv6 = true in [router] to look up " + destination);
        }
    }

    private void putRoute(final ObjectNode answer, final int index, final boolean isIpv6)
    {
        final Adjacency adjacency = shared.adjacencies().get(index);
        putAdjacency(answer, index, adjacency);
        if (adjacency.group() != null)
        {
            answer.put("hash", flowHash.isByPorts(isIpv6) ? "addresses, protocol, ports" : "addresses")
                .put("buckets", adjacency.group().bucketCount());
            putMembers(answer.putArray("members"), index);
        }
    }

    private void putAdjacency(final ObjectNode answer, final int index, final Adjacency adjacency)
    {
        answer.put("kind", Labels.hyphenated(adjacency.kind())).put("adjacency", index);
        if (adjacency.egressPort() >= 0)
        {
            answer.put("port", interfaceName(adjacency.egressInterface())).put("mtu", adjacency.mtu());
            if (adjacency.ipv6Mtu() != adjacency.mtu())
            {
                answer.put("ipv6Mtu", adjacency.ipv6Mtu());
            }
        }
        if (!adjacency.options().source().isNone())
        {
            answer.put("source", adjacency.options().source().toString());
        }
        if (!adjacency.nextHop().isNone())
        {
            answer.put("nextHop", adjacency.nextHop().toString());
        }
        if (adjacency.kind() == AdjacencyKind.FORWARD)
        {
            answer.put("destinationMac", MacAddress.format(adjacency.destinationMac()))
                .put("sourceMac", MacAddress.format(adjacency.sourceMac()));
        }
    }

    private void putMembers(final ArrayNode rows, final int index)
    {
        for (final MemberView member : tables.membersOf(index))
        {
            rows.addObject()
                .put("adjacency", member.adjacency())
                .put("kind", Labels.hyphenated(shared.adjacencies().get(member.adjacency()).kind()))
                .put("via", member.gateway().isNone() ? null : member.gateway().toString())
                .put("port", egress(member.interfaceIndex()))
                .put("weight", member.weight())
                .put("buckets", member.buckets());
        }
    }

    private static ObjectNode object()
    {
        return JsonNodeFactory.instance.objectNode();
    }

    private static void putException(final ObjectNode row, final Port exception)
    {
        if (exception != null)
        {
            row.put("exception", exception.device())
                .put("exceptionRefused", exception.deviceCounter(PortCounter.TX_INVALID))
                .put("exceptionTooLong", exception.deviceCounter(PortCounter.RX_DROPPED));
        }
    }

    /** Puts state, addresses and policy of an interface, by its number. */
    private void putLink(final ObjectNode row, final int number)
    {
        final KernelLink link = tables.links().get(tables.links().interfaceOf(number));
        row.put("state", tables.links().stateOf(number));
        if (link != null)
        {
            row.put("mac", MacAddress.format(link.macAddress())).put("mtu", link.mtu());
        }
        final ArrayNode addresses = row.putArray("addresses");
        for (final KernelAddress address : tables.addressesOf(number))
        {
            addresses.add(address.address() + "/" + address.prefixLength());
        }
        final InterfacePolicy policy = shared.interfaces().get(number).policy();
        row.put("forwarding", forwarding(policy.ipv4()))
            .put("reversePath", Labels.hyphenated(policy.reversePath()));
        if (tables.forwardsIpv6())
        {
            row.put("ipv6Forwarding", forwarding(policy.ipv6()));
        }
    }

    private static String forwarding(final Transit transit)
    {
        return switch (transit)
        {
            case ALL -> "router";
            case FLOWS -> "flows";
            case KERNEL -> "kernel";
        };
    }

    private String egress(final int interfaceIndex)
    {
        final int number = tables.links().numberOf(interfaceIndex);
        final KernelLink link = tables.links().get(interfaceIndex);
        return number != LinkTable.NO_NUMBER ? interfaceName(number) : link != null ? link.name() + " (kernel)" : null;
    }

    /** Returns the name of a port, or the kernel's name of a VLAN interface, by its number. */
    public String interfaceName(final int number)
    {
        final KernelLink vlan = InterfaceNumber.vlanOf(number) == 0 ?
            null : tables.links().get(tables.links().interfaceOf(number));
        return vlan == null ? ports.get(InterfaceNumber.portOf(number)).name() : vlan.name();
    }

    /** Returns the longest prefix of a FIB that covers another one, or null. */
    private static IpPrefix longestOver(final TableFib fib, final IpPrefix inner)
    {
        for (int length = inner.length(); length >= 0; length--)
        {
            final IpPrefix prefix = inner.isIpv6() ? IpPrefix.of(inner.high(), inner.low(), length) :
                IpPrefix.of(inner.ipv4(), length);
            if (fib.exact(prefix) != NO_ROUTE)
            {
                return prefix;
            }
        }
        return null;
    }
}
