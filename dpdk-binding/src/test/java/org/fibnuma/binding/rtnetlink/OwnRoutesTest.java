package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_APPEND;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OwnRoutesTest
{
    private static final int ALONE = NLM_F_CREATE | NLM_F_EXCL;
    private static final int APPENDED = NLM_F_CREATE | NLM_F_APPEND;
    private static final KernelRoute NETWORK = network("10.0.0.0/24", "10.0.0.1", 3);
    private static final KernelRoute LOCAL = ipv4("10.0.0.1/32", KernelRoute.Kind.LOCAL, 3);
    private static final KernelRoute BROADCAST = ipv4("10.0.0.255/32", KernelRoute.Kind.BROADCAST, 3);
    private static final KernelRoute IPV6 = ipv6("2001:db8::/64", KernelRoute.Kind.UNICAST, 3);
    private static final KernelRoute IPV6_LOCAL = ipv6("2001:db8::1/128", KernelRoute.Kind.LOCAL, 3);
    private static final KernelRoute ELSEWHERE = network("10.0.9.0/24", "10.0.9.1", 4);

    private final OwnRoutes own = new OwnRoutes();

    @Test
    void shouldTakeDownAllButTheLocalIpv4Routes()
    {
        addAll(NETWORK, LOCAL, BROADCAST, IPV6, IPV6_LOCAL, ELSEWHERE);

        assertEquals(Set.of(NETWORK, BROADCAST, IPV6, IPV6_LOCAL), Set.copyOf(own.takeDown(3)));
        assertEquals(List.of(), own.takeDown(3));
        assertTrue(own.has(3));
        assertEquals(List.of(LOCAL), own.takeRemoved(3));
        assertFalse(own.has(3));
        assertTrue(own.has(4));
    }

    /** The kernel notifies of most of these. */
    @Test
    void shouldTakeAllIpv4RoutesWithTheLastAddress()
    {
        addAll(NETWORK, LOCAL, IPV6, ELSEWHERE);

        assertEquals(Set.of(NETWORK, LOCAL), Set.copyOf(own.takeIpv4(3)));
        assertFalse(own.onDeleted(LOCAL));
        addAll(NETWORK);
        assertTrue(own.onDeleted(NETWORK));
        assertEquals(List.of(IPV6), own.takeRemoved(3));
    }

    @Test
    void shouldPassOverTheLaterNotificationOfWhatWasTakenDown()
    {
        addAll(IPV6, NETWORK);
        own.takeDown(3);

        assertFalse(own.onDeleted(IPV6));
        assertTrue(own.onDeleted(IPV6));
        assertTrue(own.onDeleted(NETWORK), "the kernel does not notify of IPv4 routes");
    }

    @Test
    void shouldHeedARemovalAfterTheInterfaceWasUpAgain()
    {
        addAll(IPV6);
        own.takeDown(3);
        own.onUp(3);

        assertTrue(own.onDeleted(IPV6));
        addAll(IPV6);
        own.takeDown(3);
        addAll(IPV6);
        assertTrue(own.onDeleted(IPV6), "added again");
        addAll(IPV6);
        own.takeDown(3);
        own.takeRemoved(3);
        assertTrue(own.onDeleted(IPV6), "of another interface with the same index");
        addAll(IPV6);
        own.takeDown(3);
        own.onDiscard();
        assertTrue(own.onDeleted(IPV6), "the notification was discarded");
    }

    @Test
    void shouldExpectNotificationsFromBeforeAList()
    {
        addAll(IPV6);
        own.takeDown(3);
        own.clear();

        assertFalse(own.onDeleted(IPV6));
    }

    @Test
    void shouldForgetWhatTheKernelRemoves()
    {
        addAll(NETWORK, BROADCAST);

        assertTrue(own.onDeleted(NETWORK));
        assertEquals(List.of(BROADCAST), own.takeDown(3));
    }

    @Test
    void shouldIgnoreOtherRoutes()
    {
        own.onNew(NETWORK, false, ALONE);

        assertFalse(own.has(3));
        assertFalse(own.isUncertain(3));
    }

    @Test
    void shouldBeUncertainOfRoutesThatLookEqual()
    {
        addAll(NETWORK);
        own.onNew(NETWORK, true, APPENDED);

        assertTrue(own.isUncertain(3));
        assertEquals(List.of(), own.takeDown(3));
        assertEquals(List.of(), own.takeRemoved(3));
        assertTrue(own.has(3));
        own.clear();
        own.onListed(NETWORK, false);
        own.onListed(NETWORK, true);
        assertFalse(own.isUncertain(3), "the list was read again");
        own.onListed(NETWORK, false);
        assertTrue(own.isUncertain(3));
    }

    @Test
    void shouldBeUncertainWhereARouteMayHaveBeenReplaced()
    {
        addAll(NETWORK, ELSEWHERE);
        own.onNew(network("10.0.0.0/24", "10.0.0.1", 5), false, NLM_F_CREATE | NLM_F_REPLACE);

        assertTrue(own.isUncertain(3));
        assertFalse(own.isUncertain(4));
        own.onNew(ELSEWHERE, true, NLM_F_REPLACE);
        assertFalse(own.isUncertain(4), "replaced by itself");
    }

    @Test
    void shouldBeUncertainAfterTheRemovalOfAnUnknownRoute()
    {
        addAll(NETWORK);
        own.onDeleted(network("10.0.0.0/24", "10.0.0.7", 3));

        assertTrue(own.isUncertain(3));
    }

    @Test
    void shouldTrustTheNotificationOfAnAddressThatNoOtherRouteUses()
    {
        addAll(NETWORK, LOCAL, BROADCAST, IPV6, network("10.0.7.0/24", "10.0.7.1", 3));

        assertFalse(isLeft("10.0.0.1", "10.0.0.0/24", false));
        assertFalse(isLeft("10.0.0.2", "10.0.0.0/24", false));
    }

    @Test
    void shouldNotTrustItWhereAProgramMadeTheRoutes()
    {
        addAll(NETWORK, LOCAL);

        assertTrue(own.isLeftBy(3, Ipv4Address.parse("10.0.0.1"), null, false), "IFA_F_NOPREFIXROUTE");
        assertTrue(isLeft("10.0.0.1", "10.0.0.0/16", false), "another network");
        assertFalse(isLeft("10.0.0.1", "10.0.0.0/24", true));
        addAll(new KernelRoute(false, NETWORK.network(), 24, KernelRoute.TABLE_MAIN, 100, KernelRoute.Kind.UNICAST,
            IpAddress.NONE, 3, null, NETWORK.options()));
        assertTrue(isLeft("10.0.0.1", "10.0.0.0/24", false), "two metrics");
    }

    /** With the last address the kernel removes all, also the local routes of addresses that it removed before. */
    @Test
    void shouldNotTrustItWithTheLastAddress()
    {
        addAll(LOCAL);

        assertFalse(isLeft("10.0.0.2", "10.0.0.0/24", false));
        assertTrue(isLeft("10.0.0.2", "10.0.0.0/24", true));
    }

    private boolean isLeft(final String address, final String network, final boolean last)
    {
        return own.isLeftBy(3, Ipv4Address.parse(address), IpPrefix.parse(network), last);
    }

    private void addAll(final KernelRoute... routes)
    {
        for (final KernelRoute route : routes)
        {
            own.onNew(route, true, ALONE);
        }
    }

    private static KernelRoute network(final String prefix, final String source, final int interfaceIndex)
    {
        final IpPrefix parsed = IpPrefix.parse(prefix);
        return new KernelRoute(false, parsed.first(), parsed.length(), KernelRoute.TABLE_MAIN, 0,
            KernelRoute.Kind.UNICAST, IpAddress.NONE, interfaceIndex, null,
            new RouteOptions(0, false, IpAddress.parse(source), RouteOptions.SCOPE_LINK));
    }

    private static KernelRoute ipv4(final String prefix, final KernelRoute.Kind kind, final int interfaceIndex)
    {
        final IpPrefix parsed = IpPrefix.parse(prefix);
        return new KernelRoute(
            parsed.first().ipv4(), parsed.length(), KernelRoute.TABLE_LOCAL, 0, kind, 0, interfaceIndex);
    }

    private static KernelRoute ipv6(final String prefix, final KernelRoute.Kind kind, final int interfaceIndex)
    {
        final IpPrefix parsed = IpPrefix.parse(prefix);
        return new KernelRoute(true, parsed.first(), parsed.length(), KernelRoute.TABLE_MAIN, 256, kind,
            IpAddress.NONE, interfaceIndex);
    }
}
