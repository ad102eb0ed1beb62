package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.fib.NextHopNumbering;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.plane.ForwardingPlane;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A worker between ports, without a control plane: all routes of a table lead out of the second port, each to its next
 * hop. Used by one thread.
 */
public final class LoadedRouter implements AutoCloseable
{
    /** MAC address of the first next hop; the others have the following ones. */
    public static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    /** Address in a network of the benchmarking range (RFC 2544 appendix C.2.2); see {@link #connectUnresolved()}. */
    public static final int UNRESOLVED_HOST = Ipv4Address.parse("198.19.255.9");

    /** Address in a network of RFC 3849, for documentation; see {@link #connectUnresolved()}. */
    public static final Ipv6Address UNRESOLVED_IPV6_HOST = Ipv6Address.parse("2001:db8:ffff::9");

    private static final int MTU = 1500;
    private static final int UNRESOLVED_LENGTH = 24;
    private static final int UNRESOLVED_IPV6_LENGTH = 64;
    /** Time for which a frame is held for an unresolved neighbour; short, so that it is soon released. */
    private static final long HOLD_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ForwardingPlane plane = new ForwardingPlane();
    private final AccessTable access = new AccessTable();
    private final CapturePoint tap = new CapturePoint();
    private final InterfaceTable interfaces;
    private final ForwarderAgent agent;
    private int adjacencies;

    /**
     * Loads the table.
     *
     * @param table    routes; the worker forwards IPv6 if there are IPv6 routes.
     * @param ports    for receiving and for sending; not closed by this.
     * @param pool     of the ports.
     * @param firstMac MAC address of the first port; the others have the following ones.
     */
    public LoadedRouter(final DualStackTable table, final List<Port> ports, final FramePool pool, final long firstMac)
    {
        this(table, NextHopNumbering.AS_THEY_ARE, ports, pool, firstMac, context -> {});
    }

    /**
     * Loads the table as the other constructor does.
     *
     * @param nextHops number of next hops of the IPv4 routes, or {@link NextHopNumbering#AS_THEY_ARE}.
     * @param settings changes the settings of the worker.
     */
    public LoadedRouter(
        final DualStackTable table,
        final int nextHops,
        final List<Port> ports,
        final FramePool pool,
        final long firstMac,
        final Consumer<ForwarderContext> settings)
    {
        load(table.ipv4(), nextHops, firstMac + 1);
        loadIpv6(table, firstMac + 1);
        interfaces = new InterfaceTable(IntStream.range(0, ports.size())
            .mapToObj(i -> new RouterInterface(firstMac + i, MTU, List.of())).toList());
        final ForwarderContext context = plane.context(ports, interfaces, pool)
            .forwardsIpv6(table.hasIpv6()).accessTable(access).capturePoint(tap).holdTimeoutNs(HOLD_NS);
        settings.accept(context);
        agent = ForwarderAgent.of(context.conclude());
    }

    private void load(final RouteList routes, final int nextHops, final long outMac)
    {
        final NextHopNumbering numbering = new NextHopNumbering(nextHops, routes);
        for (int i = 0; i < routes.size(); i++)
        {
            final int adjacency = numbering.adjacencyOf(routes, i);
            adjacencies = Math.max(adjacencies, adjacency);
            setNextHop(adjacency, IpAddress.of(routes.nextHop(i)), outMac);
            plane.fib().announce(routes.prefix(i), routes.length(i), adjacency);
        }
    }

    private void loadIpv6(final DualStackTable table, final long outMac)
    {
        final Ipv6RouteList routes = table.ipv6();
        final Map<IpAddress, Integer> numbers = new HashMap<>();
        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv6Prefix prefix = routes.prefix(i);
            final IpAddress nextHop = table.nextHopOfIpv6(i);
            final int adjacency = numbers.computeIfAbsent(nextHop, ignore -> ++adjacencies);
            setNextHop(adjacency, nextHop, outMac);
            plane.ipv6Fib().announce(prefix.high(), prefix.low(), prefix.length(), adjacency);
        }
    }

    private void setNextHop(final int adjacency, final IpAddress nextHop, final long outMac)
    {
        plane.adjacencies().set(
            adjacency, Adjacency.forward(1, nextHop, MTU, NEXT_HOP_MAC + adjacency, outMac));
    }

    /**
     * Adds connected networks with {@link #UNRESOLVED_HOST} and {@link #UNRESOLVED_IPV6_HOST} in which no neighbour
     * answers.
     */
    public void connectUnresolved()
    {
        plane.adjacencies().set(adjacencies + 1, Adjacency.glean(1, MTU));
        plane.fib().announce(
            UNRESOLVED_HOST & -1 << Integer.SIZE - UNRESOLVED_LENGTH, UNRESOLVED_LENGTH, adjacencies + 1);
        plane.ipv6Fib().announce(UNRESOLVED_IPV6_HOST.high(), 0, UNRESOLVED_IPV6_LENGTH, adjacencies + 1);
    }

    /**
     * Moves all traffic into VLANs: the first port receives frames with one of some tags, which leave by the second
     * port with another one. Called before the worker runs.
     *
     * @param ingressTags at most {@link InterfaceNumber#MAX_VLANS} - 1.
     * @param egressTag   of the sent frames.
     */
    public void useVlans(final long[] ingressTags, final long egressTag)
    {
        final int egress = InterfaceNumber.ofVlan(1, 1);
        interfaces.set(egress, interfaces.get(1).withTags(egressTag));
        final Map<Long, Integer> vlans = new HashMap<>();
        for (final long tag : ingressTags)
        {
            final int ingress = InterfaceNumber.ofVlan(0, vlans.size() + 2);
            interfaces.set(ingress, interfaces.get(0).withTags(tag));
            vlans.put(VlanTag.identity(tag), ingress);
        }
        interfaces.vlans(new VlanTable(Map.of(0, vlans)));
        for (int i = 1; i <= adjacencies; i++)
        {
            final Adjacency untagged = plane.adjacencies().get(i);
            plane.adjacencies().set(i, Adjacency.forward(
                egress, untagged.nextHop(), MTU, untagged.destinationMac(), untagged.sourceMac()));
        }
    }

    /** Returns the worker; the caller runs it. */
    public ForwarderAgent agent()
    {
        return agent;
    }

    /** Returns the access lists of the worker, at first none. */
    AccessTable accessTable()
    {
        return access;
    }

    /** Returns the switch for captures and traces of the worker, at first off. */
    CapturePoint capturePoint()
    {
        return tap;
    }

    /** Returns the code width of the FIB in bits. */
    public int codeBits()
    {
        return plane.fib().codeBits();
    }

    /** Returns the dispositions of all frames, as published so far. */
    public FateReport fates()
    {
        return plane.fates();
    }

    @Override
    public void close()
    {
        agent.onClose();
        plane.close();
    }
}
