package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RibTest
{
    private static final IpPrefix KEY = IpPrefix.parse("192.0.2.0/24");

    private final Rib routes = new Rib(false);
    private final Rib ipv6Routes = new Rib(true);

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
            routes.add(IpPrefix.of(i << 8, 24), RouteSource.MAIN, 0, 0);
        }
        assertEquals(37e6, routes.bytes(), 1e6);
    }

    @Test
    void shouldReportTheMemoryOfAMillionIpv6Routes()
    {
        for (int i = 0; i < 1_000_000; i++)
        {
            ipv6Routes.add(IpPrefix.of(0x2001L << 48 | (long)i << 16, 0, 48), RouteSource.MAIN, 0, 0);
        }
        assertEquals(49e6, ipv6Routes.bytes(), 1e6);
        assertEquals(1_000_000, ipv6Routes.prefixCount());
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
                routes.add(IpPrefix.of(i << 8, 24), RouteSource.MAIN, 0, i);
            }
            for (int i = 0; i < 3000; i++)
            {
                routes.remove(routes.head(IpPrefix.of(i << 8, 24)));
            }
        }
        assertEquals(3000, routes.rowLimit());
    }

    @Test
    void shouldTellStaleRowsFromMarkedOnes()
    {
        final int stale = routes.add(KEY, RouteSource.MAIN, 1, 1);
        final int marked = routes.add(KEY, RouteSource.MAIN, 2, 2);
        routes.nextGeneration(RouteSource.MAIN);
        routes.mark(marked);

        assertTrue(routes.isStale(stale));
        assertFalse(routes.isStale(marked));
        assertFalse(routes.isStale(routes.add(KEY, RouteSource.MAIN, 3, 3)));
    }

    @Test
    void shouldFindTheLongestIpv6Match()
    {
        for (final int length : new int[]{ 0, 32, 64, 127, 128 })
        {
            ipv6Routes.add(IpPrefix.of(0x2001_0DB8_0000_0000L, 1, length), RouteSource.MAIN, 0, length);
        }
        for (final String line : List.of("2001:db8::1 128", "2001:db8:: 127", "2001:db8::2 64", "2001:db8:0:1:: 32",
            "2001:db9:: 0", ":: 0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 0"))
        {
            final String[] fields = line.split(" ");
            assertEquals(Integer.parseInt(fields[1]),
                ipv6Routes.nextHop(ipv6Routes.longestMatch(IpAddress.parse(fields[0]))), line);
        }
    }

    @Test
    void shouldFindTheLongestMatch()
    {
        routes.add(key("0.0.0.0/0"), RouteSource.MAIN, 0, 0);
        routes.add(key("10.0.0.0/8"), RouteSource.MAIN, 0, 8);
        routes.add(key("10.1.2.128/25"), RouteSource.MAIN, 0, 25);
        routes.add(key("10.1.2.129/32"), RouteSource.MAIN, 0, 32);

        assertEquals(32, nextHopFor("10.1.2.129"));
        assertEquals(25, nextHopFor("10.1.2.255"));
        assertEquals(8, nextHopFor("10.1.2.127"));
        assertEquals(0, nextHopFor("11.0.0.0"));
        assertEquals(0, nextHopFor("255.255.255.255"));
    }

    @Test
    void shouldPageThroughAllPrefixesInOrder()
    {
        final Random random = new Random(7);
        final TreeSet<IpPrefix> expected = new TreeSet<>();
        while (expected.size() < 5000)
        {
            final IpPrefix key = IpPrefix.of(random.nextInt(), 8 + random.nextInt(25));
            if (expected.add(key))
            {
                routes.add(key, RouteSource.MAIN, 0, 1);
                routes.add(key, RouteSource.FILE, 0, 2);
            }
        }
        assertEquals(new ArrayList<>(expected), allPages(routes));
        expected.stream().filter(key -> key.length() < 12).forEach(key -> assertPagesIn(routes, expected, key));
        assertPagesIn(routes, expected, key("10.0.0.0/9"));
        assertEquals(List.of(), routes.prefixesIn(key("0.0.0.0/0"), key("255.255.255.255/32"), 1));
    }

    @Test
    void shouldPageThroughAllIpv6PrefixesInOrder()
    {
        final Random random = new Random(8);
        final TreeSet<IpPrefix> expected = new TreeSet<>();
        while (expected.size() < 5000)
        {
            final long high = random.nextInt(4) == 0 ? random.nextLong() : random.nextLong() >>> 3 | 1L << 61;
            final IpPrefix key = IpPrefix.of(high, random.nextLong(), random.nextInt(129));
            if (expected.add(key))
            {
                ipv6Routes.add(key, RouteSource.MAIN, 0, 1);
                ipv6Routes.add(key, RouteSource.FILE, 0, 2);
            }
        }
        assertEquals(new ArrayList<>(expected), allPages(ipv6Routes));
        assertPagesIn(ipv6Routes, expected, IpPrefix.of(expected.first().high(), 0, 1));
        expected.stream().filter(key -> key.length() < 8).forEach(key -> assertPagesIn(ipv6Routes, expected, key));
    }

    private List<IpPrefix> allPages(final Rib rib)
    {
        return pagesIn(rib, rib == routes ? key("0.0.0.0/0") : key("::/0"));
    }

    private static void assertPagesIn(final Rib rib, final TreeSet<IpPrefix> all, final IpPrefix outer)
    {
        assertEquals(all.stream().filter(outer::covers).toList(), pagesIn(rib, outer), outer::toString);
    }

    private static List<IpPrefix> pagesIn(final Rib rib, final IpPrefix outer)
    {
        final List<IpPrefix> seen = new ArrayList<>();
        List<IpPrefix> page = rib.prefixesIn(outer, null, 333);
        while (!page.isEmpty())
        {
            seen.addAll(page);
            page = rib.prefixesIn(outer, page.get(page.size() - 1), 333);
        }
        return seen;
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

        final TreeSet<IpPrefix> inside = new TreeSet<>();
        routes.forEachHeadIn(key("10.0.0.0/8"), key -> assertTrue(inside.add(key), "once"));

        assertEquals(Set.of(key("10.0.0.0/8"), key("10.200.0.0/14"), key("10.255.255.255/32")), inside);
    }

    @Test
    void shouldFindWhatLiesInsideAnIpv6Prefix()
    {
        for (final String prefix : List.of("::/0", "::1/128", "2000::/3", "2001:db8::/32", "2001:db8:ffff::/48",
            "2001:db9::/32", "3fff:ffff::/32", "4000::/3", "fe80::/64"))
        {
            ipv6Routes.add(key(prefix), RouteSource.MAIN, 0, 1);
        }
        assertEquals(Set.of(key("2001:db8::/32"), key("2001:db8:ffff::/48")), inside("2001:db8::/32"));
        assertEquals(Set.of(key("2000::/3"), key("2001:db8::/32"), key("2001:db8:ffff::/48"), key("2001:db9::/32"),
            key("3fff:ffff::/32")), inside("2000::/3"));
        assertEquals(9, inside("::/0").size());
        assertEquals(Set.of(key("4000::/3")), inside("4000::/2"));
    }

    private Set<IpPrefix> inside(final String outer)
    {
        final Set<IpPrefix> inside = new TreeSet<>();
        ipv6Routes.forEachHeadIn(key(outer), key -> assertTrue(inside.add(key), "once"));
        return inside;
    }

    private List<Integer> drainBestFirst(final IpPrefix key)
    {
        final List<Integer> nextHops = new ArrayList<>();
        while (routes.head(key) != Rib.NONE)
        {
            nextHops.add(routes.nextHop(routes.head(key)));
            routes.remove(routes.head(key));
        }
        return nextHops;
    }

    private int nextHopFor(final String address)
    {
        return routes.nextHop(routes.longestMatch(IpAddress.parse(address)));
    }

    private static IpPrefix key(final String text)
    {
        return IpPrefix.parse(text);
    }
}
