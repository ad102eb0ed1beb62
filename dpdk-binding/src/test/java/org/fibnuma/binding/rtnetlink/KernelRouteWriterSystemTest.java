package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.wire.Ipv4Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(180)
class KernelRouteWriterSystemTest
{
    private static final int ROUTES = 1_000_000;
    // A veth's carrier comes up a moment after the interface.
    private static final long CARRIER_NS = 100_000_000;
    private static final int CHANGES = 200;
    private static final int FIRST_PREFIX = Ipv4Address.parse("20.0.0.0");
    private static final int GATEWAY = Ipv4Address.parse("10.0.0.2");

    private KernelNamespace namespace;
    private KernelRouteWriter writer;
    private RtnetlinkKernelNetwork network;
    private int index;

    @BeforeEach
    void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        namespace = new KernelNamespace();
        namespace.ipEach("link add v0 type veth peer name v1", "link set v1 up", "link set v0 up",
            "addr add 10.0.0.1/24 dev v0");
        index = new IpRoute2(namespace).read().indexOf("v0");
        writer = NetworkNamespace.call(namespace.name(), KernelRouteWriter::new);
        network = namespace.open(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH);
    }

    @AfterEach
    void close()
    {
        if (network != null)
        {
            network.close();
        }
        if (writer != null)
        {
            writer.close();
        }
        if (namespace != null)
        {
            namespace.close();
        }
    }

    @Test
    void shouldInstallAndRemoveEachKind()
    {
        final IpRoute2 reference = new IpRoute2(namespace);
        final KernelTables tables = new KernelTables();
        final KernelRoute[] routes = {
            route("192.0.2.0", 24, 0, KernelRoute.Kind.UNICAST, GATEWAY, index),
            route("192.0.2.0", 24, 5, KernelRoute.Kind.UNICAST, 0, index),
            route("198.51.100.7", 32, 0, KernelRoute.Kind.BLACKHOLE, 0, 0),
            route("198.51.100.0", 24, 4, KernelRoute.Kind.UNREACHABLE, 0, 0),
            route("0.0.0.0", 0, 0, KernelRoute.Kind.PROHIBIT, 0, 0)
        };
        network.dump(tables);
        final int before = tables.routes.size();

        for (final KernelRoute route : routes)
        {
            writer.put(route);
        }
        writer.flush();
        network.poll(tables);

        final Set<KernelRoute> installed = withoutOptions(tables.routes.values());
        assertEquals(Set.copyOf(reference.read().routes().values()), installed);
        for (final KernelRoute route : routes)
        {
            assertTrue(installed.contains(route), route.toString());
            writer.remove(route);
        }
        writer.flush();
        network.poll(tables);
        assertEquals(Set.copyOf(reference.read().routes().values()), withoutOptions(tables.routes.values()));
        assertEquals(before, tables.routes.size());
    }

    @Test
    void shouldNameTheRouteThatTheKernelRefuses()
    {
        writer.put(route("192.0.2.0", 24, 0, KernelRoute.Kind.UNICAST, GATEWAY, index));
        writer.put(route("192.0.3.0", 24, 0, KernelRoute.Kind.UNICAST, Ipv4Address.parse("172.31.0.1"), 0));
        writer.put(route("192.0.4.0", 24, 0, KernelRoute.Kind.UNICAST, GATEWAY, index));

        final UserException ex = assertThrows(UserException.class, () -> writer.flush());

        assertTrue(ex.getMessage().contains("192.0.3.0/24"), ex.getMessage());
        assertTrue(ex.getMessage().contains("Nexthop has invalid gateway"), ex.getMessage());
    }

    @Test
    void shouldTellOfAChangeAtOnce()
    {
        final KernelTables tables = new KernelTables();
        network.dump(tables);
        final long[] latencyNs = new long[CHANGES];
        for (int i = 0; i < CHANGES; i++)
        {
            final KernelRoute route = new KernelRoute(
                FIRST_PREFIX + (i << 8), 24, KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, GATEWAY, index);
            final long start = System.nanoTime();
            writer.put(route);
            writer.flush();
            while (!tables.routes.containsValue(route) && System.nanoTime() - start < 1_000_000_000)
            {
                network.poll(tables);
            }
            latencyNs[i] = System.nanoTime() - start;
            assertTrue(latencyNs[i] < 1_000_000_000, "not told within a second");
        }
        Arrays.sort(latencyNs);
        System.out.printf("route asked for to event: median %d us, worst %d us%n",
            latencyNs[CHANGES / 2] / 1000, latencyNs[CHANGES - 1] / 1000);
    }

    @Test
    void shouldDumpAndFollowAMillionRoutes()
    {
        final Count count = new Count();
        network.dump(count);
        LockSupport.parkNanos(CARRIER_NS);
        network.poll(count);
        final int dumpedBefore = count.dumps;

        final long start = System.nanoTime();
        final int followed = putAMillion(count);
        final long installed = System.nanoTime();
        count.mainRoutes = 0;
        network.dump(count);
        final long dumped = System.nanoTime();

        System.out.printf("1,000,000 kernel routes: installed and followed in %d ms, dumped in %d ms%n",
            (installed - start) / 1_000_000, (dumped - installed) / 1_000_000);
        assertEquals(ROUTES, followed);
        assertEquals(dumpedBefore + 1, count.dumps, "notifications were lost");
        assertEquals(ROUTES + 1, count.mainRoutes);
        assertTrue(dumped - installed < 10_000_000_000L, "dump took " + (dumped - installed) / 1_000_000 + " ms");
    }

    private int putAMillion(final Count count)
    {
        count.mainRoutes = 0;
        for (int i = 0; i < ROUTES; i++)
        {
            writer.put(new KernelRoute(FIRST_PREFIX + (i << 8), 24, KernelRoute.TABLE_MAIN, 0,
                KernelRoute.Kind.UNICAST, GATEWAY + i % 100, index));
            if (i % 1000 == 0)
            {
                network.poll(count);
            }
        }
        writer.flush();
        while (network.poll(count) > 0)
        {
            assertTrue(count.mainRoutes <= ROUTES);
        }
        return count.mainRoutes;
    }

    private static KernelRoute route(final String prefix, final int length, final int metric,
        final KernelRoute.Kind kind, final int gateway, final int interfaceIndex)
    {
        return new KernelRoute(
            Ipv4Address.parse(prefix), length, KernelRoute.TABLE_MAIN, metric, kind, gateway, interfaceIndex);
    }

    /** Counts dumps and routes of the main table. */
    private static final class Count implements KernelNetworkListener
    {
        private int mainRoutes;
        private int dumps;

        @Override
        public void onDumpStart()
        {
        }

        @Override
        public void onDumpEnd()
        {
            dumps++;
        }

        @Override
        public void onLink(final KernelLink link, final boolean present)
        {
        }

        @Override
        public void onAddress(final KernelAddress address, final boolean present)
        {
        }

        @Override
        public void onNeighbor(final KernelNeighbor neighbor, final boolean present)
        {
        }

        @Override
        public void onRoute(final KernelRouteView route, final boolean present)
        {
            mainRoutes += route.table() == KernelRoute.TABLE_MAIN ? 1 : 0;
        }
    }

    private static Set<KernelRoute> withoutOptions(final Collection<KernelRoute> routes)
    {
        return routes.stream().map(KernelTestBed::withoutOptions).collect(Collectors.toSet());
    }
}
