package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.MANAGEMENT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** MTU and source address of routes, and of the interfaces that they leave by. */
class RouteOptionsTest
{
    private static final String MAC_A = "02:00:00:00:00:0a";
    private static final IpAddress SOURCE = IpAddress.parse("10.0.0.1");
    private static final String DESTINATION = "192.0.2.1";

    private final TestKernel kernel = TestKernel.started();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    /** The link of LEFT has an MTU of 1,500 bytes. */
    @Test
    void shouldSendNoLongerPacketsThanTheRouteAllows()
    {
        kernel.neighbor(LEFT, "10.0.0.2", MAC_A);
        route("10.0.0.2", mtu(1400, false), LEFT);
        assertEquals(1400, adjacencyTo(DESTINATION).mtu());
        assertEquals(1400, adjacencyTo(DESTINATION).ipv6Mtu());
        assertEquals(1500, adjacencyTo("10.0.0.2").mtu(), "of the link");

        route("10.0.0.2", mtu(1600, false), LEFT);
        assertEquals(1500, adjacencyTo(DESTINATION).mtu());

        route("10.0.0.2", RouteOptions.NONE, LEFT);
        assertEquals(1500, adjacencyTo(DESTINATION).mtu());
    }

    @Test
    void shouldHaveTheMtuOfIpv6OnTheInterfaceUnlessTheRouteLocksItsOwn()
    {
        kernel.neighbor(LEFT, "10.0.0.2", MAC_A);
        kernel.tables().ipv6Mtu(LEFT, 1300);
        route("10.0.0.2", RouteOptions.NONE, LEFT);
        assertEquals(1300, adjacencyTo(DESTINATION).ipv6Mtu());
        assertEquals(1500, adjacencyTo(DESTINATION).mtu());
        route("10.0.0.2", mtu(1400, false), LEFT);
        assertEquals(1300, adjacencyTo(DESTINATION).ipv6Mtu());
        route("10.0.0.2", mtu(1400, true), LEFT);
        assertEquals(1400, adjacencyTo(DESTINATION).ipv6Mtu());

        kernel.link(LEFT, "left", MAC_A, 1450, true);
        route("10.0.0.2", RouteOptions.NONE, LEFT);
        assertEquals(1450, adjacencyTo(DESTINATION).ipv6Mtu(), "the kernel sets it with that of the link");
    }

    @Test
    void shouldHaveTheOptionsOfTheNetworkForItsHosts()
    {
        kernel.tables().onRoute(new KernelRoute(
            false, IpAddress.parse("198.18.0.0"), 16, KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
            IpAddress.NONE, LEFT, null, new RouteOptions(1300, false, SOURCE, RouteOptions.SCOPE_LINK)), true);
        assertEquals(1300, adjacencyTo("198.18.0.7").mtu());
        assertEquals(AdjacencyKind.GLEAN, adjacencyTo("198.18.0.7").kind());
        kernel.neighbor(LEFT, "198.18.0.7", MAC_A);
        assertEquals(AdjacencyKind.FORWARD, adjacencyTo("198.18.0.7").kind());
        assertEquals(1300, adjacencyTo("198.18.0.7").mtu());
        assertEquals(SOURCE, adjacencyTo("198.18.0.7").options().source());
    }

    /** One neighbour is a next hop for each of the options; all follow it. */
    @Test
    void shouldFollowTheNeighborOfRoutesWithOptions()
    {
        route("10.0.0.2", mtu(1400, false), LEFT);
        assertEquals(AdjacencyKind.UNRESOLVED, adjacencyTo(DESTINATION).kind());
        kernel.neighbor(LEFT, "10.0.0.2", MAC_A);
        assertEquals(AdjacencyKind.FORWARD, adjacencyTo(DESTINATION).kind());
        route("10.0.0.2", mtu(1300, false), LEFT);
        assertEquals(AdjacencyKind.FORWARD, adjacencyTo(DESTINATION).kind());
        assertEquals(1300, adjacencyTo(DESTINATION).mtu());
    }

    @Test
    void shouldHaveTheOptionsOfARouteForEachOfItsNextHops()
    {
        kernel.neighbor(LEFT, "10.0.0.2", MAC_A);
        final List<KernelMultipath.Hop> hops = List.of(
            new KernelMultipath.Hop(KernelRoute.Kind.UNICAST, LEFT, IpAddress.parse("10.0.0.2"), 1),
            new KernelMultipath.Hop(KernelRoute.Kind.UNICAST, RIGHT, IpAddress.parse("10.0.1.2"), 512));
        kernel.tables().onRoute(new KernelRoute(
            false, IpAddress.parse("192.0.2.0"), 24, KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
            IpAddress.parse("10.0.0.2"), LEFT, new KernelMultipath(null, hops), mtu(1280, false)), true);
        final Adjacency group = adjacencyTo(DESTINATION);
        assertEquals(AdjacencyKind.GROUP, group.kind());
        for (int member = 0; member < 2; member++)
        {
            assertEquals(1280, kernel.adjacencies().get(group.group().member(member)).mtu());
        }
    }

    /** As inet_select_addr: an unnumbered interface uses an address of another one, in the order of the interfaces. */
    @Test
    void shouldFindASourceOnAnInterfaceThatIsNoPort()
    {
        kernel.addressGone(LEFT, "10.0.0.1/24");
        kernel.addressGone(RIGHT, "10.0.1.1/24");
        assertEquals(0, kernel.interfaces().sourceFor(0, 0, RouteOptions.SCOPE_LINK));
        kernel.address(MANAGEMENT, "10.255.0.1/32");
        assertEquals(
            Ipv4Address.parse("10.255.0.1"), kernel.interfaces().sourceFor(0, 0, RouteOptions.SCOPE_LINK));
        kernel.address(RIGHT, "10.0.1.1/24");
        assertEquals(
            Ipv4Address.parse("10.0.1.1"), kernel.interfaces().sourceFor(1, 0, RouteOptions.SCOPE_LINK));
    }

    /** The kernel takes the newest of two IPv6 addresses that are alike. */
    @Test
    void shouldFindTheIpv6SourceOfTheIngressInterface()
    {
        try (TestKernel ipv6 = TestKernel.startedWithIpv6())
        {
            final IpAddress sender = IpAddress.parse("2001:db8::77");
            assertEquals(
                IpAddress.parse("2001:db8::1"), ipv6.interfaces().ipv6SourceFor(0, sender.high(), sender.low()));
            assertEquals(
                IpAddress.parse("2001:db8:1::1"), ipv6.interfaces().ipv6SourceFor(1, sender.high(), sender.low()));
            ipv6.address(LEFT, "2001:db8::2/64");
            assertEquals(
                IpAddress.parse("2001:db8::2"), ipv6.interfaces().ipv6SourceFor(0, sender.high(), sender.low()));
        }
    }

    /** The kernel puts a primary address after those of at least its scope, and promotes a secondary one. */
    @Test
    void shouldKeepTheKernelsOrderOfAddresses()
    {
        final int network = Ipv4Address.parse("10.0.0.9");
        final KernelAddress second = new KernelAddress(
            LEFT, IpAddress.parse("10.0.0.7"), 24, RouteOptions.SCOPE_UNIVERSE, true, false);
        kernel.tables().onAddress(second, true);
        kernel.tables().onAddress(new KernelAddress(
            LEFT, IpAddress.parse("192.168.7.1"), 24, RouteOptions.SCOPE_LINK, false, false), true);
        assertEquals(
            Ipv4Address.parse("192.168.7.1"), kernel.interfaces().sourceFor(0, 0, RouteOptions.SCOPE_LINK));
        assertEquals(
            Ipv4Address.parse("10.0.0.1"), kernel.interfaces().sourceFor(0, network, RouteOptions.SCOPE_UNIVERSE));
        kernel.addressGone(LEFT, "10.0.0.1/24");
        kernel.tables().onAddress(new KernelAddress(LEFT, second.address(), 24), true);
        assertEquals(
            Ipv4Address.parse("10.0.0.7"), kernel.interfaces().sourceFor(0, network, RouteOptions.SCOPE_UNIVERSE));
    }

    private static RouteOptions mtu(final int mtu, final boolean locked)
    {
        return new RouteOptions(mtu, locked, IpAddress.NONE, RouteOptions.SCOPE_UNIVERSE);
    }

    private void route(final String gateway, final RouteOptions options, final int interfaceIndex)
    {
        kernel.tables().onRoute(new KernelRoute(
            false, IpAddress.parse("192.0.2.0"), 24, KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
            IpAddress.parse(gateway), interfaceIndex, null, options), true);
    }

    private Adjacency adjacencyTo(final String destination)
    {
        return kernel.adjacencies().get(kernel.adjacencyIndex(destination));
    }
}
