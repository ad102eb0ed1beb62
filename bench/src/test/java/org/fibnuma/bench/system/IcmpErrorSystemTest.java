package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.fibnuma.bench.system.RouterLab.BLACKHOLE;
import static org.fibnuma.bench.system.RouterLab.NO_ROUTE;
import static org.fibnuma.bench.system.RouterLab.PROHIBITED;
import static org.fibnuma.bench.system.RouterLab.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The errors that the router sends and the ones that it must not: RFC 792, RFC 1812 sections 4.3.2 and 5.2.7. */
class IcmpErrorSystemTest extends WireTest
{
    private static final int UNREACHABLE_TYPE = 3;
    private static final String SOME_OPTIONS = "ttl=64, options=IPOption(b'\\x01\\x01\\x01\\x00')";

    /**
     * RFC 1812 section 5.3.1: TTL 1, and TTL 0 which nobody should have sent. Section 5.2.7.1: no route, and routes of
     * the types unreachable and prohibit.
     */
    @ParameterizedTest
    @CsvSource({
        BEYOND_B + "1, 0, 11, 0, ipv4-ttl-expired", BEYOND_B + "1, 1, 11, 0, ipv4-ttl-expired",
        NO_ROUTE + "1, 64, 3, 0, ipv4-no-route", UNREACHABLE + "1, 64, 3, 1, route-unreachable",
        PROHIBITED + "1, 64, 3, 13, route-prohibit"})
    void shouldAnswer(final String to, final int ttl, final int type, final int code, final String reason)
    {
        final Observation seen = fromA(to(to, "ttl=" + ttl, "/b'quoted'"));

        assertError(seen, type, code);
        seen.assertDropped(reason);
    }

    /** A route of type blackhole is silent. */
    @Test
    void shouldNotAnswerAboutBlackholes()
    {
        assertDropped("route-blackhole", to(BLACKHOLE + "1", "ttl=64", ""));
    }

    /** As the kernel, which looks up the route before the TTL. */
    @Test
    void shouldAnswerAboutTheRouteWhereTheTtlHasExpiredToo()
    {
        final Observation seen = fromA(to(NO_ROUTE + "1", "ttl=1", ""));

        assertError(seen, UNREACHABLE_TYPE, 0);
        seen.assertDropped("ipv4-no-route");
    }

    /** RFC 1812 section 4.3.2.3: as much of the packet as fits 576 bytes, not only its first 8; options and all. */
    @Test
    void shouldQuoteUpTo576BytesAndOptions()
    {
        final ReceivedFrame error =
            assertError(fromA(to(NO_ROUTE + "2", "ttl=64", "/(bytes(range(256)) * 5)")), UNREACHABLE_TYPE, 0);

        assertEquals(576, error.ip().totalLength());
        assertError(fromA(to(NO_ROUTE + "4", SOME_OPTIONS, "/b'y'")), UNREACHABLE_TYPE, 0);
    }

    /** RFC 1812 section 4.3.2.3: the packet is quoted, the padding of its frame is not. */
    @Test
    void shouldNotQuotePadding()
    {
        final ReceivedFrame error = fromA(to(NO_ROUTE + "3", "ttl=64", "/b'x'/Padding(b'\\xde\\xad' * 20)"))
            .onlyErrorAtA(UNREACHABLE_TYPE, 0);

        assertEquals(20 + 8 + 20 + 8 + 1, error.ip().totalLength());
        assertEquals("", error.ip().trailing());
    }

    /** RFC 1812 section 4.3.2.5: errors have precedence 6 or 7, whatever the packet had, and the packet's TOS. */
    @ParameterizedTest
    @CsvSource({"0x00,0xC0", "0x10,0xD0", "0xA8,0xC8", "0xFF,0xDE"})
    void shouldSendErrorsWithInternetworkControlPrecedenceAndTheSameTos(final String tos, final String answered)
    {
        assertEquals((int)Integer.decode(answered),
            fromA(to(NO_ROUTE + "5", "ttl=64, tos=" + tos, "")).onlyErrorAtA(UNREACHABLE_TYPE, 0).ip().tos());
    }

    /** RFC 1812 section 4.3.2.4: the answer to b has b's network's address although the packet came in from a. */
    @Test
    void shouldAnswerFromTheInterfaceThatTheAnswerLeavesBy()
    {
        final Observation seen =
            fromA(ip(BEYOND_B + "33", NO_ROUTE + "5", "") + UDP, ip("10.0.2.1", NO_ROUTE + "5", "") + UDP);

        assertEquals(
            List.of("10.0.1.1", "10.0.2.0"), seen.atB().stream().map(frame -> frame.ip().source()).toList());
        assertEquals(List.of(), seen.atA());
        final Observation ofB = fromB(ip("10.0.1.2", NO_ROUTE + "10", "") + UDP);
        assertEquals(1, ofB.atB().size(), ofB::toString);
        assertEquals("10.0.1.1", ofB.atB().get(0).ip().source());
        assertEquals(lab.router().macAddress("r1"), ofB.atB().get(0).source());
    }

    /** RFC 1812 section 4.3.2.7: no error about an ICMP error. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 11, 12})
    void shouldNotAnswerIcmpErrors(final int type)
    {
        assertDropped("ipv4-no-route",
            ip("10.0.0.2", NO_ROUTE + "6", "") + "/ICMP(type=" + type + ", code=0)/IP()/UDP()");
    }

    /** RFC 1812 section 4.3.2.7: other ICMP messages are packets like any. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 13})
    void shouldAnswerAboutIcmpQueries(final int type)
    {
        assertError(fromA(ip("10.0.0.2", NO_ROUTE + "7", "id=12") + "/ICMP(type=" + type + ")/b'query'"),
            UNREACHABLE_TYPE, 0);
    }

    /** RFC 1812 section 4.3.2.7: about the first fragment only. */
    @Test
    void shouldAnswerAboutFirstFragmentOnly()
    {
        final Observation seen = fromA(
            ip("10.0.0.2", NO_ROUTE + "8", "flags='MF', id=3, proto=17") + "/(b'1' * 64)",
            ip("10.0.0.2", NO_ROUTE + "8", "flags='MF', frag=8, id=3, proto=17") + "/(b'2' * 64)",
            ip("10.0.0.2", NO_ROUTE + "8", "frag=16, id=3, proto=17") + "/(b'3' * 9)");

        final ReceivedFrame error = seen.onlyErrorAtA(UNREACHABLE_TYPE, 0);
        assertTrue(error.icmp().quote().endsWith("31".repeat(8)), error::toString);
        seen.assertDropped("ipv4-no-route");
    }

    /** RFC 1812 section 4.3.2.7: not to a source that names no single host; here a network's broadcast address. */
    @Test
    void shouldNotAnswerBroadcastSources()
    {
        lab.assumeRouter("Linux answers them");
        assertSilence(ip("10.0.0.255", NO_ROUTE + "9", "") + UDP);
    }

    /** RFC 1812 section 4.3.2.8: a flood of bad packets is answered at the configured rate, and that is counted. */
    @Test
    void shouldLimitTheRateOfErrors()
    {
        assertErrorsLimited("ipv4-no-route", Frames.ipv4(NO_ROUTE + "11"));
    }

    private static String to(final String destination, final String fields, final String payload)
    {
        return ip("10.0.0.2", destination, "id=99, " + fields) + UDP + payload;
    }

    /** An error at a: every field of it, with the packet as it was sent behind it. */
    private ReceivedFrame assertError(final Observation seen, final int type, final int code)
    {
        final ReceivedFrame error = seen.onlyErrorAtA(type, code);
        assertEquals(lab.a().macAddress(), error.destination());
        assertEquals(lab.router().macAddress("r0"), error.source());
        assertEquals("10.0.0.1", error.ip().source());
        assertEquals("10.0.0.2", error.ip().destination());
        assertTrue(error.ip().ttl() >= 64, error::toString);
        assertTrue(error.ip().checksumRight(), error::toString);
        assertTrue(error.icmp().checksumRight(), error::toString);
        assertEquals(0, error.icmp().unused());
        assertEquals(0, error.icmp().mtu());
        assertEquals("", error.ip().trailing());
        final String packet = seen.packet(0);
        assertEquals(packet.substring(0, Math.min(packet.length(), 2 * (576 - 28))), error.icmp().quote());
        return error;
    }
}
