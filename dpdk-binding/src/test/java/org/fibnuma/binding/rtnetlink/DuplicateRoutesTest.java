package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelRoute;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DuplicateRoutesTest
{
    private static final int PREFIX = 0xC0000200;

    private final DuplicateRoutes duplicates = new DuplicateRoutes();

    @Test
    void shouldTellTheFirstOfThoseThatAreAlike()
    {
        duplicates.onListStart();

        assertTrue(duplicates.isFirst(route(24, 254, 0, 1), false));
        assertFalse(duplicates.isFirst(route(24, 254, 0, 2), false));
        assertFalse(duplicates.isFirst(route(24, 254, 0, 3), false));
        assertTrue(duplicates.isFirst(route(24, 254, 1, 1), false));
        assertTrue(duplicates.isFirst(route(25, 254, 1, 1), false));
        assertTrue(duplicates.isFirst(route(25, 255, 1, 1), false));
        assertTrue(duplicates.contains(route(24, 254, 0, 9)));
        assertFalse(duplicates.contains(route(24, 254, 1, 1)));
    }

    @Test
    void shouldPassOverADeadFirst()
    {
        duplicates.onListStart();

        assertFalse(duplicates.isFirst(route(24, 254, 0, 1), true));
        assertTrue(duplicates.isFirst(route(24, 254, 0, 2), false));
        assertFalse(duplicates.isFirst(route(24, 254, 0, 3), false));
        assertFalse(duplicates.isFirst(route(24, 254, 1, 1), true));
        assertTrue(duplicates.contains(route(24, 254, 0, 1)));
    }

    @Test
    void shouldForgetWithEachList()
    {
        duplicates.add(route(24, 254, 0, 1));
        assertTrue(duplicates.contains(route(24, 254, 0, 2)));

        duplicates.onListStart();

        assertFalse(duplicates.contains(route(24, 254, 0, 2)));
        assertTrue(duplicates.isFirst(route(24, 254, 0, 1), false));
    }

    private static KernelRoute route(final int length, final int table, final int metric, final int gateway)
    {
        return new KernelRoute(PREFIX, length, table, metric, KernelRoute.Kind.UNICAST, gateway, 3);
    }
}
