package org.fibnuma.fibnic.fib;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6FibPropertyTest
{
    private static final int ENOUGH = 3;
    private static final int RANDOM_ADDRESSES = 100;

    /** Adjacency 0 stands for "withdraw". */
    record Change(Ipv6Prefix prefix, int adjacency)
    {
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void shouldAgreeWithLinearSearchAfterAnySequence(@ForAll("changes") final List<Change> changes)
    {
        final ReaderEpochs epochs = new ReaderEpochs();
        final LinearLpm6 expected = new LinearLpm6();
        try (Ipv6Fib fib = new Ipv6Fib(epochs); ReaderEpochs.Reader reader = epochs.register())
        {
            int step = 0;
            for (final Change change : changes)
            {
                apply(fib, expected, change);
                if (step++ % 7 == 0)
                {
                    reader.quiesce();
                }
                if (step % 16 == 0)
                {
                    assertAgree(fib, expected);
                }
            }
            assertAgree(fib, expected);
            assertSameRoutes(fib, expected);
        }
    }

    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
    void shouldPassLastingPrefixesOnceWhileOthersChange(@ForAll("changes") final List<Change> changes)
    {
        final LinearLpm6 expected = new LinearLpm6();
        try (Ipv6Fib fib = new Ipv6Fib(new ReaderEpochs()))
        {
            final int half = changes.size() / 2;
            changes.subList(0, half).forEach(change -> apply(fib, expected, change));
            final Set<Ipv6Prefix> lasting = new HashSet<>(expected.routes().keySet());
            final Iterator<Change> more = changes.subList(half, changes.size()).iterator();
            final Set<Ipv6Prefix> passed = new HashSet<>();
            int position = 0;
            while (position != Ipv6Fib.END)
            {
                position = fib.forEachFrom(position, 1, (high, low, length, adjacency) ->
                    assertTrue(passed.add(new Ipv6Prefix(high, low, length))));
                if (more.hasNext())
                {
                    apply(fib, expected, more.next());
                    lasting.retainAll(expected.routes().keySet());
                }
            }
            assertTrue(passed.containsAll(lasting));
        }
    }

    private static void apply(final Ipv6Fib fib, final LinearLpm6 expected, final Change change)
    {
        final Ipv6Prefix prefix = change.prefix;
        if (change.adjacency == 0)
        {
            final boolean present = expected.routes().remove(prefix) != null;
            assertEquals(present, fib.withdraw(prefix.high(), prefix.low(), prefix.length()));
        }
        else
        {
            expected.routes().put(prefix, change.adjacency);
            fib.announce(prefix.high(), prefix.low(), prefix.length(), change.adjacency);
        }
        assertEquals(expected.routes().size(), fib.size());
        assertEquals(change.adjacency, fib.exact(prefix.high(), prefix.low(), prefix.length()));
    }

    private static void assertAgree(final Ipv6Fib fib, final LinearLpm6 expected)
    {
        final List<Ipv6Address> addresses = new ArrayList<>();
        for (final Ipv6Prefix prefix : expected.routes().keySet())
        {
            addresses.addAll(Ipv6Boundaries.of(prefix));
        }
        final Random random = new Random(addresses.size());
        for (int i = 0; i < RANDOM_ADDRESSES; i++)
        {
            addresses.add(new Ipv6Address(random.nextLong(), random.nextLong()));
        }
        final long[] highs = addresses.stream().mapToLong(Ipv6Address::high).toArray();
        final long[] lows = addresses.stream().mapToLong(Ipv6Address::low).toArray();
        final int[] adjacencies = new int[highs.length];
        try (BatchLookup6 batches = new BatchLookup6())
        {
            batches.lookup(fib, highs, lows, adjacencies, highs.length);
        }
        for (int i = 0; i < highs.length; i++)
        {
            final Ipv6Address destination = addresses.get(i);
            final int adjacency = expected.lookup(highs[i], lows[i]);
            assertEquals(adjacency, fib.lookup(highs[i], lows[i]), destination::toString);
            assertEquals(adjacency, adjacencies[i], () -> destination + " in a batch");
        }
    }

    private static void assertSameRoutes(final Ipv6Fib fib, final LinearLpm6 expected)
    {
        final Map<Ipv6Prefix, Integer> remaining = expected.routes();
        int position = 0;
        while (position != Ipv6Fib.END)
        {
            position = fib.forEachFrom(position, ENOUGH, (high, low, length, adjacency) ->
                assertEquals(adjacency, remaining.remove(new Ipv6Prefix(high, low, length))));
        }
        assertEquals(0, remaining.size());
    }

    @Provide
    Arbitrary<List<Change>> changes()
    {
        // Few distinct groups, so that prefixes nest and neighbour each other.
        final Arbitrary<Long> groups = Arbitraries.of(0L, 1L, 0x7FL, 0x80L, 0xFFL, 0x100L, 0x8000L, 0xFFFFL);
        final Arbitrary<Long> first = Arbitraries.of(0L, 0x2001L, 0x2001L, 0x2A00L, 0x3FFFL, 0xFE80L, 0xFFFFL);
        final Arbitrary<Long> highs = Combinators.combine(first, groups, groups, groups)
            .as((a, b, c, d) -> a << 48 | b << 32 | c << 16 | d);
        final Arbitrary<Long> lows = Combinators.combine(groups, groups, groups, groups)
            .as((a, b, c, d) -> a << 48 | b << 32 | c << 16 | d);
        final Arbitrary<Integer> lengths = Arbitraries.oneOf(
            Arbitraries.integers().between(0, 128), Arbitraries.integers().between(20, 64),
            Arbitraries.of(0, 1, 3, 4, 23, 24, 25, 32, 33, 48, 63, 64, 65, 127, 128));
        final Arbitrary<Ipv6Prefix> prefixes = Combinators.combine(highs, lows, lengths).as(Ipv6Prefix::of);
        final Arbitrary<Integer> nextHopCount = Arbitraries.of(1, 2, 15, 65_534);
        return nextHopCount.flatMap(count ->
            Combinators.combine(prefixes, Arbitraries.integers().between(-count, count).map(n -> Math.max(0, n)))
                .as(Change::new).list().ofMinSize(1).ofMaxSize(120));
    }
}
