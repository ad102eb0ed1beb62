package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    private KernelTestBed bed;
    private KernelNamespace host;
    private int index;

    @BeforeEach
    void open()
    {
        bed = new KernelTestBed(KernelTestBed.RECEIVE_BUFFER_LENGTH);
        host = new KernelNamespace();
        bed.namespace.ipEach("link add h0 type veth peer name h1 netns " + host.name(), "addr add 10.1.0.1/24 dev h0",
            "link set h0 up");
        host.ipEach("link set h1 address " + PEER_MAC, "addr add 10.1.0.2/24 dev h1", "link set h1 up");
        index = bed.reference.read().indexOf("h0");
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
