package org.fibnuma.fibnic.verify;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A kernel with one connected network, one neighbour and one route, and a FIB that has drifted from it or not. */
class FibComparisonTest
{
    private static final int GLEAN = 1;
    private static final int NEIGHBOR = 2;
    private static final int BLACKHOLE = 3;
    private static final long OWN_MAC = 0x0200_0000_0001L;
    private static final long NEIGHBOR_MAC = 0x0200_0000_0002L;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final KernelSnapshot snapshot = new KernelSnapshot(false);

    @BeforeEach
    void agree()
    {
        final int gateway = Ipv4Address.parse("10.0.0.2");
        snapshot.onDumpStart();
        snapshot.onLink(new KernelLink(5, "r0", OWN_MAC, 1500, true), true);
        snapshot.onNeighbor(
            new KernelNeighbor(5, IpAddress.of(gateway), NEIGHBOR_MAC, KernelNeighbor.State.USABLE), true);
        kernelRoute("10.0.0.0/24", 0);
        kernelRoute("192.0.2.0/24", gateway);
        adjacencies.set(GLEAN, Adjacency.glean(0, 1500));
        adjacencies.set(NEIGHBOR, Adjacency.forward(0, IpAddress.of(gateway), 1500, NEIGHBOR_MAC, OWN_MAC));
        adjacencies.set(BLACKHOLE, Adjacency.of(AdjacencyKind.BLACKHOLE));
        announce("10.0.0.0/24", GLEAN);
        announce("10.0.0.2/32", NEIGHBOR);
        announce("192.0.2.0/24", NEIGHBOR);
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
    }

    @Test
    void shouldIgnoreIpv6AndExpectTheKernelForIpv4ByIpv6NextHops()
    {
        final IpAddress gateway = IpAddress.parse("fe80::1");
        snapshot.onAddress(new KernelAddress(5, gateway, 64), true);
        snapshot.onNeighbor(new KernelNeighbor(5, gateway, NEIGHBOR_MAC, KernelNeighbor.State.USABLE), true);
        snapshot.onRoute(new KernelRoute(true, IpAddress.parse("::"), 0, KernelRoute.TABLE_MAIN, 1024,
            KernelRoute.Kind.UNICAST, gateway, 5), true);
        assertEquals(List.of(), compare());

        snapshot.onRoute(new KernelRoute(false, IpAddress.parse("203.0.113.0"), 24, KernelRoute.TABLE_MAIN, 0,
            KernelRoute.Kind.UNICAST, gateway, 5), true);
        assertEquals(List.of("203.0.113.0 to 203.0.113.255: punt, but no-route"), compare());
    }

    @Test
    void shouldFindARouteThatTheFibLacks()
    {
        fib.withdraw(Ipv4Address.parse("192.0.2.0"), 24);

        assertEquals(
            List.of("192.0.2.0 to 192.0.2.255: forward port 0 mtu 1500 via 10.0.0.2 at 02:00:00:00:00:02 " +
                "from 02:00:00:00:00:01, but no-route"),
            compare());
    }

    @Test
    void shouldFindARouteThatTheKernelLacks()
    {
        announce("192.0.2.64/30", BLACKHOLE);
        announce("203.0.112.0/23", BLACKHOLE);

        assertEquals(
            List.of(
                "192.0.2.64 to 192.0.2.67: forward port 0 mtu 1500 via 10.0.0.2 at 02:00:00:00:00:02 " +
                    "from 02:00:00:00:00:01, but blackhole",
                "203.0.112.0 to 203.0.113.255: no-route, but blackhole"),
            compare());
    }

    @Test
    void shouldFindAnotherMacAddress()
    {
        adjacencies.set(
            NEIGHBOR, Adjacency.forward(0, IpAddress.parse("10.0.0.2"), 1500, 0x0200_0000_0003L, OWN_MAC));

        final List<String> differences = compare();

        assertEquals(2, differences.size(), differences.toString());
        assertEquals("10.0.0.2 to 10.0.0.2: forward port 0 mtu 1500 via 10.0.0.2 at 02:00:00:00:00:02 from " +
            "02:00:00:00:00:01, but forward port 0 mtu 1500 via 10.0.0.2 at 02:00:00:00:00:03 from 02:00:00:00:00:01",
            differences.get(0));
    }

    @Test
    void shouldFindDifferencesAtBothEndsOfTheAddressSpace()
    {
        announce("0.0.0.0/32", BLACKHOLE);
        announce("255.255.255.255/32", BLACKHOLE);

        assertEquals(
            List.of(
                "0.0.0.0 to 0.0.0.0: no-route, but blackhole",
                "255.255.255.255 to 255.255.255.255: no-route, but blackhole"),
            compare());
    }

    private List<String> compare()
    {
        final FibComparison comparison = new FibComparison(
            new ExpectedTable(snapshot, Map.of(5, 0), new ForwardingConfig(false, false, true, false, false)), fib,
            null, adjacencies, FibBoundaries.of(fib));
        try (ReaderEpochs.Reader reader = epochs.register())
        {
            return comparison.run(reader).stream()
                .map(difference -> difference.firstText() + " to " + difference.lastText() + ": " +
                    difference.expected() + ", but " + difference.actual())
                .toList();
        }
    }

    private void kernelRoute(final String text, final int gateway)
    {
        final Ipv4Prefix prefix = Ipv4Prefix.parse(text);
        snapshot.onRoute(
            new KernelRoute(
                prefix.address(), prefix.length(), KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST, gateway, 5),
            true);
    }

    private void announce(final String text, final int adjacency)
    {
        final Ipv4Prefix prefix = Ipv4Prefix.parse(text);
        fib.announce(prefix.address(), prefix.length(), adjacency);
    }
}
