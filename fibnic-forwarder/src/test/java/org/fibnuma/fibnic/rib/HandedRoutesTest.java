package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HandedRoutesTest
{
    private static final int METRIC = 20;
    private static final String LEFT_GATEWAY = "10.0.0.2";
    private static final String RIGHT_GATEWAY = "10.0.1.2";
    private static final String BY_LEFT = "port 0 via 10.0.0.2 unresolved mtu 1500";
    private static final String BY_RIGHT = "port 1 via 10.0.1.2 unresolved mtu 1400";

    private final TestKernel kernel = TestKernel.startedWithIpv6();
    private final HandedRoutes routes = kernel.tables().handedRoutes();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldProgramAndRemoveRoutesOfBothFamilies()
    {
        routes.onConnect();
        add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0);
        add("2001:db8:5::/48", "2001:db8::2", TestKernel.LEFT, 0);
        assertEquals(BY_LEFT, kernel.lookup("192.0.2.1"));
        assertEquals("port 0 via 2001:db8::2 unresolved mtu 1500", kernel.lookup("2001:db8:5::1"));

        routes.onRoute(route("192.0.2.0/24", null, 0), 0, false);
        routes.onRoute(route("2001:db8:5::/48", null, 0), 0, false);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
        assertEquals("NO_ROUTE", kernel.lookup("2001:db8:5::1"));
    }

    /** A connected network is the kernel's; the daemon's route to it is used where the kernel has none. */
    @Test
    void shouldPreferTheKernelsRouteToAPrefix()
    {
        kernel.route("via", "192.0.2.0/24", RIGHT_GATEWAY, TestKernel.RIGHT, 300);
        add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0);
        assertEquals(BY_RIGHT, kernel.lookup("192.0.2.1"));
        kernel.routeGone("via", "192.0.2.0/24", RIGHT_GATEWAY, TestKernel.RIGHT, 300);
        assertEquals(BY_LEFT, kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldSweepWhatTheNextConnectionDoesNotHaveAndKeepTheRestInPlace()
    {
        routes.onConnect();
        add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0);
        add("198.51.100.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0);
        final long fibWrites = kernel.tables().work().fibWrites();

        routes.onConnect();
        assertEquals(BY_LEFT, kernel.lookup("198.51.100.1"), "before the sweep");
        assertTrue(add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0), "a stale route");
        assertFalse(add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0), "a route that is not stale any more");
        assertFalse(add("203.0.113.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0), "a new route");
        sweep();

        assertEquals(BY_LEFT, kernel.lookup("192.0.2.1"));
        assertEquals("NO_ROUTE", kernel.lookup("198.51.100.1"));
        assertEquals(1, routes.swept());
        assertEquals(fibWrites + 2, kernel.tables().work().fibWrites(), "the new one and the removed one");
    }

    /** Dumps of the kernel and connections of the daemon do not take each other's routes for stale. */
    @Test
    void shouldBeSweptApartFromTheKernelsRoutes()
    {
        routes.onConnect();
        add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0);
        routes.onConnect();
        kernel.route("via", "198.51.100.0/24", RIGHT_GATEWAY, TestKernel.RIGHT);
        kernel.tables().onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.dumpIpv6();
        kernel.tables().onDumpEnd();
        assertEquals(BY_LEFT, kernel.lookup("192.0.2.1"), "stale, but not the kernel's");
        assertEquals("NO_ROUTE", kernel.lookup("198.51.100.1"));

        kernel.tables().onDumpStart();
        sweep();
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
        assertEquals("port 0 glean mtu 1500", kernel.lookup("10.0.0.77"), "stale, but not the daemon's");
    }

    @Test
    void shouldChangeTheRoutesOfANextHopObject()
    {
        routes.onConnect();
        add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 11);
        add("198.51.100.0/24", LEFT_GATEWAY, TestKernel.LEFT, 12);
        add("203.0.113.0/24", LEFT_GATEWAY, TestKernel.LEFT, 0);
        routes.onNextHop(11, route("0.0.0.0/0", RIGHT_GATEWAY, TestKernel.RIGHT));
        change();
        assertEquals(BY_RIGHT, kernel.lookup("192.0.2.1"));
        assertEquals(BY_LEFT, kernel.lookup("198.51.100.1"), "another object");
        assertEquals(BY_LEFT, kernel.lookup("203.0.113.1"), "no object");

        routes.onConnect();
        routes.onNextHop(12, route("0.0.0.0/0", RIGHT_GATEWAY, TestKernel.RIGHT));
        change();
        assertEquals(BY_LEFT, kernel.lookup("198.51.100.1"), "a number of an earlier connection");
    }

    @Test
    void shouldListTheRoutes()
    {
        routes.onConnect();
        add("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT, 11);
        final int limit = 1 << 20;
        assertEquals(1, routes.routes(false, 0, limit).size());
        assertEquals(route("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT), routes.routes(false, 0, limit).get(0));
        assertEquals(0, routes.routes(true, 0, limit).size());
        assertNull(routes.routes(false, limit, limit));
    }

    @Test
    void shouldTakeOnlyConnectedNetworksFromTheKernel()
    {
        final ConnectedNetworks connected = new ConnectedNetworks(kernel.tables());
        connected.onRoute(route("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT), true);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
        connected.onRoute(route("192.0.2.0/24", null, TestKernel.LEFT), true);
        assertEquals("port 0 glean mtu 1500", kernel.lookup("192.0.2.1"));
        connected.onRoute(route("192.0.2.0/24", LEFT_GATEWAY, TestKernel.LEFT), true);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"), "replaced by a route through a gateway");
        connected.onRoute(new KernelRoute(0xC0000201, 32, KernelRoute.TABLE_LOCAL, 0, KernelRoute.Kind.LOCAL, 0,
            TestKernel.LEFT), true);
        assertEquals("LOCAL", kernel.lookup("192.0.2.1"));
    }

    private boolean add(final String prefix, final String gateway, final int interfaceIndex, final int nextHopId)
    {
        return routes.onRoute(route(prefix, gateway, interfaceIndex), nextHopId, true);
    }

    private void sweep()
    {
        boolean done;
        do
        {
            done = routes.sweep();
        }
        while (!done);
    }

    private void change()
    {
        boolean changing;
        do
        {
            changing = routes.poll();
        }
        while (changing);
    }

    private static KernelRoute route(final String text, final String gateway, final int interfaceIndex)
    {
        final IpPrefix prefix = IpPrefix.parse(text);
        return new KernelRoute(prefix.isIpv6(), prefix.first(), prefix.length(), KernelRoute.TABLE_MAIN, METRIC,
            KernelRoute.Kind.UNICAST, gateway == null ? IpAddress.NONE : IpAddress.parse(gateway), interfaceIndex);
    }
}
