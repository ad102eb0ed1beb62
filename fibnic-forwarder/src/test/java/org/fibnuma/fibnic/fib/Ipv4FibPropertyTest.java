package org.fibnuma.fibnic.fib;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv4FibPropertyTest
{
    private static final int ENOUGH = 3;
    private static final int RANDOM_ADDRESSES = 200;

    /** Adjacency 0 stands for "withdraw". */
    record Change(Ipv4Prefix prefix, int adjacency)
    {
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
    void shouldAgreeWithLinearSearchAfterAnySequence(@ForAll("changes") final List<Change> changes)
    {
        final ReaderEpochs epochs = new ReaderEpochs();
        final LinearLpm expected = new LinearLpm();
        try (Ipv4Fib fib = new Ipv4Fib(epochs); ReaderEpochs.Reader reader = epochs.register())
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
            fib.compact();
            assertAgree(fib, expected);
            assertSameRoutes(fib, expected);
        }
    }

    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
    void shouldPassLastingPrefixesOnceWhileOthersChange(@ForAll("changes") final List<Change> changes)
    {
        final LinearLpm expected = new LinearLpm();
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            final int half = changes.size() / 2;
            changes.subList(0, half).forEach(change -> apply(fib, expected, change));
            final Set<Ipv4Prefix> lasting = new HashSet<>(expected.routes().keySet());
            final Iterator<Change> more = changes.subList(half, changes.size()).iterator();
            final Set<Ipv4Prefix> passed = new HashSet<>();
            int position = 0;
            while (position != Ipv4Fib.END)
            {
                position = fib.forEachFrom(position, 1, (prefix, length, adjacency) ->
                    assertTrue(passed.add(new Ipv4Prefix(prefix, length))));
                if (more.hasNext())
                {
                    apply(fib, expected, more.next());
                    lasting.retainAll(expected.routes().keySet());
                }
            }
            assertTrue(passed.containsAll(lasting));
        }
    }

    private static void apply(final Ipv4Fib fib, final LinearLpm expected, final Change change)
    {
        final Ipv4Prefix prefix = change.prefix;
        if (change.adjacency == 0)
        {
            final boolean present = expected.routes().remove(prefix) != null;
            assertEquals(present, fib.withdraw(prefix.address(), prefix.length()));
        }
        else
        {
            expected.routes().put(prefix, change.adjacency);
            fib.announce(prefix.address(), prefix.length(), change.adjacency);
        }
        assertEquals(expected.routes().size(), fib.size());
        assertEquals(change.adjacency, fib.exact(prefix.address(), prefix.length()));
    }

    private static void assertAgree(final Ipv4Fib fib, final LinearLpm expected)
    {
        final List<Integer> addresses = new ArrayList<>();
        for (final Ipv4Prefix prefix : expected.routes().keySet())
        {
            addresses.add(prefix.address() - 1);
            addresses.add(prefix.address());
            addresses.add(prefix.last());
            addresses.add(prefix.last() + 1);
        }
        final Random random = new Random(addresses.size());
        random.ints(RANDOM_ADDRESSES).forEach(addresses::add);
        final int[] destinations = addresses.stream().mapToInt(Integer::intValue).toArray();
        final int[] adjacencies = new int[destinations.length];
        try (BatchLookup batches = new BatchLookup())
        {
            batches.lookup(fib, destinations, adjacencies, destinations.length);
        }
        for (int i = 0; i < destinations.length; i++)
        {
            final int destination = destinations[i];
            final int adjacency = expected.lookup(destination);
            assertEquals(adjacency, fib.lookup(destination), () -> Ipv4Address.format(destination));
            assertEquals(adjacency, adjacencies[i], () -> Ipv4Address.format(destination) + " in a batch");
        }
    }

    private static void assertSameRoutes(final Ipv4Fib fib, final LinearLpm expected)
    {
        final Map<Ipv4Prefix, Integer> remaining = expected.routes();
        int position = 0;
        while (position != Ipv4Fib.END)
        {
            position = fib.forEachFrom(position, ENOUGH, (prefix, length, adjacency) ->
                assertEquals(adjacency, remaining.remove(new Ipv4Prefix(prefix, length))));
        }
        assertEquals(0, remaining.size());
    }

    @Provide
    Arbitrary<List<Change>> changes()
    {
        // Few distinct high bytes, so that prefixes nest and neighbour each other, and few or many next hops.
        final Arbitrary<Integer> addresses = Arbitraries.of(0, 1, 10, 127, 128, 255)
            .flatMap(high -> Arbitraries.of(0, 1, 128, 255)
                .flatMap(second -> Arbitraries.of(0, 7, 255)
                    .flatMap(third -> Arbitraries.integers().between(0, 255)
                        .map(low -> high << 24 | second << 16 | third << 8 | low))));
        final Arbitrary<Ipv4Prefix> prefixes = Combinators.combine(addresses, Arbitraries.integers().between(0, 32))
            .as(Ipv4Prefix::of);
        final Arbitrary<Integer> nextHopCount = Arbitraries.of(2, 3, 4, 14, 15, 16, 254, 255, 65_534);
        return nextHopCount.flatMap(count ->
            Combinators.combine(prefixes, Arbitraries.integers().between(-count / 2, count).map(n -> Math.max(0, n)))
                .as(Change::new).list().ofMinSize(1).ofMaxSize(300));
    }
}
