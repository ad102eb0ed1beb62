package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The counters of each family, compared with the frames that left. */
class FamilyCountersTest
{
    private static final int BATCH = 64;

    private final RouterFixture router = new RouterFixture(2, context -> context.forwardsIpv6(true));

    @AfterEach
    void after()
    {
        router.close();
    }

    @Test
    void shouldCountWhatIsReceivedAndForwarded()
    {
        router.receive(0, TestFrame.ipv4().bytes());
        router.receive(0, TestFrame6.ipv6().bytes());
        router.receive(0, TestFrame6.ipv6().bytes());
        router.receive(0, TestFrame.ipv4().options("01010101").bytes());
        router.receive(0, TestFrame.ipv4().ttl(1).bytes());
        router.receive(0, TestFrame6.ipv6().hopLimit(1).bytes());
        router.receive(0, TestFrame6.ipv6().destination("2001:db8:0::1").bytes());
        router.receive(0, TestFrame6.ipv6().payload(RouterFixture.MTU).bytes());
        router.run();

        assertEquals(4, router.sent(1).size());
        assertFamilies(3, 5, 2, 2);
        assertEquals(3, router.report().get(0, PortTraffic.RX_IPV4));
        assertEquals(5, router.report().get(0, PortTraffic.RX_IPV6));
        assertEquals(0, router.report().get(1, PortTraffic.RX_IPV4));
        assertTrue(router.count(ForwarderCounter.ORIGINATED) > 0, "no ICMP errors");
        router.assertBalanced();
    }

    @Test
    void shouldNotCountFramesOfOtherProtocolsOrForOtherHosts()
    {
        final byte[] arp = TestFrame.ipv4().bytes();
        arp[12] = 0x08;
        arp[13] = 0x06;
        router.receive(0, arp);
        router.receive(0, TestFrame.ipv4().to("02:00:00:00:09:09").bytes());
        router.receive(0, TestFrame6.ipv6().to("02:00:00:00:09:09").bytes());
        router.receive(0, new byte[10]);
        router.run();

        assertFamilies(0, 0, 0, 0);
    }

    /** A held frame is received once and forwarded when its neighbour is resolved. */
    @Test
    void shouldCountHeldFramesWhenTheyAreForwarded()
    {
        router.adjacencies.set(
            RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse("fe80::9"), RouterFixture.MTU));
        router.route("192.0.2.0", 24, RouterFixture.UNRESOLVED);
        router.routeIpv6("2001:db8:9::", 48, RouterFixture.UNRESOLVED);
        router.receive(0, TestFrame.ipv4().destination("192.0.2.1").bytes());
        router.receive(0, TestFrame6.ipv6().destination("2001:db8:9::1").bytes());
        router.receive(0, TestFrame6.ipv6().destination("2001:db8:9::2").bytes());
        router.run();
        assertFamilies(1, 2, 0, 0);

        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.forward(
            1, IpAddress.parse("fe80::9"), RouterFixture.MTU, 0x0200_0000_0999L, RouterFixture.routerMac(1)));
        router.run();
        assertEquals(3, router.sent(1).size());
        assertFamilies(1, 2, 1, 2);
    }

    /** Every third frame is IPv6; none is taken from the egress port until it and its FIFO are full. */
    @Test
    void shouldNotCountAsForwardedWhatIsDroppedAtAFullEgressPort()
    {
        int ipv6 = 0;
        int received = 0;
        while (router.report().get(DropReason.EGRESS_FULL) < BATCH)
        {
            for (int i = 0; i < BATCH; i++)
            {
                final boolean isIpv6 = received++ % 3 == 0;
                ipv6 += isIpv6 ? 1 : 0;
                router.receive(0, isIpv6 ? TestFrame6.ipv6().bytes() : TestFrame.ipv4().bytes());
            }
            router.run();
        }
        final List<byte[]> sent = router.sent(1);
        final int sentIpv6 = (int)sent.stream().filter(frame -> TestFrame.u16(frame, 12) == 0x86DD).count();

        assertTrue(sentIpv6 > 0 && sentIpv6 < ipv6, "" + sentIpv6);
        assertFamilies(received - ipv6, ipv6, sent.size() - sentIpv6, sentIpv6);
        router.assertBalanced();
    }

    private void assertFamilies(final int ipv4, final int ipv6, final int ipv4Forwarded, final int ipv6Forwarded)
    {
        assertEquals(ipv4, router.count(ForwarderCounter.IPV4), "IPv4 received");
        assertEquals(ipv6, router.count(ForwarderCounter.IPV6), "IPv6 received");
        assertEquals(ipv4Forwarded, router.count(ForwarderCounter.IPV4_FORWARDED), "IPv4 forwarded");
        assertEquals(ipv6Forwarded, router.count(ForwarderCounter.IPV6_FORWARDED), "IPv6 forwarded");
    }
}
