package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.rtnetlink.DuplicateRoutes.Effect;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_APPEND;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6DuplicateRoutesTest
{
    private static final int ALONE = NLM_F_CREATE | NLM_F_EXCL;
    private static final int BESIDE = NLM_F_CREATE;

    private final Ipv6DuplicateRoutes duplicates = new Ipv6DuplicateRoutes();

    @Test
    void shouldTellTheFirstOfThoseThatAreAlike()
    {
        duplicates.onListStart();

        assertTrue(list(route("2001:db8::", 64, 256, 1)));
        assertFalse(list(route("2001:db8::", 64, 256, 2)));
        assertFalse(list(route("2001:db8::", 64, 256, 3)));
        assertTrue(list(route("2001:db8::", 64, 257, 1)));
        assertTrue(list(route("2001:db8::", 65, 257, 1)));
        assertTrue(list(route("2001:db8:0:1::", 65, 257, 1)));
        assertTrue(list(route("2001:db8:0:1::1", 65, 257, 1)));
        duplicates.onListEnd();

        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route("2001:db8::", 64, 256, 2), false));
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route("2001:db8::", 64, 257, 1), false));
    }

    @Test
    void shouldPassOverADeadFirst()
    {
        duplicates.onListStart();

        assertFalse(duplicates.isBest(route("2001:db8::", 64, 256, 1), true, false, 0));
        assertTrue(list(route("2001:db8::", 64, 256, 2)));
        assertFalse(list(route("2001:db8::", 64, 256, 3)));
    }

    /** RFC 4191 section 2.1: high before medium before low; of equal ones the kernel uses the first. */
    @Test
    void shouldTellTheOneWithTheHighestPreference()
    {
        duplicates.onListStart();

        assertTrue(duplicates.isBest(route("::", 0, 1024, 1), false, false, -1));
        assertTrue(duplicates.isBest(route("::", 0, 1024, 2), false, false, 0));
        assertFalse(duplicates.isBest(route("::", 0, 1024, 3), false, false, 0));
        assertFalse(duplicates.isBest(route("::", 0, 1024, 4), true, false, 1));
        assertTrue(duplicates.isBest(route("::", 0, 1024, 5), false, false, 1));
        assertFalse(duplicates.isBest(route("::", 0, 1024, 6), false, false, -1));
        assertTrue(duplicates.isBest(route("::", 0, 1025, 1), false, false, -1));
    }

    @Test
    void shouldNotKnowWhetherARouteWithAPreferenceIsUsedBesideAnother()
    {
        assertEquals(Effect.ROUTE, duplicates.onNew(route("::", 0, 1024, 1), ALONE, false, -1));
        assertEquals(Effect.UNKNOWN, duplicates.onNew(route("::", 0, 1024, 2), BESIDE, false, 0));
        assertEquals(Effect.ROUTE, duplicates.onNew(route("::", 0, 1025, 1), ALONE, false, 0));
        assertEquals(Effect.UNKNOWN, duplicates.onNew(route("::", 0, 1025, 2), BESIDE, false, 1));
    }

    @Test
    void shouldFollowASecondConnectedNetworkThatTheKernelDoesNotUse()
    {
        assertEquals(Effect.ROUTE, duplicates.onNew(route("2001:db8::", 64, 256, 1), ALONE, false, 0));
        assertEquals(Effect.NOTHING, duplicates.onNew(route("2001:db8::", 64, 256, 2), BESIDE, false, 0));
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route("2001:db8::", 64, 256, 1), false));
    }

    @Test
    void shouldKnowAllNextHopsOfOneThatWasAdded()
    {
        final KernelRoute route = route("2001:db8:5::", 48, 1024, 1);
        assertEquals(Effect.ROUTE, duplicates.onNew(route, BESIDE, true, 0));
        assertEquals(Effect.ROUTE, duplicates.onNew(route, BESIDE | NLM_F_APPEND, true, 0));
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route, true));
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route, false));
    }

    @Test
    void shouldNotKnowWhetherNextHopsWereAppendedToARouteWithoutAGateway()
    {
        final KernelRoute route = route("2001:db8:5::", 48, 1024, 1);
        assertEquals(Effect.ROUTE, duplicates.onNew(route, ALONE, false, 0));
        assertEquals(Effect.UNKNOWN, duplicates.onNew(route, BESIDE | NLM_F_APPEND, true, 0));
    }

    @Test
    void shouldNotKnowTheNextHopsThatAreLeftWhenOneIsRemoved()
    {
        final KernelRoute route = route("2001:db8:5::", 48, 1024, 1);
        assertEquals(Effect.ROUTE, duplicates.onNew(route, BESIDE, true, 0));
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route, false));

        listMultipath(route);
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route, false));
    }

    @Test
    void shouldFollowTheReplacementOfSeveralNextHopsByOne()
    {
        final KernelRoute route = route("2001:db8:5::", 48, 1024, 1);
        assertEquals(Effect.ROUTE, duplicates.onNew(route, BESIDE, true, 0));
        assertEquals(Effect.ROUTE, duplicates.onNew(route, NLM_F_REPLACE, false, 0));
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route, false));

        assertEquals(Effect.ROUTE, duplicates.onNew(route, NLM_F_REPLACE, true, 0));
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route, false));
    }

    @Test
    void shouldNotKnowWhichOfSeveralRoutesWasReplaced()
    {
        duplicates.onNew(route("2001:db8::", 64, 256, 2), BESIDE, false, 0);

        assertEquals(Effect.UNKNOWN, duplicates.onNew(route("2001:db8::", 64, 256, 3), NLM_F_REPLACE, false, 0));
        assertEquals(Effect.UNKNOWN, duplicates.onNew(route("2001:db8::", 64, 256, 3), BESIDE, true, 0));
    }

    @Test
    void shouldKeepWhatWasToldWhileTheListIsRead()
    {
        final KernelRoute route = route("2001:db8:5::", 48, 1024, 1);
        duplicates.onListStart();
        assertTrue(list(route));
        assertEquals(Effect.ROUTE, duplicates.onNew(route, BESIDE, true, 0));
        duplicates.onListEnd();

        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route, false));
    }

    @Test
    void shouldNotTakeARouteForAnotherWhenTheListIsReadAgain()
    {
        final KernelRoute route = route("2001:db8:5::", 48, 1024, 1);
        duplicates.onListStart();
        assertTrue(list(route));
        duplicates.onListAgain();
        assertTrue(list(route));
        duplicates.onListEnd();

        assertEquals(Effect.ROUTE, duplicates.onDeleted(route, false));
    }

    private void listMultipath(final KernelRoute route)
    {
        duplicates.onListStart();
        assertTrue(duplicates.isBest(route, false, true, 0));
        duplicates.onListEnd();
    }

    private boolean list(final KernelRoute route)
    {
        return duplicates.isBest(route, false, false, 0);
    }

    private static KernelRoute route(
        final String network, final int length, final int metric, final int interfaceIndex)
    {
        return new KernelRoute(true, IpAddress.parse(network), length, KernelRoute.TABLE_MAIN, metric,
            KernelRoute.Kind.UNICAST, IpAddress.NONE, interfaceIndex);
    }
}
