package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.fib.TableFib;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A kernel with one connected IPv6 network, one neighbour and one route, and a FIB that has drifted from it or not. */
class Ipv6FibComparisonTest
{
    private static final int GLEAN = 1;
    private static final int NEIGHBOR = 2;
    private static final int BLACKHOLE = 3;
    private static final long OWN_MAC = 0x0200_0000_0001L;
    private static final long NEIGHBOR_MAC = 0x0200_0000_0002L;
    private static final IpAddress GATEWAY = IpAddress.parse("2001:db8::2");
    private static final String FORWARD = "forward port 0 mtu 1500 via 2001:db8::2 at 02:00:00:00:00:02 " +
        "from 02:00:00:00:00:01";

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv6Fib fib = new Ipv6Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final KernelSnapshot snapshot = new KernelSnapshot(true);
    private BigInteger differingAddresses;

    @BeforeEach
    void agree()
    {
        snapshot.onDumpStart();
        snapshot.onLink(new KernelLink(5, "r0", OWN_MAC, 1500, true), true);
        snapshot.onNeighbor(new KernelNeighbor(5, GATEWAY, NEIGHBOR_MAC, KernelNeighbor.State.USABLE), true);
        kernelRoute("2001:db8::/64", IpAddress.NONE);
        kernelRoute("2001:db8:f::/48", GATEWAY);
        adjacencies.set(GLEAN, Adjacency.glean(0, 1500));
        adjacencies.set(NEIGHBOR, Adjacency.forward(0, GATEWAY, 1500, NEIGHBOR_MAC, OWN_MAC));
        adjacencies.set(BLACKHOLE, Adjacency.of(AdjacencyKind.BLACKHOLE));
        announce("2001:db8::/64", GLEAN);
        announce("2001:db8::2/128", NEIGHBOR);
        announce("2001:db8:f::/48", NEIGHBOR);
    }

    @AfterEach
    void close()
    {
        fib.close();
    }

    @Test
    void shouldFindNothingWhereBothAgree()
    {
        assertEquals(List.of(), compare());
        assertEquals(BigInteger.ZERO, differingAddresses);
    }

    @Test
    void shouldFindARouteThatTheFibLacks()
    {
        withdraw("2001:db8:f::/48");

        assertEquals(
            List.of("2001:db8:f:: to 2001:db8:f:ffff:ffff:ffff:ffff:ffff: " + FORWARD + ", but no-route"), compare());
        assertEquals(BigInteger.TWO.pow(80), differingAddresses);
    }

    @Test
    void shouldFindAHostRouteThatTheFibLacks()
    {
        withdraw("2001:db8::2/128");

        assertEquals(
            List.of("2001:db8::2 to 2001:db8::2: " + FORWARD + ", but glean port 0 mtu 1500"), compare());
    }

    @Test
    void shouldFindARouteThatTheKernelLacks()
    {
        announce("2001:db8:f::40/122", BLACKHOLE);
        announce("2001:db8:ff::/63", BLACKHOLE);

        assertEquals(
            List.of(
                "2001:db8:f::40 to 2001:db8:f::7f: " + FORWARD + ", but blackhole",
                "2001:db8:ff:: to 2001:db8:ff:1:ffff:ffff:ffff:ffff: no-route, but blackhole"),
            compare());
    }

    @Test
    void shouldFindDifferencesAtBothEndsOfTheAddressSpace()
    {
        announce("::/128", BLACKHOLE);
        announce("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", BLACKHOLE);

        assertEquals(
            List.of(
                ":: to ::: no-route, but blackhole",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff to ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff: " +
                    "no-route, but blackhole"),
            compare());
    }

    @Test
    void shouldCountTheWholeAddressSpace()
    {
        for (final String prefix : List.of("2001:db8::/64", "2001:db8::2/128", "2001:db8:f::/48"))
        {
            withdraw(prefix);
        }
        kernelRoute("::/0", GATEWAY);
        announce("::/0", BLACKHOLE);

        compare();

        assertEquals(BigInteger.TWO.pow(128), differingAddresses);
    }

    @Test
    void shouldEndWhenItIsCancelled()
    {
        for (int i = 0; i < 5000; i++)
        {
            fib.announce(0x2001_0DB8_00FFL << 16 | i, 0, 64, i % 2 == 0 ? BLACKHOLE : GLEAN);
        }
        final Ipv6FibComparison comparison = comparison();
        comparison.cancel();
        try (ReaderEpochs.Reader reader = epochs.register())
        {
            assertThrows(CancellationException.class, () -> comparison.run(reader));
        }
    }

    private List<String> compare()
    {
        final Ipv6FibComparison comparison = comparison();
        try (ReaderEpochs.Reader reader = epochs.register())
        {
            final List<String> differences = comparison.run(reader).stream()
                .map(difference -> difference.firstText() + " to " + difference.lastText() + ": " +
                    difference.expected() + ", but " + difference.actual())
                .toList();
            differingAddresses = comparison.differingAddresses();
            return differences;
        }
    }

    private Ipv6FibComparison comparison()
    {
        final ExpectedTable table =
            new ExpectedTable(snapshot, Map.of(5, 0), new ForwardingConfig(false, false, true, true, false));
        return new Ipv6FibComparison(true, table, TableFib.of(fib, null), adjacencies, FibBoundaries.of(fib));
    }

    private void kernelRoute(final String text, final IpAddress gateway)
    {
        final IpPrefix prefix = IpPrefix.parse(text);
        snapshot.onRoute(
            new KernelRoute(
                true, prefix.first(), prefix.length(), KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, gateway,
                5),
            true);
    }

    private void announce(final String text, final int adjacency)
    {
        final IpPrefix prefix = IpPrefix.parse(text);
        fib.announce(prefix.high(), prefix.low(), prefix.length(), adjacency);
    }

    private void withdraw(final String text)
    {
        final IpPrefix prefix = IpPrefix.parse(text);
        fib.withdraw(prefix.high(), prefix.low(), prefix.length());
    }
}
