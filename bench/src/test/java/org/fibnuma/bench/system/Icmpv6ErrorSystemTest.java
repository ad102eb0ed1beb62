package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.BLACKHOLE6;
import static org.fibnuma.bench.system.RouterLab.NO_ROUTE6;
import static org.fibnuma.bench.system.RouterLab.PROHIBITED6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_A6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_B6;
import static org.fibnuma.bench.system.RouterLab.UNREACHABLE6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The ICMPv6 errors that the router sends and the ones that it must not: RFC 4443 sections 2.4, 3.1 and 3.3. Of the
 * two errors that are allowed about multicast (section 2.4 (e.3)), neither comes from a router that does not forward it
 * and does not examine options.
 */
class Icmpv6ErrorSystemTest extends WireTest
{
    private static final int UNREACHABLE = 1;
    private static final int NO_ROUTE = 0;
    /** RFC 4443 section 2.4 (c): the smallest MTU, without the error's own headers. */
    private static final int QUOTED = 1280 - 48;

    /**
     * RFC 4443 section 3.3: hop limit 1, and 0 which nobody should have sent. Section 3.1: no route, and routes of the
     * types unreachable, for which Linux has code 0, and prohibit.
     */
    @ParameterizedTest
    @CsvSource({
        BEYOND_B6 + "1, hlim=0, 3, 0, ipv6-hop-limit", BEYOND_B6 + "1, hlim=1, 3, 0, ipv6-hop-limit",
        NO_ROUTE6 + "1, hlim=64, 1, 0, ipv6-no-route", UNREACHABLE6 + "1, hlim=64, 1, 0, route-unreachable",
        PROHIBITED6 + "1, hlim=64, 1, 1, route-prohibit"})
    void shouldAnswer(final String to, final String fields, final int type, final int code, final String reason)
    {
        final Observation seen = fromA(ip6(A6, to, fields) + UDP + "/b'quoted'");

        assertError(seen, type, code);
        seen.assertDropped(reason);
    }

    /** A route of type blackhole is silent. */
    @Test
    void shouldNotAnswerAboutBlackholes()
    {
        assertDropped("route-blackhole", Frames.ipv6(BLACKHOLE6 + "1"));
    }

    /** RFC 4443 section 2.4 (c): as much of the packet as fits the smallest MTU; extension headers are part of it. */
    @Test
    void shouldQuoteUpTo1280BytesAndExtensionHeaders()
    {
        final ReceivedFrame error =
            assertError(fromA(Frames.ipv6(NO_ROUTE6 + "1") + "/(bytes(range(256)) * 5)"), UNREACHABLE, NO_ROUTE);

        assertEquals(1240, error.ipv6().payloadLength());
        assertAnswered(
            "/IPv6ExtHdrDestOpt(options=[PadN(optdata=b'1234')])/IPv6ExtHdrFragment(m=1, id=9)" + UDP + "/b'data'");
    }

    /** RFC 4443 section 2.4 (c): the packet is quoted, the padding of its frame is not. */
    @Test
    void shouldNotQuotePadding()
    {
        final ReceivedFrame error = fromA(Frames.ipv6(NO_ROUTE6 + "1") + "/b'x'/Padding(b'\\xde\\xad' * 20)")
            .onlyIcmpv6AtA(UNREACHABLE, NO_ROUTE);

        assertEquals(8 + 40 + 8 + 1, error.ipv6().payloadLength());
        assertEquals("", error.ipv6().trailing());
    }

    /** RFC 4443 section 2.2: from an address of the port that the error leaves by, facing the sender. */
    @Test
    void shouldAnswerFromTheInterfaceThatFacesTheSender()
    {
        final Observation seen = fromB(ip6(B6, NO_ROUTE6 + "1", "") + UDP);

        assertEquals(1, seen.atB().size(), seen::toString);
        assertEquals(ROUTER_B6, seen.atB().get(0).ipv6().source());
        assertEquals(lab.router().macAddress("r1"), seen.atB().get(0).source());
    }

    /** As the kernel (icmp6_send in net/ipv6/icmp.c): an address of the interface that the packet came in by. */
    @Test
    void shouldAnswerFromTheInterfaceThatThePacketCameInBy()
    {
        final Observation seen = fromA(
            ip6(BEYOND_B6 + "33", NO_ROUTE6 + "1", "") + UDP, ip6("2001:db8:b:1::1", NO_ROUTE6 + "1", "") + UDP);

        assertEquals(List.of(), seen.atA());
        assertEquals(List.of(ROUTER_A6, ROUTER_A6),
            seen.atB().stream().map(frame -> frame.ipv6().source()).toList(), seen::toString);
    }

    /**
     * RFC 4443 section 2.4 (e.1): no error about an error, unknown ones (types below 128) included, also behind
     * extension headers.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "1|/", "2|/", "3|/", "4|/", "5|/", "100|/", "127|/",
        "1|/IPv6ExtHdrDestOpt(options=[PadN(optdata=b'1234')])/", "1|/IPv6ExtHdrFragment(m=0, id=9)/",
        "1|/IPv6ExtHdrRouting(type=4, addresses=['2001:db8:c::2'])/",
        "1|/IPv6ExtHdrRouting(type=4, addresses=['2001:db8:c::2'])/IPv6ExtHdrDestOpt(options=[])/"})
    void shouldNotAnswerErrors(final int type, final String extensions)
    {
        assertNotAnswered(extensions + icmp(type));
    }

    /** RFC 4443 section 2.4 (e.2) and (e): no error about a redirect, or about what may be the fragment of an error. */
    @Test
    void shouldNotAnswerRedirectsAndLaterFragmentsOfIcmpv6()
    {
        lab.assumeRouter("Linux answers them");
        assertNotAnswered("/" + icmp(137));
        assertNotAnswered("/IPv6ExtHdrFragment(offset=20, m=0, id=9, nh=58)/Raw(bytes(40))");
    }

    /** RFC 4443 sections 2.4 and 4: later fragments of others and other ICMPv6 messages are packets like any. */
    @Test
    void shouldAnswerAboutFragmentsAndInformationalMessages()
    {
        assertAnswered("/IPv6ExtHdrFragment(offset=20, m=0, id=9, nh=17)/Raw(bytes(40))");
        for (final int type : new int[] {128, 129, 139, 200})
        {
            assertAnswered("/" + icmp(type));
        }
    }

    /** RFC 4443 section 2.4 (f): a flood of bad packets is answered at the configured rate, and that is counted. */
    @Test
    void shouldLimitTheRateOfErrors()
    {
        assertErrorsLimited("ipv6-no-route", Frames.ipv6(NO_ROUTE6 + "1"));
    }

    private static String icmp(final int type)
    {
        return "ICMPv6Unknown(type=" + type + ", code=0, msgbody=bytes(48))";
    }

    private void assertNotAnswered(final String payload)
    {
        assertDropped("ipv6-no-route", ip6(A6, NO_ROUTE6 + "1", "") + payload);
    }

    private void assertAnswered(final String payload)
    {
        assertError(fromA(ip6(A6, NO_ROUTE6 + "1", "") + payload), UNREACHABLE, NO_ROUTE);
    }

    /** An error at a: every field of it, with the packet as it was sent behind it. */
    private ReceivedFrame assertError(final Observation seen, final int type, final int code)
    {
        final ReceivedFrame error = seen.onlyIcmpv6AtA(type, code);
        assertEquals(lab.a().macAddress(), error.destination());
        assertEquals(lab.router().macAddress("r0"), error.source());
        assertEquals(ROUTER_A6, error.ipv6().source());
        assertEquals(A6, error.ipv6().destination());
        assertTrue(error.ipv6().hopLimit() >= 64, error::toString);
        assertTrue(error.icmpv6().checksumRight(), error::toString);
        assertEquals(0, error.icmpv6().rest());
        assertEquals("", error.ipv6().trailing());
        final String packet = seen.packet(0);
        assertEquals(packet.substring(0, Math.min(packet.length(), 2 * QUOTED)), error.icmpv6().body());
        return error;
    }
}
