package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RibTest
{
    private static final long KEY = key("192.0.2.0/24");

    private final Rib routes = new Rib();

    @Test
    void shouldChainFromBestToWorst()
    {
        routes.add(KEY, RouteSource.FILE, 0, 1);
        routes.add(KEY, RouteSource.MAIN, 200, 2);
        routes.add(KEY, RouteSource.MAIN, -1, 3);
        routes.add(KEY, RouteSource.LOCAL, 0, 4);
        routes.add(KEY, RouteSource.MAIN, 100, 5);

        assertEquals(List.of(4, 5, 2, 3, 1), drainBestFirst(KEY));
        assertEquals(0, routes.size());
        assertEquals(0, routes.prefixCount());
    }

    @Test
    void shouldReportTheMemoryOfAMillionRoutes()
    {
        for (int i = 0; i < 1_000_000; i++)
        {
            routes.add(RouteKey.of(i << 8, 24), RouteSource.MAIN, 0, 0);
        }
        assertEquals(62e6, routes.bytes(), 1e6);
    }

    @Test
    void shouldTakeOutFromTheMiddleOfAChain()
    {
        routes.add(KEY, RouteSource.MAIN, 1, 1);
        routes.add(KEY, RouteSource.MAIN, 2, 2);
        routes.add(KEY, RouteSource.MAIN, 3, 3);

        routes.remove(routes.find(KEY, RouteSource.MAIN, 2));

        assertEquals(Rib.NONE, routes.find(KEY, RouteSource.MAIN, 2));
        assertEquals(List.of(1, 3), drainBestFirst(KEY));
    }

    @Test
    void shouldUseFreeRowsAgainBeforeItGrows()
    {
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 3000; i++)
            {
                routes.add(RouteKey.of(i << 8, 24), RouteSource.MAIN, 0, i);
            }
            for (int i = 0; i < 3000; i++)
            {
                routes.remove(routes.head(RouteKey.of(i << 8, 24)));
            }
        }
        assertEquals(3000, routes.rowLimit());
    }

    @Test
    void shouldTellStaleRowsFromMarkedOnes()
    {
        final int stale = routes.add(KEY, RouteSource.MAIN, 1, 1);
        final int marked = routes.add(KEY, RouteSource.MAIN, 2, 2);
        routes.nextGeneration();
        routes.mark(marked);

        assertTrue(routes.isStale(stale));
        assertFalse(routes.isStale(marked));
        assertFalse(routes.isStale(routes.add(KEY, RouteSource.MAIN, 3, 3)));
    }

    @Test
    void shouldFindTheLongestMatch()
    {
        routes.add(key("0.0.0.0/0"), RouteSource.MAIN, 0, 0);
        routes.add(key("10.0.0.0/8"), RouteSource.MAIN, 0, 8);
        routes.add(key("10.1.2.128/25"), RouteSource.MAIN, 0, 25);
        routes.add(key("10.1.2.129/32"), RouteSource.MAIN, 0, 32);

        assertEquals(32, nextHopFor("10.1.2.129", 32));
        assertEquals(25, nextHopFor("10.1.2.129", 31));
        assertEquals(25, nextHopFor("10.1.2.255", 32));
        assertEquals(8, nextHopFor("10.1.2.127", 32));
        assertEquals(0, nextHopFor("11.0.0.0", 32));
        assertEquals(0, nextHopFor("255.255.255.255", 32));
    }

    @Test
    void shouldPageThroughAllPrefixesInOrder()
    {
        final Random random = new Random(7);
        final TreeSet<Long> expected = new TreeSet<>();
        while (expected.size() < 5000)
        {
            final long key = RouteKey.of(random.nextInt(), 8 + random.nextInt(25));
            if (expected.add(key))
            {
                routes.add(key, RouteSource.MAIN, 0, 1);
                routes.add(key, RouteSource.FILE, 0, 2);
            }
        }
        final List<Long> seen = new ArrayList<>();
        long after = RouteKey.BEFORE_FIRST;
        long[] page = routes.keysAfter(after, 333);
        while (page.length > 0)
        {
            Arrays.stream(page).forEach(seen::add);
            after = page[page.length - 1];
            page = routes.keysAfter(after, 333);
        }
        assertEquals(new ArrayList<>(expected), seen);
        assertArrayEquals(new long[0], routes.keysAfter(Long.MAX_VALUE, 1));
    }

    @Test
    void shouldFindWhatLiesInsideAPrefix()
    {
        routes.add(key("0.0.0.0/0"), RouteSource.MAIN, 0, 1);
        routes.add(key("10.0.0.0/8"), RouteSource.MAIN, 0, 1);
        routes.add(key("10.0.0.0/8"), RouteSource.FILE, 0, 2);
        routes.add(key("10.200.0.0/14"), RouteSource.MAIN, 0, 1);
        routes.add(key("10.255.255.255/32"), RouteSource.MAIN, 0, 1);
        routes.add(key("11.0.0.0/24"), RouteSource.MAIN, 0, 1);
        routes.add(key("10.7.7.0/24"), RouteSource.MAIN, 0, 1);
        routes.remove(routes.head(key("10.7.7.0/24")));

        final TreeSet<Long> inside = new TreeSet<>();
        routes.forEachHeadIn(key("10.0.0.0/8"), key -> assertTrue(inside.add(key), "once"));

        assertEquals(Set.of(key("10.0.0.0/8"), key("10.200.0.0/14"), key("10.255.255.255/32")), inside);
    }

    private List<Integer> drainBestFirst(final long key)
    {
        final List<Integer> nextHops = new ArrayList<>();
        while (routes.head(key) != Rib.NONE)
        {
            nextHops.add(routes.nextHop(routes.head(key)));
            routes.remove(routes.head(key));
        }
        return nextHops;
    }

    private int nextHopFor(final String address, final int maxLength)
    {
        return routes.nextHop(routes.longestMatch(Ipv4Address.parse(address), maxLength));
    }

    private static long key(final String text)
    {
        final Ipv4Prefix prefix = Ipv4Prefix.parse(text);
        return RouteKey.of(prefix.address(), prefix.length());
    }
}
