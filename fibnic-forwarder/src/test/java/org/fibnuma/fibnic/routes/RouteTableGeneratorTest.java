package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RouteTableGeneratorTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 50_000})
    void shouldMakeAsManyDistinctRoutesAsAskedFor(final int count)
    {
        final RouteList routes = new RouteTableGenerator().generate(count);

        assertEquals(count, routes.size());
        assertEquals(count, keysOf(routes).size());
        for (int i = 1; i < count; i++)
        {
            final int order = Integer.compareUnsigned(routes.prefix(i - 1), routes.prefix(i));
            assertTrue(order < 0 || order == 0 && routes.length(i - 1) < routes.length(i));
        }
    }

    @Test
    void shouldHaveTheShapeOfTheTableOf2023()
    {
        final RouteList routes = new RouteTableGenerator().generate(901_899);
        final Set<Long> keys = keysOf(routes);
        final Deque<Ipv4Prefix> covers = new ArrayDeque<>();
        final int[] ofLength = new int[33];
        int nested = 0;
        int continued = 0;
        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv4Prefix prefix = new Ipv4Prefix(routes.prefix(i), routes.length(i));
            while (!covers.isEmpty() && !covers.peek().contains(prefix.address()))
            {
                covers.pop();
            }
            nested += covers.isEmpty() ? 0 : 1;
            covers.push(prefix);
            continued += keys.contains(key(prefix.last() + 1, prefix.length())) ? 1 : 0;
            ofLength[prefix.length()]++;
        }

        assertEquals(16, ofLength[8]);
        assertEquals(13_490, ofLength[16]);
        assertEquals(537_698, ofLength[24]);
        assertEquals(886, ofLength[32]);
        assertEquals(0.507, (double)nested / routes.size(), 0.03);
        assertEquals(0.618, (double)continued / routes.size(), 0.03);
    }

    @Test
    void shouldMakeTheSameTableFromTheSameSeed()
    {
        final RouteList first = new RouteTableGenerator(5, 42).generate(20_000);
        final RouteList again = new RouteTableGenerator(5, 42).generate(20_000);
        final RouteList other = new RouteTableGenerator(5, 43).generate(20_000);

        assertTrue(IntStream.range(0, 20_000).allMatch(i -> first.format(i).equals(again.format(i))));
        assertFalse(IntStream.range(0, 20_000).allMatch(i -> first.format(i).equals(other.format(i))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 23, 300})
    void shouldUseEveryNextHop(final int nextHops)
    {
        final RouteList routes = new RouteTableGenerator(nextHops, 1).generate(100_000);

        assertEquals(nextHops, IntStream.range(0, routes.size()).map(routes::nextHop).distinct().count());
    }

    @Test
    void shouldLeaveOutPrivateNetworks()
    {
        final RouteList routes = new RouteTableGenerator().generate(100_000);
        final Ipv4Prefix privateNetwork = Ipv4Prefix.parse("10.0.0.0/8");
        final Ipv4Prefix multicast = Ipv4Prefix.parse("224.0.0.0/3");

        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv4Prefix prefix = new Ipv4Prefix(routes.prefix(i), routes.length(i));
            assertFalse(privateNetwork.contains(prefix.address()) || prefix.contains(privateNetwork.address()));
            assertFalse(multicast.contains(prefix.address()) || prefix.contains(multicast.address()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"generated:", "generated:0", "generated:-1", "generated:2000001", "generated:many"})
    void shouldSayHowToNameATable(final String name)
    {
        final UserException ex = assertThrows(UserException.class, () -> RouteTables.open(name));

        assertEquals(name + ": write generated:N with N from 1 to 2000000", ex.getMessage());
    }

    private static Set<Long> keysOf(final RouteList routes)
    {
        final Set<Long> keys = new HashSet<>();
        for (int i = 0; i < routes.size(); i++)
        {
            keys.add(key(routes.prefix(i), routes.length(i)));
        }
        return keys;
    }

    private static long key(final int address, final int length)
    {
        return (long)address << Byte.SIZE | length;
    }
}
