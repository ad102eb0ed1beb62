package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RateLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NeighborHoldTest
{
    private static final int PER_NEIGHBOR = 4;
    private static final int IN_ALL = 10;
    private static final String GATEWAY = "10.0.1.9";

    private final RouterFixture router = new RouterFixture(2, context ->
        context.forwardsIpv6(true).holdFramesPerNeighbor(PER_NEIGHBOR).holdFrames(IN_ALL)
            .icmpErrors(new RateLimit(1000, 1000)));

    @BeforeEach
    void before()
    {
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse(GATEWAY), 1500));
        router.route("192.0.2.0", 24, RouterFixture.UNRESOLVED);
    }

    @AfterEach
    void after()
    {
        router.close();
    }

    private static byte[] frame(final String destination, final int identification)
    {
        return TestFrame.ipv4().destination(destination).identification(identification).payload(30).bytes();
    }

    private static List<Integer> identifications(final List<byte[]> frames)
    {
        final List<Integer> list = new ArrayList<>();
        frames.forEach(frame -> list.add(TestFrame.u16(frame, TestFrame.ETHERNET + 4)));
        return list;
    }

    @Test
    void shouldLetNoFrameOvertakeThoseThatWaitForItsNeighbor()
    {
        for (int host = 0; host < IN_ALL; host++)
        {
            assertEquals(List.of(), router.forward(frame("10.0.1." + (20 + host), host)));
        }
        // More neighbours resolved at once than one duty cycle looks after, and a frame to each of them.
        for (int host = 0; host < IN_ALL; host++)
        {
            final String address = "10.0.1." + (20 + host);
            router.adjacencies.set(200 + host, Adjacency.forward(
                1, IpAddress.parse(address), 1500, 0x0200_0000_0900L + host, RouterFixture.routerMac(1)));
            router.route(address, 32, 200 + host);
        }
        for (int host = IN_ALL - 1; host >= 0; host--)
        {
            router.receive(0, frame("10.0.1." + (20 + host), 100 + host));
        }
        router.run();

        final List<Integer> sent = identifications(router.sent(1));
        assertEquals(2 * IN_ALL, sent.size());
        for (int host = 0; host < IN_ALL; host++)
        {
            assertTrue(sent.indexOf(host) < sent.indexOf(100 + host), "host " + host + " in " + sent);
        }
        assertEquals(0, router.count(ForwarderCounter.HELD));
        router.assertBalanced();
    }

    private void resolveGateway()
    {
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.forward(
            1, IpAddress.parse(GATEWAY), 1500, 0x0200_0000_0999L, RouterFixture.routerMac(1)));
    }

    @Test
    void shouldKeepOtherFramesOrdinaryWhileANeighborIsUnresolved()
    {
        router.forward(frame("192.0.2.1", 1));
        assertEquals(1, router.count(ForwarderCounter.HELD));
        final long exceptions = router.count(ForwarderCounter.EXCEPTIONS);
        for (int i = 0; i < 10; i++)
        {
            router.receive(0, frame("10.0.1.2", i));
            router.receive(0, frame("192.0.2.1", 100 + i));
        }
        router.run();
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), identifications(router.sent(1)));
        assertEquals(10, router.count(ForwarderCounter.EXCEPTIONS) - exceptions);
        assertEquals(PER_NEIGHBOR, router.count(ForwarderCounter.HELD));
        router.assertBalanced();
    }

    @Test
    void shouldKeepOtherFramesOfABatchOrdinary()
    {
        for (int i = 0; i < 20; i++)
        {
            final TestFrame frame = TestFrame.ipv4().destination("10.0.1.2").identification(i).payload(30);
            router.receive(0, i % 5 == 0 ? frame.options("01010101").bytes() : frame.bytes());
        }
        router.run();
        assertEquals(4, router.count(ForwarderCounter.EXCEPTIONS));
        assertEquals(20, router.sent(1).size());
        router.assertBalanced();
    }

    @Test
    void shouldForwardInOrderOnceTheGatewayIsResolved()
    {
        for (int i = 0; i < 3; i++)
        {
            assertEquals(List.of(), router.forward(frame("192.0.2." + i, i)));
        }
        assertEquals(3, router.count(ForwarderCounter.HELD));
        router.assertBalanced();
        resolveGateway();
        router.receive(0, frame("192.0.2.1", 3));
        router.run();
        final List<byte[]> sent = router.sent(1);
        assertEquals(List.of(0, 1, 2, 3), identifications(sent));
        assertArrayEquals(
            TestFrame.hex("020000000999 020000000101 0800"), Arrays.copyOf(sent.get(0), TestFrame.ETHERNET));
        assertEquals(63, TestFrame.u8(sent.get(0), TestFrame.ETHERNET + 8), "TTL lowered once");
        assertEquals(0, TestFrame.checksumOf(sent.get(0), TestFrame.ETHERNET, 20));
        assertEquals(0, router.count(ForwarderCounter.HELD));
        assertEquals(4, router.count(ForwarderCounter.FORWARDED));
        router.assertBalanced();
    }

    @Test
    void shouldHoldForEachHostOfAConnectedNetwork()
    {
        router.forward(frame("10.0.1.50", 1));
        router.forward(frame("10.0.1.51", 2));
        assertEquals(List.of("1 10.0.1.50", "1 10.0.1.51"), router.resolveRequests);
        router.route("10.0.1.51", 32, 2);
        router.run();
        assertEquals(List.of(2), identifications(router.sent(1)));
        assertEquals(1, router.count(ForwarderCounter.HELD));
        router.assertBalanced();
    }

    @Test
    void shouldAskOnceASecondWhileFramesWait()
    {
        router.forward(frame("192.0.2.1", 1));
        router.forward(frame("192.0.2.2", 2));
        assertEquals(List.of("1 " + GATEWAY), router.resolveRequests);
        router.clock.advance(TimeUnit.MILLISECONDS.toNanos(999));
        router.run();
        assertEquals(1, router.resolveRequests.size());
        router.clock.advance(TimeUnit.MILLISECONDS.toNanos(1));
        router.run();
        assertEquals(2, router.resolveRequests.size());
        resolveGateway();
        router.run();
        router.clock.advance(TimeUnit.SECONDS.toNanos(2));
        router.run();
        assertEquals(2, router.resolveRequests.size());
    }

    /** As in Linux, which looks at the MTU before the neighbour (ip_forward, ip6_forward). */
    @Test
    void shouldTellTheSenderTheMtuAtOnce()
    {
        router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse(GATEWAY), 1400));
        router.routeIpv6("2001:db8:9::", 48, RouterFixture.UNRESOLVED);
        router.forward(TestFrame.ipv4().destination("192.0.2.1").flagsAndOffset(0x4000).payload(1381).bytes());
        router.forward(TestFrame6.ipv6().destination("2001:db8:9::1").payload(1361).bytes());
        final List<byte[]> answers = router.sent(0);
        assertEquals(2, answers.size());
        assertEquals(0x0304, TestFrame.u16(answers.get(0), TestFrame.ETHERNET + 20));
        assertEquals(1400, TestFrame.s32(answers.get(0), TestFrame.ETHERNET + 24));
        assertEquals(0x0200, TestFrame.u16(answers.get(1), TestFrame.ETHERNET + 40));
        assertEquals(1400, TestFrame.s32(answers.get(1), TestFrame.ETHERNET + 44));

        router.forward(TestFrame.ipv4().destination("192.0.2.1").payload(1381).bytes());
        assertEquals(1, router.count(ForwarderCounter.HELD), "may be fragmented");
    }

    @Test
    void shouldDropAndTellTheSendersWhenNobodyAnswers()
    {
        router.forward(frame("192.0.2.1", 1));
        router.clock.advance(TimeUnit.SECONDS.toNanos(2));
        router.forward(frame("192.0.2.1", 2));
        assertEquals(2, router.count(ForwarderCounter.HELD));
        router.clock.advance(TimeUnit.SECONDS.toNanos(1));
        router.run();
        assertEquals(0, router.count(ForwarderCounter.HELD));
        final List<byte[]> answers = router.sent(0);
        assertEquals(2, answers.size());
        assertEquals(0x0301, TestFrame.u16(answers.get(0), TestFrame.ETHERNET + 20));
        assertEquals(64, TestFrame.u8(answers.get(0), TestFrame.ETHERNET + 28 + 8), "quoted as received");
        router.assertAllDropped(DropReason.NEIGHBOR_UNRESOLVED);
    }

    @Test
    void shouldHoldOnlySoManyForOneNeighbour()
    {
        for (int i = 0; i < PER_NEIGHBOR + 2; i++)
        {
            router.forward(frame("192.0.2.1", i));
        }
        assertEquals(PER_NEIGHBOR, router.count(ForwarderCounter.HELD));
        assertEquals(2, router.report().get(DropReason.HOLD_FULL));
        resolveGateway();
        router.run();
        assertEquals(List.of(0, 1, 2, 3), identifications(router.sent(1)));
        router.assertBalanced();
    }

    @Test
    void shouldHoldOnlySoManyInAllAndRecoverFromAScan()
    {
        for (int i = 3; i < 200; i++)
        {
            router.forward(frame("10.0.1." + i, i));
        }
        assertEquals(IN_ALL, router.count(ForwarderCounter.HELD));
        assertEquals(197 - IN_ALL, router.report().get(DropReason.HOLD_FULL));
        router.clock.advance(TimeUnit.SECONDS.toNanos(3));
        router.run();
        assertEquals(0, router.count(ForwarderCounter.HELD));
        router.forward(frame("192.0.2.1", 7));
        resolveGateway();
        router.run();
        assertEquals(List.of(7), identifications(router.sent(1)));
        router.assertBalanced();
    }

    @Test
    void shouldFollowTheRouteThatCameInstead()
    {
        router.forward(frame("192.0.2.1", 1));
        router.forward(frame("192.0.2.2", 2));
        router.route("192.0.2.0", 24, RouterFixture.PROHIBIT);
        router.run();
        assertEquals(2, router.report().get(DropReason.ROUTE_PROHIBIT));
        assertEquals(0x030D, TestFrame.u16(router.sent(0).get(0), TestFrame.ETHERNET + 20));
        router.assertBalanced();
    }

    @Test
    void shouldNotHoldWhatHasNoTimeToLive()
    {
        router.forward(TestFrame.ipv4().destination("192.0.2.1").ttl(1).bytes());
        assertEquals(0, router.count(ForwarderCounter.HELD));
        router.assertAllDropped(DropReason.IPV4_TTL_EXPIRED);
    }

    /** Frames of both families wait for one neighbour and are sent in order (RFC 8950). */
    @Test
    void shouldHoldBothFamiliesForAnIpv6NextHop()
    {
        try (RouterFixture mixed = new RouterFixture(2, context -> context.forwardsIpv6(true)))
        {
            mixed.adjacencies.set(
                RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.parse("fe80::9"), RouterFixture.MTU));
            mixed.route("192.0.2.0", 24, RouterFixture.UNRESOLVED);
            mixed.routeIpv6("2001:db8:9::", 48, RouterFixture.UNRESOLVED);
            for (int i = 0; i < 3; i++)
            {
                mixed.receive(0, TestFrame.ipv4().destination("192.0.2.1").trafficClass(i).bytes());
                mixed.receive(0, TestFrame6.ipv6().destination("2001:db8:9::1").payload(i).bytes());
            }
            mixed.run();
            assertEquals(6, mixed.count(ForwarderCounter.HELD));
            assertEquals(List.of("1 fe80::9"), mixed.resolveRequests);

            mixed.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.forward(
                1, IpAddress.parse("fe80::9"), RouterFixture.MTU, 0x0200_0000_0999L, RouterFixture.routerMac(1)));
            mixed.receive(0, TestFrame6.ipv6().destination("2001:db8:9::1").payload(3).bytes());
            mixed.run();
            final List<byte[]> sent = mixed.sent(1);
            assertEquals(7, sent.size());
            for (int i = 0; i < 7; i++)
            {
                final byte[] frame = sent.get(i);
                assertEquals(0x0999, TestFrame.u16(frame, 4), "the neighbour's MAC address");
                assertEquals(i % 2 == 0 && i < 6 ? 0x0800 : 0x86DD, TestFrame.u16(frame, 12));
                assertEquals(i / 2, TestFrame.u16(frame, 12) == 0x0800 ?
                    TestFrame.u8(frame, TestFrame.ETHERNET + 1) : frame.length - TestFrame6.PAYLOAD);
            }
            mixed.assertBalanced();
        }
    }

    @Test
    void shouldAskForTheDestinationOnAConnectedIpv6Network()
    {
        try (RouterFixture mixed = new RouterFixture(2, context -> context.forwardsIpv6(true)))
        {
            mixed.receive(0, TestFrame6.ipv6().destination("2001:db8:1::9").bytes());
            mixed.receive(0, TestFrame6.ipv6().destination("2001:db8:1:0:1::9").bytes());
            mixed.run();
            assertEquals(List.of("1 2001:db8:1::9", "1 2001:db8:1:0:1::9"), mixed.resolveRequests);

            mixed.adjacencies.set(200, Adjacency.forward(
                1, IpAddress.parse("2001:db8:1::9"), RouterFixture.MTU, 0x0200_0000_0999L,
                RouterFixture.routerMac(1)));
            mixed.routeIpv6("2001:db8:1::9", 128, 200);
            mixed.run();
            assertEquals(1, mixed.sent(1).size());
            assertEquals(1, mixed.count(ForwarderCounter.HELD));
        }
    }
}
