package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.fibnuma.core.kernel.KernelRoute.TABLE_LOCAL;
import static org.fibnuma.core.kernel.KernelRoute.TABLE_MAIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RouteDecoderTest
{
    private final NextHops nextHops = new NextHops();
    private final RouteDecoder routes = new RouteDecoder(nextHops, new InterfaceStates());

    @Test
    void shouldReadAGatewayAndAMetric()
    {
        assertEquals(
            new KernelRoute(0xC0000200, 24, TABLE_MAIN, 7, KernelRoute.Kind.UNICAST, 0x0A000002, 3),
            decode(Samples.ROUTE));
        assertFalse(routes.isDead());
    }

    @Test
    void shouldReadTheDefaultRoute()
    {
        assertEquals(
            new KernelRoute(0, 0, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, 0x0A0000FE, 3),
            decode(Samples.DEFAULT_ROUTE));
    }

    @Test
    void shouldReadTheLocalTable()
    {
        assertEquals(
            new KernelRoute(0x0A000001, 32, TABLE_LOCAL, 0, KernelRoute.Kind.LOCAL, 0, 3),
            decode(Samples.LOCAL_ROUTE));
        assertEquals(
            new KernelRoute(0x0A0000FF, 32, TABLE_LOCAL, 0, KernelRoute.Kind.BROADCAST, 0, 3),
            decode(Samples.BROADCAST_ROUTE));
    }

    @Test
    void shouldReadRoutesThatLeadNowhere()
    {
        assertEquals(KernelRoute.Kind.BLACKHOLE, decode(Samples.BLACKHOLE_ROUTE).kind());
        assertEquals(KernelRoute.Kind.UNREACHABLE, decode(Samples.UNREACHABLE_ROUTE).kind());
        assertEquals(KernelRoute.Kind.PROHIBIT, decode(Samples.PROHIBIT_ROUTE).kind());
        assertEquals(
            new KernelRoute(0xCB007100, 24, TABLE_MAIN, 0, KernelRoute.Kind.OTHER, 0, 0), decode(Samples.THROW_ROUTE));
    }

    @Test
    void shouldTellTheRoutesThatTheKernelMakesForAddresses()
    {
        final String network =
            "02 18 00 00 fe 02 fd 01 00000000" + "0800 0100 0a000000" + "0800 0700 0a000001" + "0800 0400 03000000";
        assertTrue(isOwn(network));
        assertTrue(isOwn(network + "0800 0600 64000000"), "with a metric");
        assertTrue(isOwn(Samples.LOCAL_ROUTE));
        assertTrue(isOwn(Samples.BROADCAST_ROUTE));
        assertTrue(isOwn(Samples.IPV6_LOCAL_ROUTE));
        assertTrue(isOwn(Samples.IPV6_ANYCAST_ROUTE));
        assertFalse(isOwn(network.replace("fe 02", "fe 03")), "another protocol");
        assertFalse(isOwn(network.replace("02 fd", "02 fe")), "a network of scope host");
        assertFalse(isOwn(Samples.LOCAL_ROUTE.replace("02 fe", "02 fd")), "a local address of scope link");
        assertFalse(isOwn(network.replace("18 00 00", "18 00 10")), "with a TOS");
        assertFalse(isOwn(network + "0800 0500 0a000002"), "with a gateway");
        assertFalse(isOwn(network + "0800 1e00 07000000"), "with a next-hop object");
        assertFalse(isOwn(Samples.MULTIPATH_ROUTE.replace("fe 03 00", "fe 02 fd")));
        assertFalse(isOwn(Samples.IPV6_ROUTE.replace("fe 03", "fe 02")), "with a gateway");
        assertFalse(isOwn(Samples.IPV6_UNREACHABLE_ROUTE.replace("fe 03", "fe 02")));
        assertFalse(isOwn(Samples.IPV6_SOURCE_ROUTE.replace("fe 03", "fe 02")));
    }

    private boolean isOwn(final String sample)
    {
        decode(sample);
        return routes.isOwn();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        Samples.IPV6_TOS_ROUTE, Samples.IPV6_CLONED_ROUTE, Samples.IPV4_SOURCE_ROUTE,
        Samples.IPV6_LINK_LOCAL_ROUTE, Samples.IPV6_MULTICAST_ROUTE
    })
    void shouldPassOverWhatIsNotForUs(final String sample)
    {
        assertNull(decode(sample));
    }

    /** A number above 255 is not in the header of the message. */
    @Test
    void shouldReadTheNumberOfTheTable()
    {
        assertEquals(77, decode(Samples.OTHER_TABLE_ROUTE).table());
        assertEquals(1254, decode(Samples.LARGE_TABLE_ROUTE).table());
    }

    @Test
    void shouldLeaveToTheKernelWhatOnlyTheKernelCanDo()
    {
        assertEquals(KernelRoute.Kind.OTHER, decode(Samples.ENCAPSULATED_ROUTE).kind());
        assertEquals(KernelRoute.Kind.UNICAST, decode(Samples.ROUTE).kind());
    }

    @Test
    void shouldTakeTheFirstOfSeveralNextHopsThatTheKernelUses()
    {
        assertEquals(
            new KernelRoute(0xC6336400, 24, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, 0x0A000002, 3),
            firstHopOf(decode(Samples.MULTIPATH_ROUTE)));
        assertEquals(
            new KernelRoute(0xC6336400, 24, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, 0x0A090002, 4),
            decode(Samples.HALF_DEAD_ROUTE));
        assertFalse(routes.isDead());
    }

    @Test
    void shouldTellARouteThatTheKernelPassesOver()
    {
        decode(Samples.DEAD_ROUTE);
        assertTrue(routes.isDead());
        assertEquals(IpAddress.mappedLow(0x0A000002), decode(Samples.ALL_DEAD_ROUTE).gatewayLow());
        assertTrue(routes.isDead());
        decode(Samples.ROUTE);
        assertFalse(routes.isDead());
    }

    @Test
    void shouldFollowNextHopObjects()
    {
        assertEquals(KernelRoute.Kind.OTHER, decode(Samples.NEXT_HOP_7_ROUTE).kind());

        learn(Samples.NEXT_HOP_7);
        assertEquals(
            new KernelRoute(0xCB007300, 24, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, 0x0A000002, 3),
            decode(Samples.NEXT_HOP_7_ROUTE));

        learn(Samples.BLACKHOLE_NEXT_HOP_7);
        assertEquals(
            new KernelRoute(0xCB007300, 24, TABLE_MAIN, 0, KernelRoute.Kind.BLACKHOLE, 0, 0),
            decode(Samples.NEXT_HOP_7_ROUTE));

        learn(Samples.IPV6_NEXT_HOP_7);
        assertEquals(
            new KernelRoute(false, IpAddress.parse("203.0.115.0"), 24, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
                IpAddress.parse("fe80::1"), 3),
            decode(Samples.NEXT_HOP_7_ROUTE));
    }

    @Test
    void shouldReadAnIpv4RouteByAnIpv6NextHop()
    {
        final KernelRoute route = decode(Samples.VIA_IPV6_ROUTE);

        assertEquals(
            new KernelRoute(false, IpAddress.parse("203.0.114.0"), 24, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
                IpAddress.parse("fe80::1"), 3),
            route);
        assertTrue(route.hasIpv6Gateway());
        assertFalse(decode(Samples.ROUTE).hasIpv6Gateway());
    }

    @Test
    void shouldReadIpv6Routes()
    {
        assertEquals(ipv6("2001:db8:5::", 48, 1024, "fe80::1", 3), decode(Samples.IPV6_ROUTE));
        assertEquals(ipv6("2001:db8:5::", 48, 1024, "::", 3), decode(Samples.IPV6_ROUTE_WITHOUT_METRIC));
        assertEquals(ipv6("::", 0, 1024, "fe80::1", 3), decode(Samples.IPV6_DEFAULT_ROUTE));
    }

    @Test
    void shouldReadTheIpv6LocalTable()
    {
        assertEquals(
            new KernelRoute(true, IpAddress.parse("2001:db8::1"), 128, TABLE_LOCAL, 0, KernelRoute.Kind.LOCAL,
                IpAddress.NONE, 3),
            decode(Samples.IPV6_LOCAL_ROUTE));
        assertEquals(
            new KernelRoute(true, IpAddress.parse("2001:db8::"), 128, TABLE_LOCAL, 0, KernelRoute.Kind.LOCAL,
                IpAddress.NONE, 3),
            decode(Samples.IPV6_ANYCAST_ROUTE));
    }

    @Test
    void shouldLeaveDestinationsOfSourceSpecificRoutesToTheKernel()
    {
        assertEquals(sourceSpecific("2001:db8:5::", 48, TABLE_MAIN, 0), decode(Samples.IPV6_SOURCE_ROUTE));
        assertEquals(sourceSpecific("2001:db8:5::", 48, TABLE_LOCAL, 1), decode(Samples.IPV6_LOCAL_SOURCE_ROUTE));
        learn(Samples.IPV6_NEXT_HOP_7);
        assertEquals(sourceSpecific("::", 0, TABLE_MAIN, 0), decode(Samples.IPV6_SOURCE_DEFAULT_ROUTE));
        assertTrue(forget(Samples.IPV6_NEXT_HOP_7), "the kernel removes the route without a notification");
        assertEquals(ipv6("2001:db8:5::", 48, 1024, "fe80::1", 3), decode(Samples.IPV6_ROUTE));
    }

    /** In neither table has the route a metric, a gateway or an interface: it stands for all of its prefix. */
    @Test
    void shouldLeaveDestinationsOfRoutesForOneTosToTheKernel()
    {
        assertEquals(new KernelRoute(0xC0000200, 24, TABLE_MAIN, 0, KernelRoute.Kind.TOS_SPECIFIC, 0, 0),
            decode(Samples.TOS_ROUTE));
        assertEquals(new KernelRoute(0xC0000200, 24, TABLE_LOCAL, 0, KernelRoute.Kind.TOS_SPECIFIC, 0, 0),
            decode(Samples.LOCAL_TOS_ROUTE));
        assertEquals(7, decode(Samples.ROUTE).metric());
    }

    private static KernelRoute sourceSpecific(
        final String network, final int length, final int table, final int metric)
    {
        return new KernelRoute(true, IpAddress.parse(network), length, table, metric,
            KernelRoute.Kind.SOURCE_SPECIFIC, IpAddress.NONE, 0);
    }

    @Test
    void shouldReadIpv6RoutesThatLeadNowhereWithoutTheLoopbackInterface()
    {
        final KernelRoute route = decode(Samples.IPV6_UNREACHABLE_ROUTE);

        assertEquals(KernelRoute.Kind.UNREACHABLE, route.kind());
        assertEquals(0, route.interfaceIndex());
        assertTrue(route.gateway().isNone());
    }

    @Test
    void shouldTakeTheLowestOfSeveralIpv6NextHopsThatTheKernelUses()
    {
        assertEquals(
            ipv6("2001:db8:5::", 48, 1024, "2001:db8::2", 3), firstHopOf(decode(Samples.IPV6_MULTIPATH_ROUTE)));
        assertTrue(routes.isMultipath());
        assertEquals(ipv6("2001:db8:5::", 48, 1024, "2001:db8::9", 4), decode(Samples.IPV6_HALF_DEAD_ROUTE));
        assertFalse(routes.isDead());
        decode(Samples.IPV6_ROUTE);
        assertFalse(routes.isMultipath());
    }

    private static KernelRoute ipv6(
        final String network, final int length, final int metric, final String gateway, final int interfaceIndex)
    {
        return new KernelRoute(true, IpAddress.parse(network), length, TABLE_MAIN, metric, KernelRoute.Kind.UNICAST,
            IpAddress.parse(gateway), interfaceIndex);
    }

    @Test
    void shouldFollowNextHopGroupsToTheFirstMemberThatTheKernelUses()
    {
        learn(Samples.NEXT_HOP_7);
        learn(Samples.NEXT_HOP_9);
        learn(Samples.NEXT_HOP_GROUP_8);
        assertEquals(3, decode(Samples.NEXT_HOP_8_ROUTE).interfaceIndex());

        learn(Samples.DEAD_NEXT_HOP_7);
        assertEquals(4, decode(Samples.NEXT_HOP_8_ROUTE).interfaceIndex());
    }

    @Test
    void shouldBelieveTheRouteWhereItSpellsTheNextHopOut()
    {
        learn(Samples.NEXT_HOP_7);

        final KernelRoute route = decode(Samples.NEXT_HOP_7_SPELLED_OUT_ROUTE);

        assertEquals(5, route.interfaceIndex());
        assertEquals(IpAddress.parse("10.0.0.9"), route.gateway());
        assertFalse(nextHops.haveResolvedRoutes());
    }

    @Test
    void shouldKnowWhichNextHopObjectsTakeRoutesWithThem()
    {
        learn(Samples.NEXT_HOP_7);
        learn(Samples.NEXT_HOP_9);
        learn(Samples.NEXT_HOP_GROUP_8);
        assertFalse(forget(Samples.NEXT_HOP_7));

        learn(Samples.NEXT_HOP_7);
        decode(Samples.NEXT_HOP_8_ROUTE);
        assertTrue(nextHops.haveResolvedRoutes());
        assertTrue(forget(Samples.NEXT_HOP_7));
        assertTrue(forget(Samples.NEXT_HOP_GROUP_8));
        assertFalse(forget(Samples.NEXT_HOP_9));

        nextHops.clear();
        assertFalse(nextHops.haveResolvedRoutes());
        assertFalse(forget(Samples.NEXT_HOP_GROUP_8));
    }

    @Test
    void shouldReadMtuSourceAndScope()
    {
        assertEquals(
            new RouteOptions(1400, false, IpAddress.parse("10.0.0.1"), RouteOptions.SCOPE_UNIVERSE),
            decode(Samples.MTU_ROUTE).options());
        assertEquals(
            new RouteOptions(1300, true, IpAddress.NONE, RouteOptions.SCOPE_LINK),
            decode(Samples.LOCKED_MTU_ROUTE).options());
        assertEquals(
            new RouteOptions(1400, true, IpAddress.parse("fd00::1"), 0), decode(Samples.IPV6_MTU_ROUTE).options());
        assertSame(RouteOptions.NONE, decode(Samples.ROUTE).options());
        assertSame(RouteOptions.NONE, decode(Samples.LOCAL_ROUTE).options());
    }

    /** A route has the low 8 bits of a weight only, so that 512 looks like 256. */
    @Test
    void shouldTakeTheWeightsOfTheGroupThatARouteSpellsOut()
    {
        assertEquals(List.of(128, 256), weights(decode(Samples.GROUP_3_ROUTE)), "the group is not known yet");
        learn(Samples.LINKED_HOP_1);
        learn(Samples.LINKED_HOP_2);
        learn(Samples.HEAVY_GROUP_3);
        assertEquals(List.of(128, 512), weights(decode(Samples.GROUP_3_ROUTE)));
        assertFalse(nextHops.haveResolvedRoutes());
    }

    private static List<Integer> weights(final KernelRoute route)
    {
        return route.multipath().hops().stream().map(KernelMultipath.Hop::weight).toList();
    }

    private KernelRoute decode(final String payload)
    {
        final KernelRouteView route = routes.decode(HexMessage.message(RouteLayout.RTM_NEWROUTE, 0, payload));
        return route == null ? null : route.copy();
    }

    private static KernelRoute firstHopOf(final KernelRoute route)
    {
        assertTrue(route.multipath().hops().size() > 1);
        return new KernelRoute(route.isIpv6(), route.network(), route.prefixLength(), route.table(), route.metric(),
            route.kind(), route.gateway(), route.interfaceIndex());
    }

    private void learn(final String payload)
    {
        assertTrue(nextHops.onNew(HexMessage.message(NextHopLayout.RTM_NEWNEXTHOP, 0, payload)));
    }

    private boolean forget(final String payload)
    {
        return nextHops.onDeleted(HexMessage.message(NextHopLayout.RTM_DELNEXTHOP, 0, payload));
    }
}
