package org.fibnuma.bench.control;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RouteView;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntConsumer;

/** Applies changes to the router's tables for two interfaces as a kernel would report them; no kernel is involved. */
final class ControlPlaneRun implements AutoCloseable
{
    private static final int LEFT = 11;
    private static final int RIGHT = 12;
    private static final int REPEATS = 100;
    /** Number of routes in one datagram of a netlink dump. */
    private static final int ROUTES_PER_STEP = 600;
    private static final int MTU = 1500;
    private static final int NETWORK_LENGTH = 24;
    private static final int FLAP_STRIDE = 10;
    private static final int PAGE = 2000;
    private static final int LEFT_NETWORK = 0x0AFF_0000;
    private static final int RIGHT_NETWORK = 0x0AFF_0100;
    /** Number of new next hops; with those of the routes they need codes of more than 8 bits. */
    private static final int NEW_NEXT_HOPS = 250;
    private static final int NEW_ROUTES = 0xC612_0000;
    private static final long RIGHT_MAC = 0x0200_0000_0002L;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final RoutingTables tables = new RoutingTables(
        List.of(), new LinkTable(new int[]{ LEFT, RIGHT }),
        new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(2), epochs));
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final RouteList routes;
    private final ListedRoute route = new ListedRoute();
    private final StopWatcher watcher;
    private final ControlPlaneResult result;

    ControlPlaneRun(final int count)
    {
        routes = new RouteTableGenerator().generate(count);
        result = new ControlPlaneResult(routes.size());
        watcher = new StopWatcher(fib, epochs);
    }

    ControlPlaneResult run(final int rounds)
    {
        tables.onDumpStart();
        notifyInterfaces();
        measure("load", steps(), this::notifyRoutes);
        tables.onDumpEnd();
        measure("address", 2 * REPEATS, i -> address(i % 2 == 0));
        measure("mac", REPEATS, i -> link(RIGHT, RIGHT_MAC + (long)i * 0x100));
        measure("duplicate", REPEATS, i -> notifyRoute(0, true));
        measure("flap", rounds * steps(), i -> flap(i % steps(), i / steps() % 2 != 0));
        final IpPrefix[] after = { null };
        measure("page", routes.size() / PAGE, i -> after[0] = page(after[0]));
        for (int round = 1; round <= rounds; round++)
        {
            dump("dump " + round, steps());
        }
        measure("next hops", NEW_NEXT_HOPS, this::notifyNewNextHop);
        dump("half gone", steps() / 2);
        return result;
    }

    @Override
    public void close()
    {
        watcher.close();
        fib.close();
        ipv6Fib.close();
    }

    private void dump(final String name, final int count)
    {
        tables.onDumpStart();
        notifyInterfaces();
        final boolean[] swept = { false };
        measure(name, count, this::notifyRoutes);
        measure(name + " sweep", steps(), i -> swept[0] = swept[0] || tables.onDumpSweep());
        while (!swept[0])
        {
            swept[0] = tables.onDumpSweep();
        }
        tables.onDumpEnd();
    }

    private int steps()
    {
        return (routes.size() + ROUTES_PER_STEP - 1) / ROUTES_PER_STEP;
    }

    private void measure(final String name, final int steps, final IntConsumer step)
    {
        watcher.restart();
        final long collections = collections();
        final long allocated = threads.getCurrentThreadAllocatedBytes();
        final long start = System.nanoTime();
        long before = start;
        long longest = 0;
        long cpuBefore = threads.getCurrentThreadCpuTime();
        long longestCpu = 0;
        for (int i = 0; i < steps; i++)
        {
            step.accept(i);
            epochs.reclaim();
            final long now = System.nanoTime();
            longest = Math.max(longest, now - before);
            before = now;
            final long cpuNow = threads.getCurrentThreadCpuTime();
            longestCpu = Math.max(longestCpu, cpuNow - cpuBefore);
            cpuBefore = cpuNow;
        }
        final long allocatedBytes = threads.getCurrentThreadAllocatedBytes() - allocated;
        watcher.settle();
        result.add(new ControlPlaneResult.Phase(
            name, steps, before - start, longest, longestCpu, allocatedBytes, watcher.pauses(), watcher.safepoints(),
            collections() - collections));
    }

    private static long collections()
    {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    private void notifyInterfaces()
    {
        link(LEFT, RIGHT_MAC - 1);
        link(RIGHT, RIGHT_MAC);
        connected(LEFT, "10.255.0.0", true);
        connected(RIGHT, "10.255.1.0", true);
        for (int host = 2; host < 254; host++)
        {
            tables.onNeighbor(new KernelNeighbor(
                RIGHT, IpAddress.of(RIGHT_NETWORK | host), 0x0200_0000_1000L + host,
                KernelNeighbor.State.USABLE), true);
        }
    }

    private void link(final int index, final long mac)
    {
        tables.onLink(new KernelLink(index, index == LEFT ? "left" : "right", mac, MTU, true), true);
    }

    private void address(final boolean present)
    {
        connected(LEFT, "10.254.7.0", present);
    }

    private void connected(final int interfaceIndex, final String network, final boolean present)
    {
        final int prefix = Ipv4Address.parse(network);
        tables.onAddress(new KernelAddress(interfaceIndex, IpAddress.of(prefix | 1), NETWORK_LENGTH), present);
        tables.onRoute(new KernelRoute(prefix | 1, Integer.SIZE, KernelRoute.TABLE_LOCAL, 0,
            KernelRoute.Kind.LOCAL, 0, interfaceIndex), present);
        tables.onRoute(new KernelRoute(prefix | 0xFF, Integer.SIZE, KernelRoute.TABLE_LOCAL, 0,
            KernelRoute.Kind.BROADCAST, 0, interfaceIndex), present);
        tables.onRoute(new KernelRoute(prefix, NETWORK_LENGTH, KernelRoute.TABLE_MAIN, 0,
            KernelRoute.Kind.UNICAST, 0, interfaceIndex), present);
    }

    private void notifyRoutes(final int step)
    {
        final int end = Math.min(routes.size(), (step + 1) * ROUTES_PER_STEP);
        for (int i = step * ROUTES_PER_STEP; i < end; i++)
        {
            notifyRoute(i, true);
        }
    }

    private void flap(final int step, final boolean present)
    {
        final int end = Math.min(routes.size(), (step + 1) * ROUTES_PER_STEP);
        for (int i = step * ROUTES_PER_STEP; i < end; i += FLAP_STRIDE)
        {
            notifyRoute(i, present);
        }
    }

    private void notifyRoute(final int i, final boolean present)
    {
        final int host = 2 + Math.floorMod(routes.nextHop(i), 250);
        tables.onRoute(
            route.set(routes.prefix(i), routes.length(i), RIGHT, RIGHT_NETWORK | host), present);
    }

    /** Adds a route over a next hop that no other route has; one of these makes the codes of the whole FIB wider. */
    private void notifyNewNextHop(final int i)
    {
        tables.onRoute(
            route.set(NEW_ROUTES | i << Byte.SIZE, NETWORK_LENGTH, LEFT, LEFT_NETWORK | 2 + i), true);
    }

    private IpPrefix page(final IpPrefix after)
    {
        final List<RouteView> views = tables.routesAfter(false, after, PAGE);
        return views.isEmpty() ? after : views.get(views.size() - 1).prefix();
    }

    /** A route of the main table with a gateway; one object serves all routes, as in the netlink decoder. */
    private static final class ListedRoute implements KernelRouteView
    {
        private int prefix;
        private int prefixLength;
        private int interfaceIndex;
        private int gateway;

        ListedRoute set(final int newPrefix, final int newLength, final int newInterface, final int newGateway)
        {
            interfaceIndex = newInterface;
            prefix = newPrefix;
            prefixLength = newLength;
            gateway = newGateway;
            return this;
        }

        @Override
        public boolean isIpv6()
        {
            return false;
        }

        @Override
        public long prefixHigh()
        {
            return 0;
        }

        @Override
        public long prefixLow()
        {
            return IpAddress.mappedLow(prefix);
        }

        @Override
        public int prefixLength()
        {
            return prefixLength;
        }

        @Override
        public int table()
        {
            return KernelRoute.TABLE_MAIN;
        }

        @Override
        public int metric()
        {
            return 0;
        }

        @Override
        public KernelRoute.Kind kind()
        {
            return KernelRoute.Kind.UNICAST;
        }

        @Override
        public long gatewayHigh()
        {
            return 0;
        }

        @Override
        public long gatewayLow()
        {
            return IpAddress.mappedLow(gateway);
        }

        @Override
        public int interfaceIndex()
        {
            return interfaceIndex;
        }
    }
}
