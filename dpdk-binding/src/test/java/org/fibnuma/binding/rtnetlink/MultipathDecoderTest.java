package org.fibnuma.binding.rtnetlink;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRouteView;
import org.fibnuma.core.kernel.RouteFeedListener;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Routes with several next hops, as Linux 6.18 wrote them for iproute2. */
class MultipathDecoderTest
{
    private static final KernelMultipath.Resilience RESILIENCE =
        new KernelMultipath.Resilience(11, 32, 60_000, 300_000);

    private final NextHops nextHops = new NextHops();
    private final InterfaceStates interfaces = new InterfaceStates();
    private final RouteDecoder routes = new RouteDecoder(nextHops, interfaces);

    @Test
    void shouldReadWeightsAndGatewaysOfBothFamilies()
    {
        assertEquals(new KernelMultipath(null, List.of(hop(3, "10.0.0.2", 3), hop(5, "fe80::9", 200))),
            decode(Samples.WEIGHTED_ROUTE));
        assertEquals(new KernelMultipath(null, List.of(hop(5, "2001:db8:9::2", 1), hop(3, "2001:db8::2", 2))),
            decode(Samples.IPV6_WEIGHTED_ROUTE));
        assertNull(decode(Samples.ROUTE));
    }

    @Test
    void shouldReadGroupsWithTheRouteOrByTheirNumber()
    {
        final KernelMultipath plain = new KernelMultipath(null, List.of(hop(3, "10.0.0.2", 3), hop(5, "10.9.0.2", 1)));
        assertEquals(plain, decode(Samples.GROUP_10_ROUTE));
        learn(Samples.NEXT_HOP_1, Samples.NEXT_HOP_2, Samples.NEXT_HOP_GROUP_10, Samples.RESILIENT_GROUP_11);
        assertEquals(plain, decode(Samples.GROUP_10_ROUTE));
        final KernelMultipath resilient =
            new KernelMultipath(RESILIENCE, List.of(hop(3, "10.0.0.2", 1), hop(5, "10.9.0.2", 256)));
        assertEquals(resilient, decode(Samples.GROUP_11_ROUTE));
        assertEquals(resilient, decode(Samples.GROUP_11_NOT_SPELLED_OUT));
    }

    @Test
    void shouldLeaveToTheKernelAMemberThatIsNoNextHop()
    {
        learn(Samples.NEXT_HOP_1, Samples.RESILIENT_GROUP_11);
        assertEquals(
            List.of(new KernelMultipath.Hop(KernelRoute.Kind.OTHER, 0, IpAddress.NONE, 256), hop(3, "10.0.0.2", 1)),
            decode(Samples.GROUP_11_NOT_SPELLED_OUT).hops());
    }

    /** A next hop whose interface is down is dead, and used again when the interface is back. */
    @Test
    void shouldKeepADeadNextHopWhoseInterfaceIsDown()
    {
        assertNull(decode(Samples.HALF_DEAD_ROUTE));
        interfaces.onListed(3, 0);
        assertEquals(List.of(hop(3, "10.0.0.2", 1), hop(4, "10.9.0.2", 1)), decode(Samples.HALF_DEAD_ROUTE).hops());
        interfaces.onListed(3, 0x41L << Integer.SIZE);
        assertNull(decode(Samples.HALF_DEAD_ROUTE));
    }

    @Test
    void shouldBeEqualInAnyOrder()
    {
        final KernelMultipath.Hop one = hop(3, "10.0.0.2", 3);
        final KernelMultipath.Hop other = hop(2, "10.9.0.2", 1);
        assertEquals(new KernelMultipath(null, List.of(one, other)), new KernelMultipath(null, List.of(other, one)));
    }

    /** The routes by an object and by a group that contains it change with the object. */
    @Test
    void shouldTellADaemonsRoutesOfAGroupThatChanges()
    {
        final List<String> events = new ArrayList<>();
        final HandedRouteDecoder decoder = new HandedRouteDecoder();
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_1);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_2);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.RESILIENT_GROUP_11);
        hand(decoder, events, RouteLayout.RTM_NEWROUTE, Samples.GROUP_11_NOT_SPELLED_OUT);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_2.replace("0a090002", "0a090007"));
        assertEquals(List.of("+ 10.0.0.2*1 10.9.0.2*256 by 11", "11: 10.0.0.2*1 10.9.0.7*256"), events);
    }

    /** 388 is 1/6 of 246, 2/6 of 387, which is 246, and 3/6 of object 2. */
    @Test
    void shouldFlattenAGroupThatIsAMemberOfADaemonsGroup()
    {
        final List<String> events = new ArrayList<>();
        final HandedRouteDecoder decoder = new HandedRouteDecoder();
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_1);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_2);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(246, member(1, 1), member(2, 1)));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(387, member(246, 7)));
        hand(decoder, events, RouteLayout.RTM_NEWROUTE, routeBy(387));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(388, member(246, 1), member(387, 2), member(2, 3)));
        hand(decoder, events, RouteLayout.RTM_NEWROUTE, routeBy(388));
        assertEquals(List.of("+ 10.0.0.2*1 10.9.0.2*1 by 387",
            "+ 10.0.0.2*1 10.9.0.2*3 by 388"), events);
    }

    /** A change of 2 or of 246 changes the routes by 387 too; a group may come before its members. */
    @Test
    void shouldTellADaemonsRoutesOfAGroupInAGroupThatChanges()
    {
        final List<String> events = new ArrayList<>();
        final HandedRouteDecoder decoder = new HandedRouteDecoder();
        hand(decoder, events, RouteLayout.RTM_NEWROUTE, routeBy(387));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(387, member(246, 1)));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(246, member(1, 1), member(2, 1)));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_1);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_2);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_2.replace("0a090002", "0a090007"));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(246, member(1, 3), member(2, 1)));
        assertEquals("387: 10.0.0.2*1 10.9.0.2*1", events.get(events.size() - 3));
        assertEquals("387: 10.0.0.2*1 10.9.0.7*1", events.get(events.size() - 2));
        assertEquals("387: 10.0.0.2*3 10.9.0.7*1", events.get(events.size() - 1));
    }

    /** 300 contains itself; 20 to 30 are two of the one before each, 2^10 times two next hops. */
    @Test
    void shouldLeaveAGroupWithoutEndToTheKernel()
    {
        final List<String> events = new ArrayList<>();
        final HandedRouteDecoder decoder = new HandedRouteDecoder();
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_1);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(300, member(301, 1)));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(301, member(300, 1), member(1, 1)));
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(19, member(1, 1), member(1, 1)));
        for (int id = 20; id <= 30; id++)
        {
            hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, group(id, member(id - 1, 1), member(id - 1, 1)));
        }
        hand(decoder, events, RouteLayout.RTM_NEWROUTE, routeBy(30));
        final String problem = " contains itself or more than 1024 members of groups; the kernel forwards by it";
        assertEquals(List.of("skipped: the next-hop group 301" + problem, "skipped: the next-hop group 28" + problem,
            "skipped: the next-hop group 29" + problem, "skipped: the next-hop group 30" + problem, "+ one by 30"),
            events);
    }

    private static String group(final int id, final String... members)
    {
        return "00000000 00000000 08000100" + hex(id) + String.format("%02x000200", 4 + 8 * members.length) +
            String.join("", members);
    }

    private static String member(final int id, final int weight)
    {
        return hex(id) + hex(weight - 1);
    }

    /** 198.18.0.0/24 by an object. */
    private static String routeBy(final int id)
    {
        return "02180000 fe030001 00000000 08000100 c6120000 08001e00" + hex(id);
    }

    private static String hex(final int value)
    {
        return String.format("%08x", Integer.reverseBytes(value));
    }

    @ParameterizedTest
    @CsvSource({
        "0600010020000000, 0600010000000000, attribute 12 of a next hop has a wrong value of 36 bytes",
        "0600010020000000, 0900010020000000, attribute 12 of a next hop has a wrong value of 36 bytes",
        "0600030001000000, 0500030001000000, attribute 3 of a next hop has a wrong value of 1 bytes",
        "0600030001000000, 0300030001000000, " +
            "an attribute of a next hop is longer than its message or shorter than its header"
    })
    void shouldSayWhatIsWrongWithADaemonsGroup(final String part, final String wrong, final String problem)
    {
        final HandedRouteDecoder decoder = new HandedRouteDecoder();
        final List<String> events = new ArrayList<>();
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_1);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.RESILIENT_GROUP_11);
        String payload = Samples.RESILIENT_GROUP_11;
        assertTrue(payload.contains(part));
        payload = payload.replace(part, wrong);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, payload);
        hand(decoder, events, NextHopLayout.RTM_NEWNEXTHOP, Samples.NEXT_HOP_2);
        hand(decoder, events, RouteLayout.RTM_NEWROUTE, Samples.GROUP_11_NOT_SPELLED_OUT);
        assertEquals(List.of("skipped: " + problem, "+ 10.0.0.2*1 10.9.0.2*256 by 11"), events,
            "the group is the one before");
    }

    private static void hand(
        final HandedRouteDecoder decoder, final List<String> events, final int type, final String payload)
    {
        final UnsafeBuffer body = HexMessage.buffer(payload);
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(16 + body.capacity()));
        buffer.putInt(0, buffer.capacity());
        buffer.putShort(4, (short)type);
        buffer.putBytes(16, body, 0, body.capacity());
        assertNull(decoder.decode(buffer, 0, buffer.capacity(), new RouteFeedListener()
        {
            @Override
            public void onConnect(final String peer)
            {
            }

            @Override
            public void onRefuse(final String peer)
            {
            }

            @Override
            public void onDisconnect(final String reason)
            {
            }

            @Override
            public void onSkip(final String reason)
            {
                events.add("skipped: " + reason);
            }

            @Override
            public void onRoute(final KernelRouteView route, final int nextHopId, final boolean present)
            {
                events.add((present ? "+" : "-") + text(route.multipath()) + " by " + nextHopId);
            }

            @Override
            public void onNextHop(final int nextHopId, final KernelRouteView nextHop)
            {
                events.add(nextHopId + ":" + text(nextHop.multipath()));
            }
        }));
    }

    private static String text(final KernelMultipath multipath)
    {
        if (multipath == null)
        {
            return " one";
        }
        final StringBuilder text = new StringBuilder();
        multipath.hops().forEach(hop -> text.append(' ').append(hop.gateway()).append('*').append(hop.weight()));
        return text.toString();
    }

    private static KernelMultipath.Hop hop(final int interfaceIndex, final String gateway, final int weight)
    {
        return new KernelMultipath.Hop(
            KernelRoute.Kind.UNICAST, interfaceIndex, IpAddress.parse(gateway), weight);
    }

    private KernelMultipath decode(final String payload)
    {
        return routes.decode(HexMessage.message(RouteLayout.RTM_NEWROUTE, 0, payload)).multipath();
    }

    private void learn(final String... payloads)
    {
        for (final String payload : payloads)
        {
            assertTrue(nextHops.onNew(HexMessage.message(NextHopLayout.RTM_NEWNEXTHOP, 0, payload)));
        }
    }
}
