package org.fibnuma.fibnic.fib;

import org.fibnuma.core.Require;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.Ipv6RouteTableGenerator;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Full IPv6 tables and a real trace: right on every prefix boundary and on a million random addresses. */
class Ipv6FibRealTableTest
{
    private static final int RANDOM_ADDRESSES = 1_000_000;
    private static final int BATCH = 640;
    private static final int GENERATED = 200_000;

    private final HashLpm6 expected = new HashLpm6();
    private final Map<Ipv6Address, Integer> adjacencyOfNextHop = new HashMap<>();
    private final Random random = new Random(2023);
    private final long[] highs = new long[BATCH];
    private final long[] lows = new long[BATCH];

    @Test
    void shouldAgreeOnTheTableOf2017AndAfterTheTraceOf2016()
    {
        final Ipv6RouteList table = RouteTableReader.ofAllPeers()
            .readIpv6(Require.sharedData("bgp/ipv6-rib-20170112.txt.gz"));
        final Ipv6RouteList trace = RouteTableReader.ofAllPeers()
            .readIpv6(Require.sharedData("bgp/updates-20160811.txt.gz"));
        try (Ipv6Fib fib = new Ipv6Fib(new ReaderEpochs()))
        {
            apply(fib, table);
            assertEquals(37_343, fib.size());
            assertAgree(fib);

            apply(fib, trace);
            assertAgree(fib);
        }
    }

    @Test
    void shouldAgreeOnTheTableOf2023AndAfterHalfOfItIsWithdrawn()
    {
        final Ipv6RouteList table = RouteTableReader.ofAllPeers()
            .readIpv6(Require.sharedData("bgp/full-table-2023.prefixes.txt.gz"));
        try (Ipv6Fib fib = new Ipv6Fib(new ReaderEpochs()))
        {
            apply(fib, table);
            assertEquals(160_147, fib.size());
            assertAgree(fib);

            withdrawEverySecond(fib);
            assertAgree(fib);
        }
    }

    @Test
    void shouldAgreeOnAGeneratedTableOf200000Routes()
    {
        try (Ipv6Fib fib = new Ipv6Fib(new ReaderEpochs()))
        {
            apply(fib, new Ipv6RouteTableGenerator().generate(GENERATED));
            assertEquals(GENERATED, fib.size());
            assertAgree(fib);
        }
    }

    private void apply(final Ipv6Fib fib, final Ipv6RouteList routes)
    {
        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv6Prefix prefix = routes.prefix(i);
            if (routes.isWithdrawal(i))
            {
                assertEquals(
                    expected.change(prefix, 0), fib.withdraw(prefix.high(), prefix.low(), prefix.length()));
            }
            else
            {
                final Ipv6Address nextHop = routes.nextHop(i);
                final int adjacency = nextHop.equals(Ipv6RouteList.NO_NEXT_HOP) ?
                    1 + random.nextInt(Ipv4Fib.MAX_ADJACENCY) :
                    adjacencyOfNextHop.computeIfAbsent(nextHop, ignore -> 1 + adjacencyOfNextHop.size());
                expected.change(prefix, adjacency);
                fib.announce(prefix.high(), prefix.low(), prefix.length(), adjacency);
            }
        }
        assertEquals(expected.routes().size(), fib.size());
    }

    private void withdrawEverySecond(final Ipv6Fib fib)
    {
        boolean second = false;
        for (final Ipv6Prefix prefix : expected.routes().keySet().toArray(new Ipv6Prefix[0]))
        {
            second = !second;
            if (second)
            {
                expected.change(prefix, 0);
                assertTrue(fib.withdraw(prefix.high(), prefix.low(), prefix.length()));
            }
        }
    }

    private void assertAgree(final Ipv6Fib fib)
    {
        final List<Ipv6Prefix> prefixes = new ArrayList<>(expected.routes().keySet());
        int count = 0;
        for (final Ipv6Prefix prefix : prefixes)
        {
            for (final Ipv6Address boundary : Ipv6Boundaries.of(prefix))
            {
                highs[count] = boundary.high();
                lows[count] = boundary.low();
                count++;
            }
            if (count == BATCH)
            {
                assertAgree(fib, count);
                count = 0;
            }
        }
        assertAgree(fib, count);
        for (int i = 0; i < RANDOM_ADDRESSES; i += BATCH)
        {
            for (int k = 0; k < BATCH; k++)
            {
                // Every fourth is of the whole address space, the others below some route.
                final Ipv6Prefix prefix = prefixes.get(random.nextInt(prefixes.size()));
                final int length = k % 4 == 0 ? 0 : prefix.length();
                highs[k] = prefix.high() & Ipv6Address.maskHigh(length) |
                    random.nextLong() & ~Ipv6Address.maskHigh(length);
                lows[k] = prefix.low() & Ipv6Address.maskLow(length) |
                    random.nextLong() & ~Ipv6Address.maskLow(length);
            }
            assertAgree(fib, BATCH);
        }
    }

    private void assertAgree(final Ipv6Fib fib, final int count)
    {
        final int[] adjacencies = new int[BATCH];
        try (BatchLookup6 batches = new BatchLookup6())
        {
            batches.lookup(fib, highs, lows, adjacencies, count);
        }
        for (int i = 0; i < count; i++)
        {
            final long high = highs[i];
            final long low = lows[i];
            final int adjacency = expected.lookup(high, low);
            assertEquals(adjacency, adjacencies[i], () -> Ipv6Address.format(high, low) + " in a batch");
            assertEquals(adjacency, fib.lookup(high, low), () -> Ipv6Address.format(high, low));
        }
    }
}
