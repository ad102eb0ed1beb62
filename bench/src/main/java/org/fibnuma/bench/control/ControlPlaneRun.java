package org.fibnuma.bench.control;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RouteView;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.Ipv6RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Applies changes of one family to the router's tables for two interfaces as a kernel would report them; no kernel is
 * involved.
 */
final class ControlPlaneRun implements AutoCloseable
{
    private static final int LEFT = 11;
    private static final int RIGHT = 12;
    private static final int REPEATS = 100;
    /** Number of routes in one datagram of a netlink dump. */
    private static final int ROUTES_PER_STEP = 600;
    private static final int MTU = 1500;
    private static final int FLAP_STRIDE = 10;
    private static final int PAGE = 2000;
    /** Number of new next hops; with those of the routes they need codes of more than 8 bits. */
    private static final int NEW_NEXT_HOPS = 250;
    private static final int NEXT_HOPS = 250;
    /** {@code 2000::/3}, in which global unicast addresses are (RFC 4291 section 2.4, IANA). */
    private static final long GLOBAL_UNICAST = 0x2000_0000_0000_0000L;
    private static final int GLOBAL_UNICAST_BITS = 3;
    private static final long RIGHT_MAC = 0x0200_0000_0002L;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final RoutingTables tables = new RoutingTables(
        List.of(), new LinkTable(new int[]{ LEFT, RIGHT }),
        new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(2), epochs));
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final IpPrefix leftNetwork;
    private final IpPrefix rightNetwork;
    private final IpPrefix changingNetwork;
    private final IpPrefix[] prefixes;
    private final IpAddress[] gateways;
    private final ListedRoute route = new ListedRoute();
    private final boolean isIpv6;
    private final StopWatcher watcher;
    private final ControlPlaneResult result;

    ControlPlaneRun(final boolean isIpv6, final int count)
    {
        this.isIpv6 = isIpv6;
        leftNetwork = IpPrefix.parse(isIpv6 ? "2001:db8:ff::/64" : "10.255.0.0/24");
        rightNetwork = IpPrefix.parse(isIpv6 ? "2001:db8:ff:1::/64" : "10.255.1.0/24");
        changingNetwork = IpPrefix.parse(isIpv6 ? "2001:db8:ff:7::/64" : "10.254.7.0/24");
        prefixes = new IpPrefix[count];
        gateways = new IpAddress[count];
        if (isIpv6)
        {
            tables.forwardIpv6();
            generateIpv6();
        }
        else
        {
            generateIpv4();
        }
        result = new ControlPlaneResult(count);
        watcher = new StopWatcher(
            isIpv6 ? bits -> ipv6Fib.lookup(GLOBAL_UNICAST | bits >>> GLOBAL_UNICAST_BITS, bits) :
                bits -> fib.lookup((int)(bits >>> Integer.SIZE)),
            epochs);
    }

    private void generateIpv4()
    {
        final RouteList routes = new RouteTableGenerator().generate(prefixes.length);
        for (int i = 0; i < prefixes.length; i++)
        {
            set(i, IpPrefix.of(routes.prefix(i), routes.length(i)), routes.nextHop(i));
        }
    }

    private void generateIpv6()
    {
        final Ipv6RouteList routes = new Ipv6RouteTableGenerator().generate(prefixes.length);
        for (int i = 0; i < prefixes.length; i++)
        {
            final IpPrefix prefix =
                IpPrefix.of(routes.prefix(i).high(), routes.prefix(i).low(), routes.prefix(i).length());
            set(i, prefix, (int)routes.nextHop(i).low());
        }
    }

    private void set(final int i, final IpPrefix prefix, final int nextHop)
    {
        prefixes[i] = prefix;
        gateways[i] = host(rightNetwork, 2 + Math.floorMod(nextHop, NEXT_HOPS));
    }

    private static IpAddress host(final IpPrefix network, final int number)
    {
        return new IpAddress(network.high(), network.low() | number);
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
        measure("page", prefixes.length / PAGE, i -> after[0] = page(after[0]));
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
        return (prefixes.length + ROUTES_PER_STEP - 1) / ROUTES_PER_STEP;
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
        final long cpuStart = cpuBefore;
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
            name, steps, before - start, cpuBefore - cpuStart, longest, longestCpu, allocatedBytes, watcher.pauses(),
            watcher.safepoints(), collections() - collections));
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
        connected(LEFT, leftNetwork, true);
        connected(RIGHT, rightNetwork, true);
        for (int host = 2; host < 254; host++)
        {
            tables.onNeighbor(new KernelNeighbor(
                RIGHT, host(rightNetwork, host), 0x0200_0000_1000L + host,
                KernelNeighbor.State.USABLE), true);
        }
    }

    private void link(final int index, final long mac)
    {
        tables.onLink(new KernelLink(index, index == LEFT ? "left" : "right", mac, MTU, true), true);
    }

    private void address(final boolean present)
    {
        connected(LEFT, changingNetwork, present);
    }

    private void connected(final int interfaceIndex, final IpPrefix network, final boolean present)
    {
        final IpAddress address = host(network, 1);
        tables.onAddress(new KernelAddress(interfaceIndex, address, network.length()), present);
        local(interfaceIndex, address, KernelRoute.Kind.LOCAL, present);
        // The subnet-router anycast address (RFC 4291 section 2.6.1), or the broadcast address.
        local(interfaceIndex, isIpv6 ? network.first() : network.last(),
            isIpv6 ? KernelRoute.Kind.LOCAL : KernelRoute.Kind.BROADCAST, present);
        tables.onRoute(new KernelRoute(isIpv6, network.first(), network.length(), KernelRoute.TABLE_MAIN, 0,
            KernelRoute.Kind.UNICAST, IpAddress.NONE, interfaceIndex), present);
    }

    private void local(
        final int interfaceIndex, final IpAddress address, final KernelRoute.Kind kind, final boolean present)
    {
        tables.onRoute(new KernelRoute(isIpv6, address, isIpv6 ? Ipv6Address.BITS : Integer.SIZE,
            KernelRoute.TABLE_LOCAL, 0, kind, IpAddress.NONE, interfaceIndex), present);
    }

    private void notifyRoutes(final int step)
    {
        final int end = Math.min(prefixes.length, (step + 1) * ROUTES_PER_STEP);
        for (int i = step * ROUTES_PER_STEP; i < end; i++)
        {
            notifyRoute(i, true);
        }
    }

    private void flap(final int step, final boolean present)
    {
        final int end = Math.min(prefixes.length, (step + 1) * ROUTES_PER_STEP);
        for (int i = step * ROUTES_PER_STEP; i < end; i += FLAP_STRIDE)
        {
            notifyRoute(i, present);
        }
    }

    private void notifyRoute(final int i, final boolean present)
    {
        tables.onRoute(route.set(prefixes[i], RIGHT, gateways[i]), present);
    }

    /** Adds a route over a next hop that no other route has; one of these makes the codes of the whole FIB wider. */
    private void notifyNewNextHop(final int i)
    {
        final IpPrefix prefix =
            isIpv6 ? IpPrefix.of(0x2001_0DB8_0100_0000L | (long)i << Short.SIZE, 0, 48) :
            IpPrefix.of(0xC612_0000 | i << Byte.SIZE, 24);
        tables.onRoute(route.set(prefix, LEFT, host(leftNetwork, 2 + i)), true);
    }

    private IpPrefix page(final IpPrefix after)
    {
        final IpPrefix all = isIpv6 ? IpPrefix.of(0, 0, 0) : IpPrefix.of(0, 0);
        final List<RouteView> views = tables.routesIn(KernelRoute.TABLE_MAIN, all, after, PAGE);
        return views.isEmpty() ? after : views.get(views.size() - 1).prefix();
    }
}
