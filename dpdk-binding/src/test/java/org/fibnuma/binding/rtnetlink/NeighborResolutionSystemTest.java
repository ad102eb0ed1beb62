package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Asks the kernel for neighbours on a veth pair whose other end is another host. */
@Timeout(60)
class NeighborResolutionSystemTest
{
    private static final String PEER_MAC = "02:00:00:00:00:99";
    private static final IpAddress PEER = IpAddress.parse("10.1.0.2");
    private static final IpAddress NOBODY = IpAddress.parse("10.1.0.3");
    private static final int NO_SUCH_INTERFACE = 9999;
    private static final int MOST_NEIGHBORS = 10_000;
    private static final int MARGIN = 100;

    private KernelTestBed bed;
    private KernelNamespace host;
    private int index;

    @BeforeEach
    void open()
    {
        bed = new KernelTestBed(KernelTestBed.RECEIVE_BUFFER_LENGTH);
        host = new KernelNamespace();
        bed.namespace.ip("link add h0 type veth peer name h1 netns " + host.name());
        bed.namespace.ip("addr add 10.1.0.1/24 dev h0");
        bed.namespace.ip("link set h0 up");
        host.ip("link set h1 address " + PEER_MAC);
        host.ip("addr add 10.1.0.2/24 dev h1");
        host.ip("link set h1 up");
        index = bed.reference.indexOf("h0");
        bed.network.dump(bed.tables);
    }

    @AfterEach
    void close()
    {
        if (bed != null)
        {
            bed.close();
        }
        if (host != null)
        {
            host.close();
        }
    }

    @Test
    void shouldResolveByArp()
    {
        bed.network.resolve(index, PEER);

        bed.pollUntil(() -> isIn(PEER, KernelNeighbor.State.USABLE), 3000);
        assertEquals(MacAddress.parse(PEER_MAC), bed.tables.neighbor(index, PEER).macAddress());
    }

    @Test
    void shouldResolveByNeighborDiscovery()
    {
        bed.namespace.ip("addr add 2001:db8:1::1/64 dev h0 nodad");
        host.ip("addr add 2001:db8:1::2/64 dev h1 nodad");
        host.ip("addr add fe80::2/64 dev h1 nodad");

        for (final String text : new String[]{"2001:db8:1::2", "fe80::2"})
        {
            final IpAddress address = IpAddress.parse(text);
            bed.network.resolve(index, address);

            bed.pollUntil(() -> isIn(address, KernelNeighbor.State.USABLE), 5000);
            assertEquals(MacAddress.parse(PEER_MAC), bed.tables.neighbor(index, address).macAddress());
        }
    }

    @Test
    void shouldTellWhereNoIpv6HostAnswers()
    {
        bed.namespace.ip("addr add 2001:db8:1::1/64 dev h0 nodad");
        bed.namespace.sysctl("ipv6.neigh.h0.retrans_time_ms", "50");
        final IpAddress nobody = IpAddress.parse("2001:db8:1::3");

        bed.network.resolve(index, nobody);

        bed.pollUntil(() -> isIn(nobody, KernelNeighbor.State.FAILED), 5000);
    }

    @Test
    void shouldTellWhichNeighborsAreNotToBeAskedFor()
    {
        bed.namespace.sysctl("ipv4.neigh.h0.retrans_time_ms", "50");
        bed.namespace.ip("neigh add 10.1.0.3 lladdr " + PEER_MAC + " dev h0 nud permanent");
        bed.pollUntil(() -> isIn(NOBODY, KernelNeighbor.State.PERMANENT), 3000);

        bed.network.resolve(index, NOBODY);

        bed.pollUntil(() -> !isIn(NOBODY, KernelNeighbor.State.PERMANENT), 3000);
    }

    @Test
    void shouldTellWhereNobodyAnswersAndAskAgain()
    {
        bed.namespace.sysctl("ipv4.neigh.h0.retrans_time_ms", "50");
        bed.network.resolve(index, NOBODY);
        bed.pollUntil(() -> isIn(NOBODY, KernelNeighbor.State.FAILED), 5000);

        host.ip("addr add 10.1.0.3/24 dev h1");
        bed.network.resolve(index, NOBODY);

        bed.pollUntil(() -> isIn(NOBODY, KernelNeighbor.State.USABLE), 5000);
    }

    @Test
    void shouldFollowAMovedAddress()
    {
        bed.network.resolve(index, PEER);
        bed.pollUntil(() -> isIn(PEER, KernelNeighbor.State.USABLE), 3000);

        host.ip("link set h1 down");
        host.ip("link set h1 address 02:00:00:00:00:98");
        host.ip("link set h1 up");
        bed.namespace.ip("neigh flush dev h0");
        bed.pollUntil(() -> !isIn(PEER, KernelNeighbor.State.USABLE), 3000);
        bed.network.resolve(index, PEER);

        bed.pollUntil(() -> isIn(PEER, KernelNeighbor.State.USABLE), 3000);
        assertEquals(MacAddress.parse("02:00:00:00:00:98"), bed.tables.neighbor(index, PEER).macAddress());
    }

    /** The table is that of all namespaces. Neighbours that are being resolved cannot be removed from it. */
    @ParameterizedTest
    @CsvSource({"4, 10.2.0.1/16, 10.2., .", "6, 2001:db8:2::1/64, 2001:db8:2:0:0:0:, :"})
    void shouldNameTheLimitOfAFullTable(
        final String family, final String own, final String start, final String separator) throws IOException
    {
        final Path limit = Path.of("/proc/sys/net/ipv" + family + "/neigh/default/gc_thresh3");
        final int most = Files.exists(limit) ? Integer.parseInt(Files.readString(limit).strip()) : Integer.MAX_VALUE;
        Require.that(most <= MOST_NEIGHBORS, "needs " + limit + " of at most " + MOST_NEIGHBORS);
        bed.namespace.ip("addr add " + own + " dev h0" + (family.equals("6") ? " nodad" : ""));
        // Requests are repeated after a minute, so that none fails meanwhile.
        bed.namespace.sysctl("ipv" + family + ".neigh.h0.retrans_time_ms", "60000");
        final Set<String> refusals = new HashSet<>();
        for (int i = 0; i < most + MARGIN; i++)
        {
            final String end = 1 + i / 200 + separator + (2 + i % 200);
            refusals.add(bed.network.resolve(index, IpAddress.parse(start + end)));
        }
        final String prefix = "net.ipv" + family + ".neigh.default.gc_thresh";
        refusals.remove(null);
        assertEquals(Set.of("its table of IPv" + family + " neighbours is full; raise " + prefix +
            "3, and gc_thresh2 below it"), refusals);
        bed.namespace.ip("link set h0 down");
        bed.settle();
    }

    @Test
    void shouldPassOverAnInterfaceThatIsGone()
    {
        assertNull(bed.network.resolve(NO_SUCH_INTERFACE, PEER));
        bed.namespace.ip("link set h0 down");
        bed.network.resolve(index, PEER);
        bed.settle();
        bed.assertSame("link down");
    }

    private boolean isIn(final IpAddress address, final KernelNeighbor.State state)
    {
        final KernelNeighbor neighbor = bed.tables.neighbor(index, address);
        return neighbor != null && neighbor.state() == state;
    }
}
