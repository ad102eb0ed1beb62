package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.LEFT_MAC;
import static org.fibnuma.fibnic.rib.TestKernel.MANAGEMENT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT_MAC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6RoutingTablesTest
{
    private static final String MAC_A = "02:00:00:00:00:0a";
    private static final String MAC_B = "02:00:00:00:00:0b";

    private final TestKernel kernel = TestKernel.startedWithIpv6();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldGleanInsideConnectedNetworks()
    {
        assertEquals("port 0 glean mtu 1500", kernel.lookup("2001:db8::77"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("2001:db8:1::77"));
        assertEquals("NO_ROUTE", kernel.lookup("2001:db8:2::1"));
        assertEquals("KERNEL", kernel.lookup("2001:db8:9::1"));
    }

    @Test
    void shouldKnowOwnAddressesAndLeaveMulticastToTheKernel()
    {
        assertEquals("LOCAL", kernel.lookup("2001:db8::1"));
        assertEquals("LOCAL", kernel.lookup("fe80::2"));
        assertEquals("PUNT", kernel.lookup("ff02::1"));
    }

    @Test
    void shouldLeaveDestinationsOfSourceSpecificRoutesToTheKernelWithOneWarning()
    {
        final List<String> log = LoggedLines.of(RouteTranslation.class, () ->
        {
            kernel.route("blackhole", "2001:db8:5::/48", null, 0, 1);
            kernel.route("blackhole", "2001:db8:5:1::/64", null, 0, 1);
            for (int i = 0; i < 2; i++)
            {
                kernel.route("source_specific", "2001:db8:5::/48", null, 0, 0);
                kernel.route("source_specific", "::/0", null, 0, 0);
            }
        });
        assertEquals("PUNT", kernel.lookup("2001:db8:5::1"));
        assertEquals("PUNT", kernel.lookup("3fff::1"));
        assertEquals("BLACKHOLE", kernel.lookup("2001:db8:5:1::1"), "the longer prefix is preferred");
        assertEquals(1, log.size());
        assertTrue(log.get(0).contains("first to 2001:db8:5::/48:"));

        kernel.routeGone("source_specific", "2001:db8:5::/48", null, 0, 0);
        assertEquals("BLACKHOLE", kernel.lookup("2001:db8:5::1"));
    }

    /** RFC 4291 has no broadcast addresses: the last address of a network is one of its hosts'. */
    @Test
    void shouldForwardToTheFirstAndTheLastAddressOfANetwork()
    {
        for (final String address : List.of("2001:db8:1::", "2001:db8:1:0:ffff:ffff:ffff:ffff"))
        {
            kernel.neighbor(RIGHT, address, MAC_A);
            assertEquals("port 1 via " + address + " " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
                kernel.lookup(address));
        }
    }

    @Test
    void shouldTellPortsAndWorkersEveryLocalAddressButTheLoopback()
    {
        final Set<String> ipv6 = kernel.right().localAddresses().stream()
            .filter(address -> address.indexOf(':') >= 0).collect(Collectors.toSet());
        assertEquals(Set.of("2001:db8::1", "2001:db8:1::1", "fe80::2"), ipv6);
        assertTrue(mayBeOurs("2001:db8::1"));
        assertFalse(mayBeOurs("2001:db8::2"));

        kernel.addressGone(RIGHT, "2001:db8:1::1/64");

        assertFalse(kernel.left().localAddresses().contains("2001:db8:1::1"));
        assertFalse(mayBeOurs("2001:db8:1::1"));
    }

    private boolean mayBeOurs(final String text)
    {
        final IpAddress address = IpAddress.parse(text);
        return kernel.interfaces().hostAddresses().mayContain(address.high(), address.low());
    }

    @Test
    void shouldShowWorkersTheAddressesOfAPort()
    {
        assertEquals(List.of("fe80::2", "2001:db8::1"), kernel.interfaces().get(0).ipv6Addresses().stream()
            .map(address -> address.address().toString()).toList());
        assertEquals(List.of("10.0.0.1/24", "fe80::2/64", "2001:db8::1/64"), kernel.tables().addressesOf(0).stream()
            .map(address -> address.address() + "/" + address.prefixLength()).toList());
    }

    @Test
    void shouldFollowAGatewayThroughItsLife()
    {
        kernel.route("via", "2001:db8:f::/48", "2001:db8:1::2", RIGHT);
        assertEquals("port 1 via 2001:db8:1::2 unresolved mtu 1400", kernel.lookup("2001:db8:f::9"));

        kernel.neighbor(RIGHT, "2001:db8:1::2", MAC_A);
        assertEquals("port 1 via 2001:db8:1::2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("2001:db8:f::9"));

        kernel.neighbor(RIGHT, "2001:db8:1::2", MAC_B);
        kernel.link(RIGHT, "right", MAC_A, 1280, true);
        assertEquals("port 1 via 2001:db8:1::2 " + MAC_B + " from " + MAC_A + " mtu 1280",
            kernel.lookup("2001:db8:f::9"));

        kernel.neighborGone(RIGHT, "2001:db8:1::2");
        kernel.link(RIGHT, "right", MAC_A, 1280, false);
        assertEquals("UNREACHABLE", kernel.lookup("2001:db8:f::9"));
    }

    /** RFC 4291 section 2.5.6: the same link-local address is another neighbour on another link. */
    @Test
    void shouldKeyLinkLocalGatewaysWithTheirInterface()
    {
        kernel.route("via", "2001:db8:e::/48", "fe80::9", LEFT);
        kernel.route("via", "2001:db8:f::/48", "fe80::9", RIGHT);
        kernel.neighbor(RIGHT, "fe80::9", MAC_A);
        assertEquals("port 0 via fe80::9 unresolved mtu 1500", kernel.lookup("2001:db8:e::1"));
        assertEquals("port 1 via fe80::9 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("2001:db8:f::1"));

        kernel.neighbor(LEFT, "fe80::9", MAC_B);
        kernel.neighborGone(RIGHT, "fe80::9");

        assertEquals("port 0 via fe80::9 " + MAC_B + " from " + LEFT_MAC + " mtu 1500",
            kernel.lookup("2001:db8:e::1"));
        assertEquals("port 1 via fe80::9 unresolved mtu 1400", kernel.lookup("2001:db8:f::1"));
        assertEquals("port 0 glean mtu 1500", kernel.lookup("fe80::9"), "not forwarded to, so no host route");
    }

    /** RFC 8950: an IPv4 route by an IPv6 next hop shares the adjacency of the IPv6 routes by it. */
    @Test
    void shouldForwardIpv4ByIpv6NextHops()
    {
        kernel.route("via", "192.0.2.0/24", "fe80::9", RIGHT);
        kernel.route("via", "2001:db8:f::/48", "fe80::9", RIGHT);
        assertEquals("port 1 via fe80::9 unresolved mtu 1400", kernel.lookup("192.0.2.1"));
        assertEquals(kernel.adjacencyIndex("192.0.2.1"), kernel.adjacencyIndex("2001:db8:f::1"));

        kernel.neighbor(RIGHT, "fe80::9", MAC_A);
        assertEquals("port 1 via fe80::9 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("192.0.2.1"));

        kernel.routeGone("via", "2001:db8:f::/48", "fe80::9", RIGHT, 0);
        assertEquals("port 1 via fe80::9 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("192.0.2.1"));
        assertEquals("NO_ROUTE", kernel.lookup("2001:db8:f::1"));
    }

    @Test
    void shouldPreferTheLowestMetricAndUncoverTheShorterPrefix()
    {
        kernel.route("via", "2001:db8:f::/48", "2001:db8:1::2", RIGHT, 1024);
        kernel.route("via", "2001:db8:f::/48", "2001:db8::2", LEFT, 20);
        kernel.route("blackhole", "2001:db8:f::1/128", null, 0);
        assertEquals("BLACKHOLE", kernel.lookup("2001:db8:f::1"));
        assertEquals("port 0 via 2001:db8::2 unresolved mtu 1500", kernel.lookup("2001:db8:f::2"));

        kernel.routeGone("blackhole", "2001:db8:f::1/128", null, 0, 0);
        kernel.routeGone("via", "2001:db8:f::/48", "2001:db8::2", LEFT, 20);
        assertEquals("port 1 via 2001:db8:1::2 unresolved mtu 1400", kernel.lookup("2001:db8:f::1"));
    }

    @Test
    void shouldForwardToNeighborsWhoseNetworkComesLater()
    {
        kernel.neighbor(RIGHT, "2001:db8:3::1", MAC_A);
        assertEquals("NO_ROUTE", kernel.lookup("2001:db8:3::1"));
        kernel.address(RIGHT, "2001:db8:3::/127");

        assertEquals("LOCAL", kernel.lookup("2001:db8:3::"));
        assertEquals("port 1 via 2001:db8:3::1 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("2001:db8:3::1"));
        kernel.neighborFailed(RIGHT, "2001:db8:3::1");
        assertEquals("port 1 glean mtu 1400", kernel.lookup("2001:db8:3::1"));
    }

    @Test
    void shouldHideRoutesThatTheLocalTableCovers()
    {
        kernel.route("via", "2001:db8:20:1::/64", "2001:db8:1::2", RIGHT);
        kernel.route("local", "2001:db8:20::/48", null, 1);
        assertEquals("LOCAL", kernel.lookup("2001:db8:20:1::1"));

        kernel.routeGone("local", "2001:db8:20::/48", null, 1, 0);
        assertEquals("port 1 via 2001:db8:1::2 unresolved mtu 1400", kernel.lookup("2001:db8:20:1::1"));
    }

    @Test
    void shouldResolveGatewaysOfTheFileThroughConnectedNetworks()
    {
        addFileRoute("2001:db8:f::/48", "2001:db8:8::2");
        addFileRoute("::/0", "2001:db8:1::2");
        assertEquals("NO_ROUTE", kernel.lookup("2001:db8:f::1"));
        assertEquals("port 1 via 2001:db8:1::2 unresolved mtu 1400", kernel.lookup("2001:4860::8"));

        kernel.address(RIGHT, "2001:db8:8::1/64");
        kernel.neighbor(RIGHT, "2001:db8:8::2", MAC_A);
        assertEquals("port 1 via 2001:db8:8::2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("2001:db8:f::1"));

        kernel.addressGone(RIGHT, "2001:db8:8::1/64");
        assertEquals("NO_ROUTE", kernel.lookup("2001:db8:f::1"));
    }

    /** RFC 8950; the next hop is shared with IPv6 routes, whichever family named it first. */
    @Test
    void shouldResolveIpv6GatewaysOfIpv4RoutesOfTheFile()
    {
        addFileRoute("192.0.2.0/24", "2001:db8:8::2");
        addFileRoute("2001:db8:f::/48", "2001:db8:8::2");
        addFileRoute("198.51.100.0/24", "2001:db8:1::2");
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
        assertEquals("port 1 via 2001:db8:1::2 unresolved mtu 1400", kernel.lookup("198.51.100.1"));

        kernel.address(RIGHT, "2001:db8:8::1/64");
        kernel.neighbor(RIGHT, "2001:db8:8::2", MAC_A);
        final String resolved = "port 1 via 2001:db8:8::2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400";
        assertEquals(resolved, kernel.lookup("192.0.2.1"));
        assertEquals(resolved, kernel.lookup("2001:db8:f::1"));

        kernel.addressGone(RIGHT, "2001:db8:8::1/64");
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
    }

    /** The IPv6 default route contains no IPv4 address, and the other way round. */
    @Test
    void shouldKeepTheFamiliesApart()
    {
        addFileRoute("192.0.2.0/24", "10.8.0.2");
        kernel.neighbor(RIGHT, "10.8.0.2", MAC_A);
        kernel.route("connected", "::/0", null, RIGHT);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("2001:4860::8"));

        kernel.route("connected", "0.0.0.0/0", null, LEFT);
        assertEquals("port 0 via 10.8.0.2 unresolved mtu 1500", kernel.lookup("192.0.2.1"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("2001:4860::8"));
    }

    @Test
    void shouldSweepWhatASecondDumpDoesNotSay()
    {
        kernel.route("via", "2001:db8:e::/48", "2001:db8:1::2", RIGHT);
        kernel.route("via", "2001:db8:f::/48", "2001:db8:1::2", RIGHT);
        kernel.neighbor(RIGHT, "2001:db8:1::2", MAC_A);
        addFileRoute("2001:db8:e::/48", "2001:db8::2");

        kernel.tables().onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.dumpIpv6();
        kernel.route("via", "2001:db8:f::/48", "2001:db8:1::2", RIGHT);
        kernel.tables().onDumpEnd();

        assertEquals("port 0 via 2001:db8::2 unresolved mtu 1500", kernel.lookup("2001:db8:e::1"));
        assertEquals("port 1 via 2001:db8:1::2 unresolved mtu 1400", kernel.lookup("2001:db8:f::1"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("2001:db8:1::2"));
    }

    @Test
    void shouldFollowRoutesAndNeighborsOfAnInterfaceThatBecomesAPort()
    {
        kernel.neighbor(77, "fe80::9", MAC_A);
        kernel.neighbor(77, "2001:db8:7::9", MAC_B);
        kernel.route("via", "2001:db8:f::/48", "fe80::9", 77);
        kernel.route("connected", "2001:db8:7::/64", null, 77);
        assertEquals("KERNEL", kernel.lookup("2001:db8:f::1"));
        final int shared = kernel.adjacencyIndex("2001:db8:f::1");

        kernel.link(77, "right", RIGHT_MAC, 1400, true);
        kernel.tables().onPort(1, 77);

        assertEquals("port 1 via fe80::9 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("2001:db8:f::1"));
        assertEquals("port 1 via 2001:db8:7::9 " + MAC_B + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("2001:db8:7::9"));
        assertNotEquals(shared, kernel.adjacencyIndex("2001:db8:f::1"));
    }

    @Test
    void shouldListTheRoutesOfEachFamily()
    {
        kernel.route("via", "2001:db8:f::/48", "fe80::9", MANAGEMENT, 1024);
        final IpPrefix all = IpPrefix.of(0, 0, 0);
        final List<RouteView> routes = kernel.tables().routesIn(KernelRoute.TABLE_MAIN, all, null, 100);
        assertEquals(
            List.of("::1/128", "2001:db8::/64", "2001:db8::1/128", "2001:db8:1::/64", "2001:db8:1::1/128",
                "2001:db8:9::/64", "2001:db8:f::/48", "fe80::/64", "fe80::2/128", "ff00::/8"),
            routes.stream().map(view -> view.prefix().toString()).toList());
        assertEquals("fe80::9", routes.get(6).gateway().toString());
        assertEquals(10, kernel.tables().prefixCount(true));
        assertTrue(kernel.tables().routesIn(KernelRoute.TABLE_MAIN, IpPrefix.of(0, 0), null, 100).stream()
            .noneMatch(view -> view.prefix().isIpv6()));
        final IpPrefix last = IpPrefix.parse("fe80::2/128");
        assertEquals(List.of("ff00::/8"), kernel.tables().routesIn(KernelRoute.TABLE_MAIN, all, last, 5).stream()
            .map(view -> view.prefix().toString()).toList());
    }

    private void addFileRoute(final String prefix, final String gateway)
    {
        kernel.tables().addFileRoute(IpPrefix.parse(prefix), IpAddress.parse(gateway));
    }
}
