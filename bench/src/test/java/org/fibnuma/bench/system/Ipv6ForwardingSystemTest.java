package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.IntStream;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6_BY_127;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6_BY_LINK_LOCAL;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B_BY_IPV6;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a good IPv6 packet looks like when it leaves: RFC 8200. */
class Ipv6ForwardingSystemTest extends WireTest
{
    private static final int HOP_LIMIT_OFFSET = 21;

    /** RFC 8200 section 3: nothing but addresses of the link and the hop limit changes. */
    @Test
    void shouldRewriteNothingButMacsAndHopLimit()
    {
        final ReceivedFrame frame = assertRestUnchanged(
            "hlim=64, tc=0xb9, fl=0xabcde", "UDP(sport=1000, dport=2000)/bytes(range(200))");

        assertEquals(lab.b().macAddress(), frame.destination());
        assertEquals(lab.router().macAddress("r1"), frame.source());
        assertEquals(63, frame.ipv6().hopLimit());
        assertTrue(frame.ipv6().transportChecksumRight(), frame::toString);
    }

    /** RFC 8200 section 3: 2 is enough to get through, with 1; 255 is the most. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 128, 254, 255})
    void shouldDecrementTheHopLimit(final int hopLimit)
    {
        assertEquals(
            hopLimit - 1, assertRestUnchanged("hlim=" + hopLimit, "UDP(sport=1, dport=2)").ipv6().hopLimit());
    }

    /** RFC 8200 section 4: a router on the way examines no next header; 59 is "none", 253 for experiments. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 41, 43, 44, 50, 51, 59, 60, 89, 135, 139, 140, 253, 255})
    void shouldForwardUnknownNextHeadersUntouched(final int header)
    {
        if (Set.of(43, 44, 51, 60, 135).contains(header))
        {
            LabDevice.chosen().requireAnyExtensionHeaders();
        }
        assertRestUnchanged("nh=" + header, "Raw(bytes(range(100, 160)))");
    }

    /**
     * RFC 8200 section 4.3: hop-by-hop options are not examined, neither unknown ones that ask for an error nor a
     * router alert (RFC 2711) in a packet to others.
     */
    @ParameterizedTest
    @ValueSource(strings = {"1100010400000000", "1100050200000100", "1100c20400010000", "1100de0412345678",
        "11ff010400000000", "3b00010400000000", "1100fe04deadbeef"})
    void shouldNotExamineHopByHopOptions(final String options)
    {
        lab.assumeRouter("Linux examines them");
        if (options.startsWith("11ff"))
        {
            LabDevice.chosen().requireAnyExtensionHeaders();
        }
        assertRestUnchanged("nh=0", "Raw(bytes.fromhex('" + options + "') + b'x' * 30)");
    }

    /** RFC 5095 and RFC 8200 section 4.4: a routing header is looked at by the node that it names as destination. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, 4, 253})
    void shouldForwardRoutingHeadersOfEveryTypeUntouched(final int type)
    {
        assertRestUnchanged("nh=43", "Raw(bytes([17, 2, " + type + ", 1, 0, 0, 0, 0]) + " +
            "bytes.fromhex('20010db8000c00000000000000000002'))/UDP(sport=1, dport=2)");
    }

    /** RFC 8200 section 4.5: fragments are packets like any, atomic ones (RFC 6946) and overlapping ones too. */
    @Test
    void shouldForwardFragmentsInTheirOrder()
    {
        final Observation seen = fromA(
            fragment("offset=0, m=1, id=7, nh=17", 1), fragment("offset=8, m=1, id=7, nh=17", 2),
            fragment("offset=8, m=0, id=7, nh=17", 3), fragment("offset=0, m=0, id=8, nh=17", 4),
            fragment("offset=8191, m=1, id=9, nh=58", 5));

        assertEquals(5, seen.atB().size(), seen::toString);
        for (int i = 0; i < seen.sent().size(); i++)
        {
            assertUnchanged(seen.sent().get(i), seen.atB().get(i));
        }
        seen.assertForwarded();
    }

    private static String fragment(final String fields, final int fill)
    {
        return ip6(A6, BEYOND_B6 + "1", "") + "/IPv6ExtHdrFragment(" + fields + ")/Raw(b'\\x0" + fill + "' * 64)";
    }

    /** RFC 2460 and RFC 4861: a router forwards echo requests like data, whatever code and content. */
    @Test
    void shouldForwardIcmpv6OfOthers()
    {
        final ReceivedFrame frame = assertRestUnchanged("hlim=7", "ICMPv6EchoRequest(id=1, seq=2, data=b'hello')");

        assertEquals(128, frame.icmpv6().type());
        assertTrue(frame.icmpv6().checksumRight());
    }

    /** Both families in one burst, both ways through one batch: each in its order, and IPv6 frames counted as such. */
    @Test
    void shouldKeepTheOrderOfEachFamilyAndCountIpv6()
    {
        final Observation seen = fromA(IntStream.range(0, 100).mapToObj(i -> i % 3 == 0 ?
            ip("10.0.0.2", RouterLab.BEYOND_B + "1", "id=" + i) + UDP :
            ip6(A6, BEYOND_B6 + "1", "fl=" + i) + UDP).toArray(String[]::new));

        assertEquals(100, seen.atB().size());
        assertEquals(IntStream.range(0, 100).filter(i -> i % 3 == 0).boxed().toList(),
            seen.atB().stream().filter(ReceivedFrame::isIp).map(frame -> frame.ip().id()).toList());
        assertEquals(IntStream.range(0, 100).filter(i -> i % 3 != 0).boxed().toList(),
            seen.atB().stream().filter(ReceivedFrame::isIpv6).map(frame -> frame.ipv6().flowLabel()).toList());
        assertEquals(seen.fates().known() ? 66 : 0, seen.fates().count("ipv6"), seen::toString);
        seen.assertForwarded();
    }

    /**
     * RFC 6164: a gateway on a link of two addresses, on which {@code ::0} is the router. RFC 4861 section 8: the usual
     * next hop of a routing protocol is link-local.
     */
    @ParameterizedTest
    @ValueSource(strings = {BEYOND_B6_BY_127, BEYOND_B6_BY_LINK_LOCAL})
    void shouldForwardByGateways(final String network)
    {
        final ReceivedFrame frame = assertRestUnchanged(fromA(ip6(A6, network + "1", "hlim=9") + UDP));

        assertEquals(lab.b().macAddress(), frame.destination());
    }

    /** RFC 4861 section 5.2: a destination on a connected prefix is its own next hop, on a /64 and on a /127. */
    @ParameterizedTest
    @ValueSource(strings = {RouterLab.B6, "2001:db8:b:1::1"})
    void shouldForwardToNeighborsOnLink(final String neighbor)
    {
        final Observation seen = fromA(ip6(RouterLab.BEYOND_A6 + "7", neighbor, "nh=253") + "/Raw(b'some data')");

        assertEquals(lab.b().macAddress(), seen.atB().get(0).destination());
        assertUnchanged(seen.sent().get(0), seen.atB().get(0));
    }

    /** RFC 8950: IPv4 whose next hop is an IPv6 address (RTA_VIA). */
    @Test
    void shouldForwardIpv4ByAnIpv6NextHop()
    {
        final Observation seen = fromA(ip("10.0.0.2", BEYOND_B_BY_IPV6 + "1", "ttl=9") + UDP + "/b'data'");

        final ReceivedFrame frame = seen.onlyAtB();
        assertEquals(lab.b().macAddress(), frame.destination());
        assertEquals(lab.router().macAddress("r1"), frame.source());
        assertEquals(8, frame.ip().ttl());
        assertTrue(frame.ip().checksumRight() && frame.ip().transportChecksumRight(), frame::toString);
        seen.assertForwarded();
    }

    private ReceivedFrame assertRestUnchanged(final String fields, final String payload)
    {
        return assertRestUnchanged(fromA(ip6(A6, BEYOND_B6 + "1", fields) + "/" + payload));
    }

    private static ReceivedFrame assertRestUnchanged(final Observation seen)
    {
        assertUnchanged(seen.sent().get(0), seen.onlyAtB());
        seen.assertForwarded();
        return seen.onlyAtB();
    }

    private static void assertUnchanged(final String sent, final ReceivedFrame frame)
    {
        final byte[] before = HexFormat.of().parseHex(sent);
        assertEquals((byte)(before[HOP_LIMIT_OFFSET] - 1), frame.bytes()[HOP_LIMIT_OFFSET], frame::toString);
        assertArrayEquals(withoutRewrittenFields(before), withoutRewrittenFields(frame.bytes()), frame::toString);
    }

    private static byte[] withoutRewrittenFields(final byte[] frame)
    {
        final byte[] rest = frame.clone();
        Arrays.fill(rest, 0, 12, (byte)0);
        rest[HOP_LIMIT_OFFSET] = 0;
        return rest;
    }
}
