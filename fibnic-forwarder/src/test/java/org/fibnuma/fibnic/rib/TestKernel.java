package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.List;
import java.util.Locale;

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
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final InterfaceTable interfaces = new InterfaceTable(2);
    private final RoutingTables tables = new RoutingTables(
        List.of(left, right),
        new LinkTable(new int[]{ LEFT, RIGHT }, List.of("left", "right")),
        new RoutingTables.Shared(fib, adjacencies, interfaces, epochs));

    /** Says everything once, as the first dump does. */
    static TestKernel started()
    {
        final TestKernel kernel = new TestKernel();
        kernel.tables.onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.tables.onDumpEnd();
        return kernel;
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

    /** What a worker would do with a frame to an address, in words. */
    String lookup(final String destination)
    {
        final Adjacency adjacency = adjacencies.get(fib.lookup(Ipv4Address.parse(destination)));
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
        return fib.lookup(Ipv4Address.parse(destination));
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
    }

    private void addressEvents(final int interfaceIndex, final String text, final boolean present)
    {
        final int slash = text.indexOf('/');
        final int length = Integer.parseInt(text.substring(slash + 1));
        final int address = Ipv4Address.parse(text.substring(0, slash));
        final Ipv4Prefix network = Ipv4Prefix.of(address, length);
        tables.onAddress(new KernelAddress(interfaceIndex, IpAddress.of(address), length), present);
        tables.onRoute(
            routeOf("local", Ipv4Address.format(address) + "/32", null, interfaceIndex, 0), present);
        if (length < 31)
        {
            tables.onRoute(
                routeOf("broadcast", Ipv4Address.format(network.last()) + "/32", null, interfaceIndex, 0),
                present);
        }
        if (length < 32)
        {
            tables.onRoute(routeOf("connected", network.toString(), null, interfaceIndex, 0), present);
        }
    }

    private static KernelRoute routeOf(
        final String kind, final String prefixText, final String gateway, final int interfaceIndex, final int metric)
    {
        final Ipv4Prefix prefix = Ipv4Prefix.parse(prefixText);
        final boolean isLocal = "local".equals(kind) || "broadcast".equals(kind);
        final KernelRoute.Kind routeKind = "via".equals(kind) || "connected".equals(kind) ?
            KernelRoute.Kind.UNICAST : KernelRoute.Kind.valueOf(kind.toUpperCase(Locale.ROOT));
        return new KernelRoute(
            prefix.address(),
            prefix.length(),
            isLocal ? KernelRoute.TABLE_LOCAL : KernelRoute.TABLE_MAIN,
            metric,
            routeKind,
            gateway == null ? 0 : Ipv4Address.parse(gateway),
            interfaceIndex);
    }
}
