package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv4RewriteTest
{
    private final RouterFixture router = new RouterFixture();

    @AfterEach
    void after()
    {
        router.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 64, 127, 128, 255})
    void shouldLowerTheTtlAndKeepTheChecksumRightForEveryChecksum(final int ttl)
    {
        int sent = 0;
        for (int identification = 0; identification < 65_536; identification++)
        {
            router.receive(0, TestFrame.ipv4().identification(identification).ttl(ttl).bytes());
            if (identification % 128 == 127)
            {
                router.run();
                for (final byte[] frame : router.sent(1))
                {
                    assertEquals(sent++, TestFrame.u16(frame, TestFrame.ETHERNET + 4));
                    assertEquals(ttl - 1, TestFrame.u8(frame, TestFrame.ETHERNET + 8));
                    assertEquals(0, TestFrame.checksumOf(frame, TestFrame.ETHERNET, 20));
                }
            }
        }
        assertEquals(65_536, sent);
    }

    @Test
    void shouldChangeNothingButMacAddressesTtlAndChecksum()
    {
        final byte[] in = TestFrame.ipv4().trafficClass(0xB9).options("9e040000").flagsAndOffset(0x4000).protocol(99)
            .payload(333).bytes();
        final byte[] expected = in.clone();
        System.arraycopy(TestFrame.hex("020000000201 020000000101"), 0, expected, 0, 12);
        expected[TestFrame.ETHERNET + 8]--;
        expected[TestFrame.ETHERNET + 10] = 0;
        expected[TestFrame.ETHERNET + 11] = 0;
        final int checksum = TestFrame.checksumOf(expected, TestFrame.ETHERNET, 24);
        expected[TestFrame.ETHERNET + 10] = (byte)(checksum >> 8);
        expected[TestFrame.ETHERNET + 11] = (byte)checksum;
        assertArrayEquals(expected, router.forward(in).get(0));
    }

    @Test
    void shouldSendBackWhereTheRouteLeadsThere()
    {
        router.forward(TestFrame.ipv4().destination("10.0.0.2").bytes());
        assertEquals(1, router.sent(0).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldDropWhenTheTtlRunsOut(final int ttl)
    {
        assertEquals(List.of(), router.forward(TestFrame.ipv4().ttl(ttl).bytes()));
        router.assertAllDropped(DropReason.IPV4_TTL_EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 64})
    void shouldPuntToThisRouterWithAnyTtl(final int ttl)
    {
        final byte[] frame = TestFrame.ipv4().destination("10.0.1.1").ttl(ttl).payload(9).bytes();
        assertEquals(List.of(), router.forward(frame));
        assertArrayEquals(frame, router.punted().get(0));
        assertEquals(1, router.count(ForwarderCounter.PUNTED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.1.255", "10.0.0.255"})
    void shouldPuntDirectedBroadcasts(final String destination)
    {
        assertEquals(List.of(), router.forward(TestFrame.ipv4().destination(destination).bytes()));
        assertEquals(1, router.punted().size());
    }

    @ParameterizedTest
    @CsvSource({
        RouterFixture.BLACKHOLE + ",ROUTE_BLACKHOLE", RouterFixture.UNREACHABLE + ",ROUTE_UNREACHABLE",
        RouterFixture.PROHIBIT + ",ROUTE_PROHIBIT", RouterFixture.NO_ROUTE + ",IPV4_NO_ROUTE"})
    void shouldDropAsTheRouteSays(final int adjacency, final DropReason reason)
    {
        router.route("192.0.2.0", 24, adjacency);
        assertEquals(List.of(), router.forward(TestFrame.ipv4().destination("192.0.2.9").bytes()));
        router.assertAllDropped(reason);
    }

    @Test
    void shouldDropWithoutARoute()
    {
        assertEquals(List.of(), router.forward(TestFrame.ipv4().destination("192.0.2.9").bytes()));
        router.assertAllDropped(DropReason.IPV4_NO_ROUTE);
    }

    @Test
    void shouldPuntWhatOnlyTheKernelCanForward()
    {
        router.route("192.0.2.0", 24, RouterFixture.KERNEL);
        router.forward(TestFrame.ipv4().destination("192.0.2.9").ttl(1).bytes());
        assertEquals(1, router.punted().size());
    }

    @Test
    void shouldTakeTheOtherAddressOfAThirtyOneBitPrefix()
    {
        router.route("198.51.100.0", 31, RouterFixture.LOCAL);
        router.route("198.51.100.1", 32, 2);
        assertEquals(1, router.forward(TestFrame.ipv4().destination("198.51.100.1").bytes()).size());
        assertEquals(0, router.forward(TestFrame.ipv4().destination("198.51.100.0").bytes()).size());
        assertEquals(1, router.punted().size());
    }

    /** RFC 1812 section 4.2.3.1. */
    @Test
    void shouldDropTheOldBroadcastOfAConnectedNetworkUnlessItIsAHosts()
    {
        assertEquals(List.of(), router.forward(TestFrame.ipv4().destination("10.0.1.0").bytes()));
        assertEquals(List.of(), router.sent(0), "silently");
        router.assertAllDropped(DropReason.IPV4_OLD_BROADCAST);
        assertEquals(List.of(), router.resolveRequests);
        try (RouterFixture lenient = new RouterFixture(2, context -> context.forwardOldBroadcasts(true)))
        {
            assertEquals(List.of(), lenient.forward(TestFrame.ipv4().destination("10.0.1.0").bytes()));
            assertEquals(1, lenient.count(ForwarderCounter.HELD));
            assertEquals(1, lenient.resolveRequests.size());
        }
    }

    @Test
    void shouldForwardWhatJustFitsAndDropWhatDoesNotWithDontFragment()
    {
        assertEquals(1514, router.forward(TestFrame.ipv4().flagsAndOffset(0x4000).payload(1480).bytes()).get(0).length);
        assertEquals(0, router.forward(TestFrame.ipv4().flagsAndOffset(0x4000).payload(1481).bytes()).size());
        assertEquals(1, router.report().get(DropReason.IPV4_TOO_BIG));
        router.assertBalanced();
    }

    @Test
    void shouldFollowAChangedNeighbour()
    {
        router.adjacencies.set(2, Adjacency.forward(1, IpAddress.NONE, 1500, 0x0A0B_0C0D_0E0FL, 0x0102_0304_0506L));
        final byte[] sent = router.forward(TestFrame.ipv4().bytes()).get(0);
        assertArrayEquals(
            TestFrame.hex("0a0b0c0d0e0f 010203040506 0800"), Arrays.copyOf(sent, TestFrame.ETHERNET));
    }
}
