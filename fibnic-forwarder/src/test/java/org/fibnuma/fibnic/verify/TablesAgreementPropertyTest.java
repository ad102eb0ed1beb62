package org.fibnuma.fibnic.verify;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The tables that follow changes one by one and the table computed from a dump at once are written apart from each
 * other: after any changes they say the same at every edge of a prefix.
 */
class TablesAgreementPropertyTest
{
    private static final int[] INTERFACES = { 1, 2 };
    private static final int CHANGES = 60;
    private static final int FILE_ROUTES = 6;

    @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
    void shouldFollowToTheSameTablesThatADumpLeadsTo(@ForAll final long seed, @ForAll final boolean oldBroadcasts)
    {
        final ForwardingConfig forwarding = new ForwardingConfig(false, oldBroadcasts, true);
        final Random random = new Random(seed);
        final ReaderEpochs epochs = new ReaderEpochs();
        try (Ipv4Fib fib = new Ipv4Fib(epochs))
        {
            final AdjacencyTable adjacencies = new AdjacencyTable();
            final RoutingTables tables = new RoutingTables(
                List.of(), new LinkTable(INTERFACES),
                new RoutingTables.Shared(fib, adjacencies, new InterfaceTable(INTERFACES.length), epochs));
            if (oldBroadcasts)
            {
                tables.forwardOldBroadcasts();
            }
            final SimulatedKernel kernel = new SimulatedKernel(random, tables);
            final Map<Integer, int[]> fileRoutes = new HashMap<>();
            kernel.dump(tables);
            for (int i = 0; i < FILE_ROUTES; i++)
            {
                final int length = 8 + random.nextInt(25);
                final int[] route =
                    { kernel.address() & Ipv4Address.mask(length), length, kernel.address() };
                fileRoutes.put(i, route);
                tables.addFileRoute(route[0], route[1], route[2]);
            }
            for (int i = 0; i < CHANGES; i++)
            {
                kernel.change();
            }
            assertAgree(kernel, fileRoutes, forwarding, fib, adjacencies);
        }
    }

    private static void assertAgree(
        final SimulatedKernel kernel,
        final Map<Integer, int[]> fileRoutes,
        final ForwardingConfig forwarding,
        final Ipv4Fib fib,
        final AdjacencyTable adjacencies)
    {
        final KernelSnapshot snapshot = new KernelSnapshot();
        kernel.dump(snapshot);
        fileRoutes.values().forEach(route -> snapshot.addFileRoute(route[0], route[1], route[2]));
        final ExpectedTable expected =
            new ExpectedTable(snapshot, Map.of(INTERFACES[0], 0, INTERFACES[1], 1), forwarding);
        final long[] edges = FibComparison.boundariesOf(fib);
        Arrays.sort(edges);
        int edge = 0;
        long start = 0;
        for (int range = 0; range < expected.rangeCount(); range++)
        {
            final long end = expected.rangeEnd(range);
            assertSame(expected.expected(range), start, fib, adjacencies);
            assertSame(expected.expected(range), end - 1, fib, adjacencies);
            while (edge < edges.length && edges[edge] < end)
            {
                assertSame(expected.expected(range), edges[edge++], fib, adjacencies);
            }
            start = end;
        }
    }

    private static void assertSame(
        final Adjacency expected, final long address, final Ipv4Fib fib, final AdjacencyTable adjacencies)
    {
        final Adjacency actual = adjacencies.get(fib.lookup((int)address));
        assertEquals(
            FibComparison.describe(expected), FibComparison.describe(actual), Ipv4Address.format((int)address));
        assertEquals(expected, actual);
    }
}
