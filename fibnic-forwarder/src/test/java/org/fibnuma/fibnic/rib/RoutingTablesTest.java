package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.LEFT_MAC;
import static org.fibnuma.fibnic.rib.TestKernel.MANAGEMENT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT_MAC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RoutingTablesTest
{
    private static final String MAC_A = "02:00:00:00:00:0a";
    private static final String MAC_B = "02:00:00:00:00:0b";

    private static final int ROUTES = 20_000;
    private static final int MOST_REMOVED_AT_ONCE = 256;

    private final TestKernel kernel = TestKernel.started();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldGleanInsideConnectedNetworks()
    {
        assertEquals("port 0 glean mtu 1500", kernel.lookup("10.0.0.77"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.0.1.77"));
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldKnowOwnAndBroadcastAddresses()
    {
        assertEquals("LOCAL", kernel.lookup("10.0.0.1"));
        assertEquals("BROADCAST", kernel.lookup("10.0.0.255"));
    }

    /** No frame from outside comes from an address of this host, whatever interface that is on. */
    @Test
    void shouldTellTheWorkersEveryLocalAddress()
    {
        kernel.address(MANAGEMENT, "192.168.9.1/24");
        for (final String address : List.of("10.0.0.1", "10.0.0.255", "10.0.1.1", "192.168.9.1", "192.168.9.255"))
        {
            assertTrue(mayBeOurs(address), address);
        }
        assertFalse(mayBeOurs("10.0.0.2"));

        kernel.addressGone(RIGHT, "10.0.1.1/24");

        assertFalse(mayBeOurs("10.0.1.1"));
        assertFalse(mayBeOurs("10.0.1.255"));
        assertTrue(mayBeOurs("10.0.0.1"));
    }

    @Test
    void shouldIgnoreIpv6AndLeaveIpv4ByIpv6NextHopsToTheKernel()
    {
        final int routes = kernel.tables().routeCount(false);
        final IpAddress address = IpAddress.parse("2001:db8::1");
        kernel.tables().onAddress(new KernelAddress(LEFT, address, 64), true);
        kernel.tables().onNeighbor(
            new KernelNeighbor(LEFT, address, 0x0200_0000_000AL, KernelNeighbor.State.USABLE), true);
        kernel.tables().onRoute(new KernelRoute(true, IpAddress.parse("::"), 0, KernelRoute.TABLE_MAIN, 1024,
            KernelRoute.Kind.UNICAST, IpAddress.parse("fe80::1"), LEFT), true);
        assertEquals(routes, kernel.tables().routeCount(false));
        assertEquals(0, kernel.tables().routeCount(true));
        assertEquals(0, kernel.tables().neighbors().size());
        assertEquals(1, kernel.tables().addressesOf(0).size());

        kernel.tables().onRoute(new KernelRoute(false, IpAddress.parse("192.0.2.0"), 24, KernelRoute.TABLE_MAIN, 0,
            KernelRoute.Kind.UNICAST, IpAddress.parse("fe80::1"), LEFT), true);
        assertEquals("PUNT", kernel.lookup("192.0.2.1"));
    }

    private boolean mayBeOurs(final String address)
    {
        return kernel.interfaces().hostAddresses().mayContain(Ipv4Address.parse(address));
    }

    @Test
    void shouldTellTheWorkersTheNetworksOfAPortAndWhetherItSendsRedirects()
    {
        kernel.address(LEFT, "10.9.0.1/16");
        assertEquals(
            Ipv4Address.parse("10.9.0.1"), kernel.interfaces().get(0).sourceFor(Ipv4Address.parse("10.9.8.7"), 0));
        assertTrue(kernel.interfaces().get(0).isOldBroadcast(Ipv4Address.parse("10.9.0.0")));
        assertFalse(kernel.interfaces().get(0).sendsRedirects());

        kernel.tables().sendRedirects(0, true);

        assertTrue(kernel.interfaces().get(0).sendsRedirects());
        assertFalse(kernel.interfaces().get(1).sendsRedirects());
        kernel.addressGone(LEFT, "10.9.0.1/16");
        assertTrue(kernel.interfaces().get(0).sendsRedirects(), "whatever else changes");
        assertFalse(kernel.interfaces().get(0).isOldBroadcast(Ipv4Address.parse("10.9.0.0")));
        kernel.tables().sendRedirects(0, false);
        assertFalse(kernel.interfaces().get(0).sendsRedirects());
    }

    @Test
    void shouldTellEveryPortEveryLocalAddress()
    {
        final Set<String> all =
            Set.of("10.0.0.1", "10.0.0.255", "10.0.1.1", "10.0.1.255");
        assertEquals(all, kernel.left().localAddresses());
        assertEquals(all, kernel.right().localAddresses());

        kernel.addressGone(RIGHT, "10.0.1.1/24");

        assertEquals(Set.of("10.0.0.1", "10.0.0.255"), kernel.left().localAddresses());
    }

    @Test
    void shouldKeepALocalAddressThatMovesToAnotherInterface()
    {
        kernel.route("local", "10.0.0.1/32", null, MANAGEMENT);

        assertTrue(kernel.left().localAddresses().contains("10.0.0.1"));
        assertEquals("LOCAL", kernel.lookup("10.0.0.1"));
    }

    @Test
    void shouldKeepTheHostsPolicyForAnInterfaceThatChanges()
    {
        final InterfacePolicy policy = new InterfacePolicy(true, ReversePath.LOOSE, false);
        kernel.interfaces().set(0, kernel.interfaces().get(0).with(policy));

        kernel.address(LEFT, "10.7.0.1/24");

        assertEquals(policy, kernel.interfaces().get(0).policy());
        assertEquals(InterfacePolicy.OPEN, kernel.interfaces().get(1).policy());
    }

    @Test
    void shouldShowWorkersTheInterfaces()
    {
        kernel.address(LEFT, "10.7.0.1/24");

        assertEquals(
            List.of(Ipv4Address.parse("10.0.0.1"), Ipv4Address.parse("10.7.0.1")),
            kernel.interfaces().get(0).addresses());
        assertEquals(MacAddress.parse(LEFT_MAC), kernel.interfaces().get(0).mac());
        assertEquals(1400, kernel.interfaces().get(1).mtu());

        kernel.link(RIGHT, "right", MAC_A, 1280, true);

        assertEquals(MacAddress.parse(MAC_A), kernel.interfaces().get(1).mac());
        assertEquals(1280, kernel.interfaces().get(1).mtu());
    }

    @Test
    void shouldForwardToANeighborOnceItIsKnown()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);

        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("10.0.1.2"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.0.1.3"));

        kernel.neighborFailed(RIGHT, "10.0.1.2");

        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.0.1.2"));
    }

    /** RFC 1812 section 4.2.3.1: a network's first address was its broadcast address once, and is no host's. */
    @Test
    void shouldHaveNoNeighborAtTheOldBroadcastOfANetwork()
    {
        kernel.neighbor(RIGHT, "10.0.1.0", MAC_A);
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.0.1.0"));

        kernel.address(LEFT, "10.7.0.1/31");
        kernel.neighbor(LEFT, "10.7.0.0", MAC_B);
        assertTrue(kernel.lookup("10.7.0.0").startsWith("port 0 via 10.7.0.0 " + MAC_B), "of two addresses both are");
    }

    @Test
    void shouldHaveAnOldBroadcastForAsLongAsTheAddressInTheNetwork()
    {
        kernel.route("connected", "10.8.0.0/24", null, RIGHT);
        kernel.neighbor(RIGHT, "10.8.0.0", MAC_A);
        final String neighbor = "port 1 via 10.8.0.0 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400";
        assertEquals(neighbor, kernel.lookup("10.8.0.0"));

        final KernelAddress address = new KernelAddress(RIGHT, IpAddress.parse("10.8.0.9"), 24);
        kernel.tables().onAddress(address, true);
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.8.0.0"));

        kernel.tables().onAddress(address, false);
        assertEquals(neighbor, kernel.lookup("10.8.0.0"));
    }

    @Test
    void shouldForwardToTheOldBroadcastWhereItIsToldTo()
    {
        kernel.tables().forwardOldBroadcasts();
        kernel.neighbor(RIGHT, "10.0.1.0", MAC_A);
        assertEquals(
            "port 1 via 10.0.1.0 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("10.0.1.0"));
    }

    @Test
    void shouldFollowAGatewayThroughItsLife()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("192.0.2.9"));

        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("192.0.2.9"));

        kernel.neighbor(RIGHT, "10.0.1.2", MAC_B);
        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_B + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("192.0.2.9"));

        kernel.neighborGone(RIGHT, "10.0.1.2");
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("192.0.2.9"));
    }

    @Test
    void shouldShareOneAdjacencyAmongAllRoutesOfAGateway()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.route("via", "198.51.100.0/24", "10.0.1.2", RIGHT);
        kernel.route("via", "203.0.113.0/24", "10.0.1.3", RIGHT);

        assertEquals(kernel.adjacencyIndex("192.0.2.1"), kernel.adjacencyIndex("198.51.100.1"));
        assertNotEquals(kernel.adjacencyIndex("192.0.2.1"), kernel.adjacencyIndex("203.0.113.1"));
    }

    @Test
    void shouldPreferTheLowestMetric()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT, 100);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", LEFT, 20);
        assertEquals("port 0 via 10.0.0.2 unresolved mtu 1500", kernel.lookup("192.0.2.1"));

        kernel.routeGone("via", "192.0.2.0/24", "10.0.0.2", LEFT, 20);
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("192.0.2.1"));

        kernel.routeGone("via", "192.0.2.0/24", "10.0.1.2", RIGHT, 100);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldTakeMetricsAsUnsigned()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT, -1);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", LEFT, 7);

        assertEquals("port 0 via 10.0.0.2 unresolved mtu 1500", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldReplaceTheRouteOfTheSameMetric()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", LEFT);
        assertEquals("port 0 via 10.0.0.2 unresolved mtu 1500", kernel.lookup("192.0.2.1"));

        kernel.routeGone("via", "192.0.2.0/24", "10.0.0.2", LEFT, 0);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldHoldOneRouteForAPrefixAndMetricWhateverItsNextHop()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", LEFT);
        kernel.route("via", "192.0.2.0/24", "10.0.1.9", RIGHT);
        kernel.route("via", "192.0.2.0/24", "10.0.0.2", LEFT);
        assertEquals("port 0 via 10.0.0.2 unresolved mtu 1500", kernel.lookup("192.0.2.1"));

        kernel.routeGone("via", "192.0.2.0/24", "10.0.1.2", RIGHT, 0);
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldUncoverTheShorterPrefix()
    {
        kernel.route("via", "192.0.0.0/16", "10.0.1.2", RIGHT);
        kernel.route("blackhole", "192.0.2.0/24", null, 0);
        assertEquals("BLACKHOLE", kernel.lookup("192.0.2.1"));

        kernel.routeGone("blackhole", "192.0.2.0/24", null, 0, 0);
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldKnowRoutesThatLeadNowhere()
    {
        kernel.route("unreachable", "192.0.2.0/24", null, 0);
        kernel.route("prohibit", "198.51.100.0/24", null, 0);

        assertEquals("UNREACHABLE", kernel.lookup("192.0.2.1"));
        assertEquals("PROHIBIT", kernel.lookup("198.51.100.1"));
    }

    @Test
    void shouldLeaveToTheKernelWhatLeavesByAnInterfaceThatIsNoPort()
    {
        kernel.route("via", "0.0.0.0/0", "192.168.9.254", MANAGEMENT);

        assertEquals("KERNEL", kernel.lookup("8.8.8.8"));
        assertEquals("KERNEL", kernel.lookup("192.168.9.1"));
    }

    @Test
    void shouldNotLetANeighborHideAnExplicitRoute()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        kernel.route("via", "10.0.1.2/32", "10.0.0.9", LEFT);
        assertEquals("port 0 via 10.0.0.9 unresolved mtu 1500", kernel.lookup("10.0.1.2"));

        kernel.routeGone("via", "10.0.1.2/32", "10.0.0.9", LEFT, 0);
        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("10.0.1.2"));
    }

    @Test
    void shouldNotLetANeighborHideALongerRouteThanItsNetwork()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        kernel.route("blackhole", "10.0.1.0/28", null, 0);

        assertEquals("BLACKHOLE", kernel.lookup("10.0.1.2"));
    }

    @Test
    void shouldIgnoreANeighborOutsideTheNetworkOfItsInterface()
    {
        kernel.neighbor(RIGHT, "10.0.0.2", MAC_A);
        kernel.neighbor(RIGHT, "192.0.2.2", MAC_A);

        assertEquals("port 0 glean mtu 1500", kernel.lookup("10.0.0.2"));
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.2"));
    }

    @Test
    void shouldForwardToANeighborWhoseNetworkComesLater()
    {
        kernel.neighbor(RIGHT, "10.3.0.2", MAC_A);
        kernel.address(RIGHT, "10.3.0.1/24");

        assertEquals(
            "port 1 via 10.3.0.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("10.3.0.2"));
    }

    @Test
    void shouldForwardOnSlash31AndToSlash32Peers()
    {
        kernel.address(RIGHT, "10.4.0.0/31");
        kernel.route("connected", "10.5.0.7/32", null, RIGHT);
        assertEquals("LOCAL", kernel.lookup("10.4.0.0"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.4.0.1"));
        assertEquals("port 1 glean mtu 1400", kernel.lookup("10.5.0.7"));

        kernel.neighbor(RIGHT, "10.4.0.1", MAC_A);
        kernel.neighbor(RIGHT, "10.5.0.7", MAC_B);

        assertEquals(
            "port 1 via 10.4.0.1 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("10.4.0.1"));
        assertEquals(
            "port 1 via 10.5.0.7 " + MAC_B + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("10.5.0.7"));
    }

    @Test
    void shouldAnswerUnreachableWhileALinkIsDown()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);

        kernel.link(RIGHT, "right", RIGHT_MAC, 1400, false);
        assertEquals("UNREACHABLE", kernel.lookup("192.0.2.1"));
        assertEquals("UNREACHABLE", kernel.lookup("10.0.1.77"));

        kernel.link(RIGHT, "right", RIGHT_MAC, 1400, true);
        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldFollowMtuAndOwnMac()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        kernel.link(RIGHT, "right", MAC_B, 1280, true);

        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + MAC_B + " mtu 1280", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldSweepWhatASecondDumpDoesNotSay()
    {
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.route("via", "198.51.100.0/24", "10.0.1.2", RIGHT);
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        kernel.address(LEFT, "10.7.0.1/24");

        kernel.tables().onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.route("via", "198.51.100.0/24", "10.0.1.2", RIGHT);
        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400",
            kernel.lookup("192.0.2.1"),
            "stale routes forward until the dump is complete");
        kernel.tables().onDumpEnd();

        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("198.51.100.1"));
        assertEquals("NO_ROUTE", kernel.lookup("10.7.0.9"));
        assertFalse(kernel.left().localAddresses().contains("10.7.0.1"));
    }

    @Test
    void shouldHideRoutesThatTheLocalTableCovers()
    {
        kernel.route("via", "10.20.1.0/24", "10.0.1.2", RIGHT);
        kernel.route("local", "10.20.0.0/16", null, 1);
        assertEquals("LOCAL", kernel.lookup("10.20.1.1"));
        kernel.route("via", "10.20.2.0/24", "10.0.1.2", RIGHT);
        assertEquals("LOCAL", kernel.lookup("10.20.2.1"));

        kernel.routeGone("local", "10.20.0.0/16", null, 1, 0);
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("10.20.1.1"));
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("10.20.2.1"));
    }

    @Test
    void shouldResolveGatewaysOfTheFileThroughConnectedNetworks()
    {
        addFileRoute("192.0.2.0", 24, "10.8.0.2");
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));

        kernel.address(RIGHT, "10.8.0.1/24");
        assertEquals("port 1 via 10.8.0.2 unresolved mtu 1400", kernel.lookup("192.0.2.1"));

        kernel.neighbor(RIGHT, "10.8.0.2", MAC_A);
        assertEquals(
            "port 1 via 10.8.0.2 " + MAC_A + " from " + RIGHT_MAC + " mtu 1400", kernel.lookup("192.0.2.1"));

        kernel.addressGone(RIGHT, "10.8.0.1/24");
        assertEquals("NO_ROUTE", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldLetTheKernelsRouteWinOverTheFiles()
    {
        addFileRoute("192.0.2.0", 24, "10.0.0.2");
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT, 4096);
        assertEquals("port 1 via 10.0.1.2 unresolved mtu 1400", kernel.lookup("192.0.2.1"));

        kernel.tables().onDumpStart();
        kernel.dumpLinksAndConnected();
        kernel.tables().onDumpEnd();

        assertEquals("port 0 via 10.0.0.2 unresolved mtu 1500", kernel.lookup("192.0.2.1"));
    }

    @Test
    void shouldReuseAnAdjacencyOnlyWhenNoWorkerCanHoldIt()
    {
        final ReaderEpochs.Reader worker = kernel.epochs().register();
        kernel.route("via", "192.0.2.0/24", "10.0.1.2", RIGHT);
        final int first = kernel.adjacencyIndex("192.0.2.1");
        kernel.routeGone("via", "192.0.2.0/24", "10.0.1.2", RIGHT, 0);

        kernel.epochs().reclaim();
        kernel.route("via", "192.0.2.0/24", "10.0.1.3", RIGHT);
        assertNotEquals(first, kernel.adjacencyIndex("192.0.2.1"));

        worker.quiesce();
        kernel.epochs().reclaim();
        kernel.route("via", "198.51.100.0/24", "10.0.1.4", RIGHT);
        assertEquals(first, kernel.adjacencyIndex("198.51.100.1"));
        worker.close();
    }

    @Test
    void shouldTouchNothingButTheConnectedNetworkOfAnAddress()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        loadRoutes();
        final RoutingTables.Work before = kernel.tables().work();

        kernel.address(LEFT, "10.7.0.1/24");
        assertEquals(3, kernel.tables().work().routesTouched() - before.routesTouched(), "own, broadcast, network");
        assertTrue(kernel.tables().work().fibWrites() - before.fibWrites() <= 3);

        kernel.addressGone(LEFT, "10.7.0.1/24");
        assertEquals(6, kernel.tables().work().routesTouched() - before.routesTouched());
        assertTrue(kernel.tables().work().fibWrites() - before.fibWrites() <= 6);
        assertTrue(kernel.tables().work().adjacencyWrites() - before.adjacencyWrites() <= 1, "glean");
    }

    @Test
    void shouldRewriteTheAdjacenciesOfOnePortForItsMac()
    {
        kernel.neighbor(LEFT, "10.0.0.2", MAC_B);
        kernel.neighbor(RIGHT, "10.0.1.2", MAC_A);
        kernel.route("via", "198.51.100.0/24", "10.0.0.2", LEFT);
        loadRoutes();
        final RoutingTables.Work before = kernel.tables().work();
        final String left = kernel.lookup("198.51.100.1");

        kernel.link(RIGHT, "right", MAC_B, 1400, true);

        assertEquals(
            "port 1 via 10.0.1.2 " + MAC_A + " from " + MAC_B + " mtu 1400", kernel.lookup("20.0.0.1"));
        assertEquals(left, kernel.lookup("198.51.100.1"));
        final RoutingTables.Work after = kernel.tables().work();
        assertEquals(0, after.routesTouched() - before.routesTouched());
        assertEquals(0, after.fibWrites() - before.fibWrites());
        assertEquals(1, after.adjacencyWrites() - before.adjacencyWrites());
    }

    @Test
    void shouldRecogniseARouteThatItHas()
    {
        loadRoutes();
        final RoutingTables.Work before = kernel.tables().work();

        loadRoutes();

        assertEquals(before, kernel.tables().work());
    }

    @Test
    void shouldSweepInParts()
    {
        loadRoutes();
        kernel.tables().onDumpStart();
        kernel.dumpLinksAndConnected();
        final RoutingTables.Work before = kernel.tables().work();
        int parts = 0;
        boolean swept = false;
        while (!swept)
        {
            final long touched = kernel.tables().work().routesTouched();
            swept = kernel.tables().onDumpSweep();
            assertTrue(kernel.tables().work().routesTouched() - touched <= MOST_REMOVED_AT_ONCE);
            // A change between two parts counts.
            kernel.route("via", "21.0." + parts % 256 + ".0/24", "10.0.1.9", RIGHT);
            parts++;
        }
        kernel.tables().onDumpEnd();

        assertTrue(parts >= ROUTES / MOST_REMOVED_AT_ONCE, "parts " + parts);
        assertEquals(ROUTES + parts, kernel.tables().work().routesTouched() - before.routesTouched());
        assertEquals("NO_ROUTE", kernel.lookup("20.0.0.1"));
        assertEquals("port 1 via 10.0.1.9 unresolved mtu 1400", kernel.lookup("21.0.0.1"));
    }

    private void loadRoutes()
    {
        for (int i = 0; i < ROUTES; i++)
        {
            kernel.route("via", "20." + (i >> 8) + "." + (i & 0xFF) + ".0/24", "10.0.1.2", RIGHT);
        }
    }

    private void addFileRoute(final String prefix, final int length, final String gateway)
    {
        kernel.tables().addFileRoute(IpPrefix.of(IpAddress.parse(prefix), length), IpAddress.parse(gateway));
    }
}
