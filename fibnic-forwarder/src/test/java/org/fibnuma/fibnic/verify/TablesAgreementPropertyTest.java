package org.fibnuma.fibnic.verify;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The tables that follow changes one by one and the table computed from a dump at once are written apart from each
 * other: after any changes they say the same at every edge of a prefix of both families.
 */
class TablesAgreementPropertyTest
{
    private static final int[] INTERFACES = { 1, 2 };
    private static final int CHANGES = 60;
    private static final int FILE_ROUTES = 6;

    @Property(tries = 120, edgeCases = EdgeCasesMode.NONE)
    void shouldFollowToTheSameTablesThatADumpLeadsTo(
        @ForAll final long seed, @ForAll final boolean oldBroadcasts, @ForAll final boolean ipv6)
    {
        final ForwardingConfig forwarding = new ForwardingConfig(false, oldBroadcasts, true, ipv6, false);
        final Random random = new Random(seed);
        final ReaderEpochs epochs = new ReaderEpochs();
        try (Ipv4Fib fib = new Ipv4Fib(epochs); Ipv6Fib ipv6Fib = new Ipv6Fib(epochs))
        {
            final RoutingTables.Shared shared = new RoutingTables.Shared(
                fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(INTERFACES.length), epochs);
            final RoutingTables tables = new RoutingTables(List.of(), new LinkTable(INTERFACES), shared);
            if (oldBroadcasts)
            {
                tables.forwardOldBroadcasts();
            }
            if (ipv6)
            {
                tables.forwardIpv6();
            }
            final SimulatedKernel kernel = new SimulatedKernel(random, tables);
            final List<Map.Entry<IpPrefix, IpAddress>> fileRoutes = new ArrayList<>();
            kernel.dump(tables);
            for (int i = 0; i < FILE_ROUTES; i++)
            {
                final boolean isIpv6 = ipv6 && i % 2 == 0;
                // RFC 8950: every other gateway of an IPv4 prefix is IPv6.
                final boolean byIpv6 = ipv6 && i % 4 != 1;
                fileRoutes.add(Map.entry(kernel.prefix(isIpv6), kernel.address(byIpv6)));
                tables.addFileRoute(fileRoutes.get(i).getKey(), fileRoutes.get(i).getValue());
            }
            final Set<IpPrefix> ofKernel = new HashSet<>();
            for (int i = 0; i < CHANGES; i++)
            {
                kernel.change();
                if (random.nextInt(6) == 0)
                {
                    ofKernel.removeIf(prefix -> random.nextInt(3) == 0);
                    ofKernel.add(kernel.prefix(ipv6 && random.nextBoolean()));
                    tables.leavePrefixesToKernel(ofKernel);
                }
            }
            assertEquals(ofKernel, tables.prefixesOfKernel());
            assertAgree(kernel, fileRoutes, ofKernel, forwarding, shared);
            assertTrue(ipv6 || ipv6Fib.size() == 0, "IPv6 is ignored unless it is forwarded");
        }
    }

    private static void assertAgree(
        final SimulatedKernel kernel,
        final List<Map.Entry<IpPrefix, IpAddress>> fileRoutes,
        final Set<IpPrefix> ofKernel,
        final ForwardingConfig forwarding,
        final RoutingTables.Shared shared)
    {
        final KernelSnapshot snapshot = new KernelSnapshot(forwarding.ipv6());
        kernel.dump(snapshot);
        fileRoutes.forEach(route -> snapshot.addFileRoute(route.getKey(), route.getValue()));
        snapshot.prefixesOfKernel(ofKernel);
        final ExpectedTable expected =
            new ExpectedTable(snapshot, Map.of(INTERFACES[0], 0, INTERFACES[1], 1), forwarding);
        final TreeSet<IpAddress> ipv4Edges = new TreeSet<>();
        for (final long boundary : FibBoundaries.of(shared.fib()))
        {
            ipv4Edges.add(IpAddress.of((int)boundary));
        }
        assertAgree(expected, false, ipv4Edges, shared);
        final TreeSet<IpAddress> ipv6Edges = new TreeSet<>(FibBoundaries.of(shared.ipv6Fib()));
        assertAgree(expected, true, ipv6Edges, shared);
    }

    private static void assertAgree(
        final ExpectedTable expected,
        final boolean isIpv6,
        final TreeSet<IpAddress> edges,
        final RoutingTables.Shared shared)
    {
        final AddressRanges ranges = expected.ranges(isIpv6);
        final AdjacencyTexts texts = new AdjacencyTexts(expected, shared.adjacencies());
        IpAddress first = isIpv6 ? IpAddress.NONE : IpAddress.of(0);
        for (int range = 0; range < ranges.size(); range++)
        {
            final IpAddress last = ranges.last(range);
            final Adjacency adjacency = expected.expected(isIpv6, range);
            assertSame(texts, adjacency, isIpv6, first, shared);
            assertSame(texts, adjacency, isIpv6, last, shared);
            for (final IpAddress edge : edges.subSet(first, true, last, true))
            {
                assertSame(texts, adjacency, isIpv6, edge, shared);
            }
            first = AddressRanges.after(last);
        }
    }

    private static void assertSame(
        final AdjacencyTexts texts,
        final Adjacency expected,
        final boolean isIpv6,
        final IpAddress address,
        final RoutingTables.Shared shared)
    {
        final int index = isIpv6 ? shared.ipv6Fib().lookup(address.high(), address.low()) :
            shared.fib().lookup(address.ipv4());
        final Adjacency actual = shared.adjacencies().get(index);
        assertEquals(texts.ofExpected(expected), texts.ofActual(actual), address.toString());
        assertTrue(texts.areEqual(expected, actual));
    }
}
