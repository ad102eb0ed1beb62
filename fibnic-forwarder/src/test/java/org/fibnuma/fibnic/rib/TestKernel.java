package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The kernel of a host with ports {@code left} (interface 2, 10.0.0.1/24), {@code right} (interface 3, 10.0.1.1/24)
 * and a management interface 9 that is no port, telling {@link RoutingTables} what happens in the words of iproute2.
 */
final class TestKernel implements AutoCloseable
{
    static final int LEFT = 2;
    static final int RIGHT = 3;
    static final int MANAGEMENT = 9;
    static final String LEFT_MAC = "02:00:00:00:00:02";
    static final String RIGHT_MAC = "02:00:00:00:00:03";

    private final RecordingPort left = new RecordingPort("left", LEFT);
    private final RecordingPort right = new RecordingPort("right", RIGHT);
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final InterfaceTable interfaces = new InterfaceTable(2);
    private final RoutingTables tables = new RoutingTables(
        List.of(left, right),
        new LinkTable(new int[]{ LEFT, RIGHT }, List.of("left", "right")),
        new RoutingTables.Shared(fib, ipv6Fib, adjacencies, interfaces, epochs));

    /** Says everything once, as the first dump does. */
    static TestKernel started()
    {
        final TestKernel kernel = new TestKernel();
        kernel.tables.onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.tables.onDumpEnd();
        return kernel;
    }

    /** Says everything once to tables that follow IPv6; 2001:db8::1/64 is on left, 2001:db8:1::1/64 on right. */
    static TestKernel startedWithIpv6()
    {
        final TestKernel kernel = new TestKernel();
        kernel.tables.forwardIpv6();
        kernel.tables.onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.dumpIpv6();
        kernel.tables.onDumpEnd();
        return kernel;
    }

    void dumpIpv6()
    {
        route("local", "::1/128", null, 1);
        route("multicast", "ff00::/8", null, LEFT);
        address(LEFT, "fe80::2/64");
        address(LEFT, "2001:db8::1/64");
        address(RIGHT, "2001:db8:1::1/64");
        route("connected", "2001:db8:9::/64", null, MANAGEMENT);
    }

    void dumpLinksAndConnected()
    {
        link(1, "lo", "00:00:00:00:00:00", 65_535, true);
        link(LEFT, "left", LEFT_MAC, 1500, true);
        link(RIGHT, "right", RIGHT_MAC, 1400, true);
        link(MANAGEMENT, "eth9", "02:00:00:00:00:99", 1500, true);
        route("local", "127.0.0.0/8", null, 1);
        route("local", "127.0.0.1/32", null, 1);
        address(LEFT, "10.0.0.1/24");
        address(RIGHT, "10.0.1.1/24");
        route("connected", "192.168.9.0/24", null, MANAGEMENT);
    }

    /** An address with the routes that the kernel makes for it. */
    void address(final int interfaceIndex, final String text)
    {
        addressEvents(interfaceIndex, text, true);
    }

    void addressGone(final int interfaceIndex, final String text)
    {
        addressEvents(interfaceIndex, text, false);
    }

    void link(final int index, final String name, final String mac, final int mtu, final boolean up)
    {
        tables.onLink(new KernelLink(index, name, MacAddress.parse(mac), mtu, up), true);
    }

    void linkGone(final int index, final String name)
    {
        tables.onLink(new KernelLink(index, name, 0, 1500, false), false);
    }

    void neighbor(final int interfaceIndex, final String address, final String mac)
    {
        neighborState(interfaceIndex, address, mac, KernelNeighbor.State.USABLE);
    }

    void neighborState(
        final int interfaceIndex, final String address, final String mac, final KernelNeighbor.State state)
    {
        tables.onNeighbor(
            new KernelNeighbor(interfaceIndex, IpAddress.parse(address), MacAddress.parse(mac), state), true);
    }

    void neighborFailed(final int interfaceIndex, final String address)
    {
        tables.onNeighbor(
            new KernelNeighbor(interfaceIndex, IpAddress.parse(address), 0, KernelNeighbor.State.FAILED), true);
    }

    void neighborGone(final int interfaceIndex, final String address)
    {
        tables.onNeighbor(
            new KernelNeighbor(interfaceIndex, IpAddress.parse(address), 0, KernelNeighbor.State.FAILED), false);
    }

    void route(final String kind, final String prefix, final String gateway, final int interfaceIndex)
    {
        tables.onRoute(routeOf(kind, prefix, gateway, interfaceIndex, 0), true);
    }

    void route(
        final String kind, final String prefix, final String gateway, final int interfaceIndex, final int metric)
    {
        tables.onRoute(routeOf(kind, prefix, gateway, interfaceIndex, metric), true);
    }

    void routeGone(
        final String kind, final String prefix, final String gateway, final int interfaceIndex, final int metric)
    {
        tables.onRoute(routeOf(kind, prefix, gateway, interfaceIndex, metric), false);
    }

    /** A route by several next hops, each as {@code gateway@interface*weight}. */
    void multipath(final String prefix, final KernelMultipath.Resilience resilience, final String... hops)
    {
        tables.onRoute(multipathOf(prefix, resilience, hops), true);
    }

    static KernelRoute multipathOf(
        final String prefixText, final KernelMultipath.Resilience resilience, final String... texts)
    {
        final List<KernelMultipath.Hop> hops = Arrays.stream(texts).map(text -> text.split("[@*]")).map(parts ->
            new KernelMultipath.Hop(
                KernelRoute.Kind.UNICAST, Integer.parseInt(parts[1]),
                parts[0].isEmpty() ? IpAddress.NONE : IpAddress.parse(parts[0]), Integer.parseInt(parts[2]))).toList();
        final IpPrefix prefix = IpPrefix.parse(prefixText);
        return new KernelRoute(
            prefix.isIpv6(), prefix.first(), prefix.length(), KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
            hops.get(0).gateway(), hops.get(0).interfaceIndex(), new KernelMultipath(resilience, hops));
    }

    /** The members of the group that a destination's route has, each as {@code gateway buckets}. */
    String members(final String destination)
    {
        return tables.membersOf(adjacencyIndex(destination)).stream()
            .map(member -> member.gateway() + " " + member.buckets()).collect(Collectors.joining(", "));
    }

    AdjacencyTable adjacencies()
    {
        return adjacencies;
    }

    /** What a worker would do with a frame to an address, in words. */
    String lookup(final String destination)
    {
        final Adjacency adjacency = adjacencies.get(adjacencyIndex(destination));
        switch (adjacency.kind())
        {
            case FORWARD:
                return "port " + adjacency.egressPort() + " via " + adjacency.nextHop() + " " +
                    MacAddress.format(adjacency.destinationMac()) + " from " +
                    MacAddress.format(adjacency.sourceMac()) + " mtu " + adjacency.mtu();
            case UNRESOLVED:
                return "port " + adjacency.egressPort() + " via " + adjacency.nextHop() +
                    " unresolved mtu " + adjacency.mtu();
            case GLEAN:
                return "port " + adjacency.egressPort() + " glean mtu " + adjacency.mtu();
            default:
                return adjacency.kind().name();
        }
    }

    int adjacencyIndex(final String destination)
    {
        final IpAddress address = IpAddress.parse(destination);
        return address.isIpv4() ? fib.lookup(address.ipv4()) : ipv6Fib.lookup(address.high(), address.low());
    }

    RoutingTables tables()
    {
        return tables;
    }

    RecordingPort left()
    {
        return left;
    }

    RecordingPort right()
    {
        return right;
    }

    ReaderEpochs epochs()
    {
        return epochs;
    }

    InterfaceTable interfaces()
    {
        return interfaces;
    }

    Ipv4Fib fib()
    {
        return fib;
    }

    @Override
    public void close()
    {
        fib.close();
        ipv6Fib.close();
    }

    private void addressEvents(final int interfaceIndex, final String text, final boolean present)
    {
        final int slash = text.indexOf('/');
        final int length = Integer.parseInt(text.substring(slash + 1));
        final IpAddress address = IpAddress.parse(text.substring(0, slash));
        final IpPrefix network = IpPrefix.of(address, length);
        tables.onAddress(new KernelAddress(interfaceIndex, address, length), present);
        tables.onRoute(routeOf("local", IpPrefix.host(address).toString(), null, interfaceIndex, 0), present);
        if (address.isIpv4() && length < 31)
        {
            tables.onRoute(
                routeOf("broadcast", IpPrefix.host(network.last()).toString(), null, interfaceIndex, 0), present);
        }
        if (!network.isHost())
        {
            tables.onRoute(routeOf("connected", network.toString(), null, interfaceIndex, 0), present);
        }
    }

    private static KernelRoute routeOf(
        final String kind, final String prefixText, final String gateway, final int interfaceIndex, final int metric)
    {
        final IpPrefix prefix = IpPrefix.parse(prefixText);
        final boolean isLocal = List.of("local", "broadcast", "multicast").contains(kind);
        final KernelRoute.Kind routeKind = "via".equals(kind) || "connected".equals(kind) ?
            KernelRoute.Kind.UNICAST : "multicast".equals(kind) ? KernelRoute.Kind.OTHER :
            KernelRoute.Kind.valueOf(kind.toUpperCase(Locale.ROOT));
        return new KernelRoute(
            prefix.isIpv6(),
            prefix.first(),
            prefix.length(),
            isLocal ? KernelRoute.TABLE_LOCAL : KernelRoute.TABLE_MAIN,
            metric,
            routeKind,
            gateway == null ? IpAddress.NONE : IpAddress.parse(gateway),
            interfaceIndex);
    }
}
