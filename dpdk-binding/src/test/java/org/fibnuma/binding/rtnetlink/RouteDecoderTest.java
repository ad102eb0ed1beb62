package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.core.kernel.KernelRoute.TABLE_LOCAL;
import static org.fibnuma.core.kernel.KernelRoute.TABLE_MAIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
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

    @ParameterizedTest
    @ValueSource(strings = {
        Samples.TOS_ROUTE, Samples.OTHER_TABLE_ROUTE, Samples.LARGE_TABLE_ROUTE, Samples.IPV6_ROUTE
    })
    void shouldPassOverWhatIsNotForUs(final String sample)
    {
        assertNull(decode(sample));
    }

    @Test
    void shouldLeaveToTheKernelWhatOnlyTheKernelCanDo()
    {
        assertEquals(KernelRoute.Kind.OTHER, decode(Samples.VIA_IPV6_ROUTE).kind());
        assertEquals(KernelRoute.Kind.OTHER, decode(Samples.ENCAPSULATED_ROUTE).kind());
        assertEquals(KernelRoute.Kind.UNICAST, decode(Samples.ROUTE).kind());
    }

    @Test
    void shouldTakeTheFirstOfSeveralNextHopsThatTheKernelUses()
    {
        assertEquals(
            new KernelRoute(0xC6336400, 24, TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, 0x0A000002, 3),
            decode(Samples.MULTIPATH_ROUTE));
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
        assertEquals(0x0A000002, decode(Samples.ALL_DEAD_ROUTE).gateway());
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
        assertEquals(KernelRoute.Kind.OTHER, decode(Samples.NEXT_HOP_7_ROUTE).kind());
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
        assertEquals(0x0A000009, route.gateway());
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

    private KernelRoute decode(final String payload)
    {
        final KernelRouteView route = routes.decode(HexMessage.message(RouteLayout.RTM_NEWROUTE, 0, payload));
        return route == null ? null : route.copy();
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
