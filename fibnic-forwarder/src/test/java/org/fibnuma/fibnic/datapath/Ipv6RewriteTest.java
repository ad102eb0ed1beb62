package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv6RewriteTest
{
    private final RouterFixture router = new RouterFixture(2, context -> context.forwardsIpv6(true));

    @AfterEach
    void after()
    {
        router.close();
    }

    /** RFC 8200 section 3: only the hop limit changes; there is no header checksum. */
    @Test
    void shouldForwardFromOnePortToAnother()
    {
        final byte[] in = TestFrame.hex(
            "020000000100 020000000200 86dd" +
            "6e512345 000c 11 40 20010db8000000000000000000000002 20010db8000100000000000000000002" +
            "0102030405060708090a0b0c");
        final byte[] out = TestFrame.hex(
            "020000000201 020000000101 86dd" +
            "6e512345 000c 11 3f 20010db8000000000000000000000002 20010db8000100000000000000000002" +
            "0102030405060708090a0b0c");
        final List<byte[]> sent = router.forward(in);
        assertEquals(1, sent.size());
        assertArrayEquals(out, sent.get(0));
        assertEquals(1, router.count(ForwarderCounter.FORWARDED));
        assertEquals(1, router.count(ForwarderCounter.IPV6));
        assertEquals(0, router.count(ForwarderCounter.EXCEPTIONS));
        router.assertBalanced();
    }

    @Test
    void shouldLowerEveryHopLimitByOne()
    {
        for (int hopLimit = 2; hopLimit < 256; hopLimit++)
        {
            final byte[] in = TestFrame6.ipv6().hopLimit(hopLimit).payload(9).bytes();
            final byte[] out = router.forward(in).get(0);
            assertEquals(hopLimit - 1, TestFrame.u8(out, TestFrame.ETHERNET + 7));
            in[TestFrame.ETHERNET + 7]--;
            assertArrayEquals(
                Arrays.copyOfRange(in, TestFrame.ETHERNET, in.length),
                Arrays.copyOfRange(out, TestFrame.ETHERNET, out.length));
        }
    }

    /** RFC 8200 section 4: a router forwards unknown next headers and extension headers untouched. */
    @Test
    void shouldForwardEveryNextHeader()
    {
        for (int nextHeader = 0; nextHeader < 256; nextHeader++)
        {
            assertEquals(1, router.forward(TestFrame6.ipv6().nextHeader(nextHeader).payload(16).bytes()).size());
        }
        assertEquals(0, router.count(ForwarderCounter.EXCEPTIONS));
    }

    /** RFC 8200 section 5: a router does not fragment. */
    @Test
    void shouldForwardWhatFitsAndDropWhatDoesNot()
    {
        assertEquals(1, router.forward(TestFrame6.ipv6().payload(RouterFixture.MTU - 40).bytes()).size());
        assertEquals(1, router.forward(TestFrame6.ipv6().source("::2").payload(RouterFixture.MTU - 40).bytes()).size());
        assertEquals(List.of(), router.forward(TestFrame6.ipv6().payload(RouterFixture.MTU - 39).bytes()));
        assertEquals(1, router.report().get(DropReason.IPV6_TOO_BIG));
        router.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BLACKHOLE", "UNREACHABLE", "PROHIBIT"})
    void shouldDropWhereTheRouteSendsNothing(final String kind)
    {
        router.routeIpv6("2001:db8:9::", 48,
            kind.equals("BLACKHOLE") ? RouterFixture.BLACKHOLE :
            kind.equals("PROHIBIT") ? RouterFixture.PROHIBIT : RouterFixture.UNREACHABLE);
        assertEquals(List.of(), router.forward(TestFrame6.ipv6().destination("2001:db8:9::1").bytes()));
        router.assertAllDropped(DropReason.valueOf("ROUTE_" + kind));
    }

    @Test
    void shouldDropWhereThereIsNoRoute()
    {
        assertEquals(List.of(), router.forward(TestFrame6.ipv6().destination("2001:db8:9::1").bytes()));
        router.assertAllDropped(DropReason.IPV6_NO_ROUTE);
    }

    @Test
    void shouldPassToTheKernelWhatItRoutes()
    {
        router.routeIpv6("2001:db8:9::", 48, RouterFixture.KERNEL);
        final byte[] frame = TestFrame6.ipv6().destination("2001:db8:9::1").payload(4).bytes();
        assertEquals(List.of(), router.forward(frame));
        assertArrayEquals(frame, router.punted().get(0));
    }

    @Test
    void shouldUseTheLongestPrefixOfEveryLength()
    {
        for (int length = 1; length <= 128; length++)
        {
            router.adjacencies.set(300 + length, Adjacency.forward(
                1, IpAddress.NONE, RouterFixture.MTU, 0x0400_0000_0000L + length, RouterFixture.routerMac(1)));
            final byte[] bytes = new byte[16];
            Arrays.fill(bytes, 0, length / 8, (byte)0x55);
            bytes[Math.min(15, length / 8)] |= (byte)(length % 8 == 0 ? 0 : 0x55 & 0xFF00 >> length % 8);
            router.routeIpv6(text(bytes), length, 300 + length);
        }
        for (int length = 1; length <= 128; length++)
        {
            // The first bit after the prefix differs from the longer prefixes.
            final byte[] bytes = new byte[16];
            Arrays.fill(bytes, (byte)0x55);
            if (length < 128)
            {
                bytes[length / 8] ^= (byte)(0x80 >> length % 8);
            }
            final byte[] sent = router.forward(TestFrame6.ipv6().destination(text(bytes)).bytes()).get(0);
            assertEquals(length, TestFrame.u16(sent, 4), "prefix length");
        }
    }

    private static String text(final byte[] address)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 16; i += 2)
        {
            text.append(i == 0 ? "" : ":").append(Integer.toHexString(TestFrame.u16(address, i)));
        }
        return text.toString();
    }
}
