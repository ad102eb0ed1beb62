package org.fibnuma.fibnic.fib;

import org.fibnuma.core.Require;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Full tables and a real trace: right on every prefix boundary and on a million random addresses. */
class Ipv4FibRealTableTest
{
    private static final int RANDOM_ADDRESSES = 1_000_000;
    private static final int BATCH = 640;
    private static final String PEER_OF_2010 = "202.249.2.20";

    private final Map<Ipv4Prefix, Integer> expected = new TreeMap<>(
        Comparator.comparingInt(Ipv4Prefix::address).thenComparingInt(Ipv4Prefix::length));
    private final Map<Integer, Integer> adjacencyOfNextHop = new HashMap<>();

    @Test
    void shouldAgreeOnTheTableOf2010AndAfterTheTraceOf2016()
    {
        final RouteList table = RouteTableReader.ofPeer(PEER_OF_2010)
            .read(Require.sharedData("bgp/bview-20100701.txt.gz"));
        final RouteList trace = RouteTableReader.ofAllPeers().read(Require.sharedData("bgp/updates-20160811.txt.gz"));
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            apply(fib, table, IntUnaryOperator.identity());
            assertEquals(323_485, fib.size());
            assertEquals(8, fib.codeBits());
            assertAgree(fib);

            apply(fib, trace, IntUnaryOperator.identity());
            assertAgree(fib);
            withdrawEverySecond(fib);
            assertAgree(fib);
        }
    }

    @Test
    void shouldAgreeOnTheTableOf2010InEveryWidth()
    {
        final RouteList table = RouteTableReader.ofPeer(PEER_OF_2010)
            .read(Require.sharedData("bgp/bview-20100701.txt.gz"));
        final int[] nextHops = {2, 3, 15, 1};
        final int[] codeBits = {2, 2, 4, 2};
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            for (int i = 0; i < nextHops.length; i++)
            {
                final int folded = nextHops[i];
                apply(fib, table, adjacency -> 1 + adjacency % folded);
                fib.compact();
                assertEquals(codeBits[i], fib.codeBits());
                assertAgree(fib);
            }
        }
    }

    @Test
    void shouldAgreeOnTheTableOf2023()
    {
        final RouteList table = RouteTableReader.ofAllPeers()
            .read(Require.sharedData("bgp/full-table-2023.prefixes.txt.gz"));
        final Random random = new Random(2023);
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            apply(fib, table, adjacency -> 1 + random.nextInt(Ipv4Fib.MAX_ADJACENCY));
            assertEquals(901_899, fib.size());
            assertEquals(16, fib.codeBits());
            assertTrue(fib.prefixBytes() < 8 * fib.size(), fib.prefixBytes() + " bytes");
            assertAgree(fib);
        }
    }

    @Test
    void shouldAgreeOnAGeneratedTable()
    {
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            apply(fib, new RouteTableGenerator(15, 7).generate(200_000), IntUnaryOperator.identity());
            assertEquals(4, fib.codeBits());
            assertAgree(fib);
        }
    }

    private void apply(final Ipv4Fib fib, final RouteList routes, final IntUnaryOperator adjacencyOf)
    {
        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv4Prefix prefix = new Ipv4Prefix(routes.prefix(i), routes.length(i));
            if (routes.isWithdrawal(i))
            {
                assertEquals(expected.remove(prefix) != null, fib.withdraw(prefix.address(), prefix.length()));
            }
            else
            {
                final int number = adjacencyOfNextHop.computeIfAbsent(
                    routes.nextHop(i), nextHop -> 1 + adjacencyOfNextHop.size());
                final int adjacency = adjacencyOf.applyAsInt(number);
                expected.put(prefix, adjacency);
                fib.announce(prefix.address(), prefix.length(), adjacency);
            }
        }
        assertEquals(expected.size(), fib.size());
    }

    private void withdrawEverySecond(final Ipv4Fib fib)
    {
        boolean second = false;
        for (final Ipv4Prefix prefix : expected.keySet().toArray(new Ipv4Prefix[0]))
        {
            second = !second;
            if (second)
            {
                expected.remove(prefix);
                assertTrue(fib.withdraw(prefix.address(), prefix.length()));
            }
        }
    }

    private void assertAgree(final Ipv4Fib fib)
    {
        final IntervalLpm reference = new IntervalLpm(expected);
        final int[] batch = new int[BATCH];
        int count = 0;
        for (final Ipv4Prefix prefix : expected.keySet())
        {
            batch[count++] = prefix.address() - 1;
            batch[count++] = prefix.address();
            batch[count++] = prefix.last();
            batch[count++] = prefix.last() + 1;
            if (count == BATCH)
            {
                assertAgree(fib, reference, batch, count);
                count = 0;
            }
        }
        assertAgree(fib, reference, batch, count);
        final Random random = new Random(42);
        for (int i = 0; i < RANDOM_ADDRESSES; i += BATCH)
        {
            Arrays.setAll(batch, ignore -> random.nextInt());
            assertAgree(fib, reference, batch, BATCH);
        }
    }

    private static void assertAgree(
        final Ipv4Fib fib, final IntervalLpm reference, final int[] destinations, final int count)
    {
        final int[] adjacencies = new int[BATCH];
        try (BatchLookup batches = new BatchLookup())
        {
            batches.lookup(fib, destinations, adjacencies, count);
        }
        for (int i = 0; i < count; i++)
        {
            final int destination = destinations[i];
            final int adjacency = reference.lookup(destination);
            assertEquals(adjacency, adjacencies[i], () -> Ipv4Address.format(destination) + " in a batch");
            assertEquals(adjacency, fib.lookup(destination), () -> Ipv4Address.format(destination));
        }
    }
}
