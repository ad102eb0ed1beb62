package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.rtnetlink.DuplicateRoutes.Effect;
import org.fibnuma.core.kernel.KernelRoute;
import org.junit.jupiter.api.Test;

import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_APPEND;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CREATE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_EXCL;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REPLACE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DuplicateRoutesTest
{
    private static final int PREFIX = 0xC0000200;
    private static final int ALONE = NLM_F_CREATE | NLM_F_EXCL;
    private static final int APPENDED = NLM_F_CREATE | NLM_F_APPEND;
    private static final int PREPENDED = NLM_F_CREATE;
    private static final int REPLACED = NLM_F_CREATE | NLM_F_REPLACE;

    private final DuplicateRoutes duplicates = new DuplicateRoutes();

    @Test
    void shouldTellTheFirstOfThoseThatAreAlike()
    {
        duplicates.onListStart();

        assertTrue(list(route(24, 254, 0, 1)));
        assertFalse(list(route(24, 254, 0, 2)));
        assertFalse(list(route(24, 254, 0, 3)));
        assertTrue(list(route(24, 254, 1, 1)));
        assertTrue(list(route(25, 254, 1, 1)));
        assertTrue(list(route(25, 255, 1, 1)));
    }

    @Test
    void shouldPassOverADeadFirst()
    {
        duplicates.onListStart();

        assertFalse(duplicates.isFirst(route(24, 254, 0, 1), true, true));
        assertTrue(list(route(24, 254, 0, 2)));
        assertFalse(list(route(24, 254, 0, 3)));
        assertFalse(duplicates.isFirst(route(24, 254, 1, 1), true, true));
        duplicates.onListEnd();

        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(24, 254, 0, 2), true));
    }

    @Test
    void shouldKeepTheOrderOfTheList()
    {
        duplicates.onListStart();
        list(route(24, 254, 0, 1));
        list(route(24, 254, 0, 2));
        list(route(24, 254, 0, 3));
        duplicates.onListEnd();

        assertEquals(Effect.NOTHING, duplicates.onDeleted(route(24, 254, 0, 2), true));
        assertEquals(Effect.FIRST, duplicates.onDeleted(route(24, 254, 0, 1), true));
        assertEquals(route(24, 254, 0, 3), duplicates.first());
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route(24, 254, 0, 3), true));
    }

    /** The next entry of the list may be another of the same identity, which is then not reported. */
    @Test
    void shouldNotKnowWhatFollowsARouteThatIsRemovedJustAfterItWasListed()
    {
        duplicates.onListStart();
        list(route(24, 254, 0, 1));

        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(24, 254, 0, 1), false));
        list(route(24, 254, 7, 1));
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route(24, 254, 0, 1), false));
        duplicates.onListEnd();
        assertEquals(Effect.ROUTE, duplicates.onDeleted(route(24, 254, 7, 1), true));
    }

    @Test
    void shouldFollowAppendedRoutes()
    {
        assertEquals(Effect.ROUTE, duplicates.onNew(route(24, 254, 0, 1), ALONE, true));
        assertEquals(Effect.NOTHING, duplicates.onNew(route(24, 254, 0, 2), APPENDED, true));
        assertEquals(Effect.NOTHING, duplicates.onNew(route(24, 254, 0, 3), APPENDED, true));
        assertEquals(Effect.FIRST, duplicates.onDeleted(route(24, 254, 0, 1), true));
        assertEquals(route(24, 254, 0, 2), duplicates.first());
        assertEquals(Effect.ROUTE, duplicates.onNew(route(24, 254, 0, 9), REPLACED, true));
        assertEquals(Effect.FIRST, duplicates.onDeleted(route(24, 254, 0, 9), true));
        assertEquals(route(24, 254, 0, 3), duplicates.first());
        assertEquals(Effect.ROUTE, duplicates.onNew(route(24, 254, 0, 7), REPLACED, true));
    }

    @Test
    void shouldNotKnowWhatWasThereBeforeAPrependedRoute()
    {
        assertEquals(Effect.ROUTE, duplicates.onNew(route(24, 254, 0, 2), PREPENDED, true));
        assertEquals(Effect.ROUTE, duplicates.onNew(route(24, 254, 0, 3), PREPENDED, true));
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(24, 254, 0, 3), true));

        assertEquals(Effect.ROUTE, duplicates.onNew(route(25, 254, 0, 2), PREPENDED, true));
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(25, 254, 0, 2), true));
    }

    @Test
    void shouldNotTellApartWhatLooksAlike()
    {
        duplicates.onListStart();
        list(route(24, 254, 0, 1));
        list(route(24, 254, 0, 2));
        list(route(24, 254, 0, 1));
        duplicates.onListEnd();

        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(24, 254, 0, 1), true));
        assertEquals(Effect.UNKNOWN, duplicates.onNew(route(24, 254, 0, 4), APPENDED, true));
    }

    @Test
    void shouldNotFollowWhileTheKernelMayUseAnotherNextHop()
    {
        assertEquals(Effect.UNKNOWN, duplicates.onNew(route(24, 254, 0, 2), APPENDED, false));
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(24, 254, 0, 2), true));
        duplicates.onListStart();
        list(route(24, 254, 0, 1));
        duplicates.onListEnd();

        assertEquals(Effect.ROUTE, duplicates.onDeleted(route(24, 254, 0, 1), true));
    }

    @Test
    void shouldForgetOnlyWhenTheNextListIsComplete()
    {
        duplicates.onNew(route(24, 254, 0, 1), APPENDED, true);
        duplicates.onListStart();
        assertEquals(Effect.UNKNOWN, duplicates.onDeleted(route(24, 254, 0, 2), false));
        assertTrue(list(route(24, 254, 0, 1)));
        duplicates.onListEnd();

        assertEquals(Effect.ROUTE, duplicates.onNew(route(24, 254, 0, 5), ALONE, true));
    }

    private boolean list(final KernelRoute route)
    {
        return duplicates.isFirst(route, false, true);
    }

    private static KernelRoute route(final int length, final int table, final int metric, final int gateway)
    {
        return new KernelRoute(PREFIX, length, table, metric, KernelRoute.Kind.UNICAST, gateway, 3);
    }
}
