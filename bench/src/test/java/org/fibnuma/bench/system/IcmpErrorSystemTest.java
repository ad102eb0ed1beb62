package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.fibnuma.bench.system.RouterLab.BLACKHOLE;
import static org.fibnuma.bench.system.RouterLab.NO_ROUTE;
import static org.fibnuma.bench.system.RouterLab.PROHIBITED;
import static org.fibnuma.bench.system.RouterLab.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The errors that the router sends and the ones that it must not: RFC 792, RFC 1812 sections 4.3.2 and 5.2.7. */
@ExtendWith(LabExtension.class)
class IcmpErrorSystemTest
{
    private static final int UNREACHABLE_TYPE = 3;
    private static final int TIME_EXCEEDED = 11;
    private static final int ETHERNET_HEX_DIGITS = 28;

    private final RouterLab lab;

    IcmpErrorSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    /** RFC 1812 section 5.3.1: TTL 1, and TTL 0 which nobody should have sent. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldAnswerExpiredTtl(final int ttl)
    {
        final Observation seen = fromA(BEYOND_B + "1", "ttl=" + ttl, "/b'quoted'");
        assertError(seen, TIME_EXCEEDED, 0);
        seen.assertDropped("ipv4-ttl-expired");
    }

    /** RFC 1812 section 5.2.7.1, code 0. */
    @Test
    void shouldAnswerNoRoute()
    {
        final Observation seen = fromA(NO_ROUTE + "1", "ttl=64", "/b'quoted'");
        assertError(seen, UNREACHABLE_TYPE, 0);
        seen.assertDropped("ipv4-no-route");
    }

    /** RFC 1812 section 5.2.7.1, code 1, by a route of type unreachable. */
    @Test
    void shouldAnswerUnreachableRoute()
    {
        final Observation seen = fromA(UNREACHABLE + "1", "ttl=64", "/b'quoted'");
        assertError(seen, UNREACHABLE_TYPE, 1);
        seen.assertDropped("route-unreachable");
    }

    /** RFC 1812 section 5.2.7.1, code 13, by a route of type prohibit. */
    @Test
    void shouldAnswerProhibitedRoute()
    {
        final Observation seen = fromA(PROHIBITED + "1", "ttl=64", "/b'quoted'");
        assertError(seen, UNREACHABLE_TYPE, 13);
        seen.assertDropped("route-prohibit");
    }

    /** A route of type blackhole is silent. */
    @Test
    void shouldSayNothingAboutBlackholes()
    {
        final Observation seen = fromA(BLACKHOLE + "1", "ttl=64", "");
        seen.assertSilence();
        seen.assertDropped("route-blackhole");
    }

    /** RFC 1812 section 5.3.1 before 5.2.7: the TTL is looked at before the route. */
    @Test
    void shouldAnswerExpiredTtlWithoutRoute()
    {
        final Observation seen = fromA(NO_ROUTE + "1", "ttl=1", "");
        assertEquals(1, seen.atA().size());
        assertTrue(seen.atA().get(0).isIcmp());
    }

    /** RFC 1812 section 4.3.2.3: as much of the packet as fits 576 bytes, not only its first 8. */
    @Test
    void shouldQuoteUpTo576Bytes()
    {
        final Observation seen = fromA(NO_ROUTE + "2", "ttl=64", "/(bytes(range(256)) * 5)");
        final ReceivedFrame error = assertError(seen, UNREACHABLE_TYPE, 0);
        assertEquals(576, error.ip().totalLength());
    }

    /** RFC 1812 section 4.3.2.3: the packet is quoted, the padding of its frame is not. */
    @Test
    void shouldNotQuotePadding()
    {
        final Observation seen = fromA(NO_ROUTE + "3", "ttl=64", "/b'x'/Padding(b'\\xde\\xad' * 20)");
        final ReceivedFrame error = seen.onlyErrorAtA(UNREACHABLE_TYPE, 0);
        assertEquals(20 + 8 + 20 + 8 + 1, error.ip().totalLength());
        assertEquals("", error.ip().trailing());
    }

    /** RFC 1812 section 4.3.2.3: the quoted header is the received one, options and all. */
    @Test
    void shouldQuoteOptions()
    {
        final Observation seen = fromA(NO_ROUTE + "4", "ttl=64, options=IPOption(b'\\x01\\x01\\x01\\x00')", "/b'y'");
        assertError(seen, UNREACHABLE_TYPE, 0);
    }

    /** RFC 1812 section 4.3.2.5: errors have precedence 6 or 7, whatever the packet had, and the packet's TOS. */
    @ParameterizedTest
    @CsvSource({"0x00,0xC0", "0x10,0xD0", "0xA8,0xC8", "0xFF,0xDE"})
    void shouldSendErrorsWithInternetworkControlPrecedenceAndTheSameTos(final String tos, final String answered)
    {
        final Observation seen = fromA(NO_ROUTE + "5", "ttl=64, tos=" + tos, "");
        assertEquals((int)Integer.decode(answered), seen.onlyErrorAtA(UNREACHABLE_TYPE, 0).ip().tos());
    }

    /** RFC 1812 section 4.3.2.4: the answer to b bears b's network's address although the packet came in from a. */
    @Test
    void shouldAnswerFromTheInterfaceThatTheAnswerLeavesBy()
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='" + BEYOND_B + "33', dst='" + NO_ROUTE + "5')/UDP(sport=1, dport=2)",
            "TO_ROUTER/IP(src='10.0.2.1', dst='" + NO_ROUTE + "5')/UDP(sport=1, dport=2)");
        assertEquals(
            List.of("10.0.1.1", "10.0.2.0"), seen.atB().stream().map(frame -> frame.ip().source()).toList());
        assertEquals(List.of(), seen.atA());
    }

    /** RFC 1812 section 4.3.2.7: no error about an ICMP error. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 11, 12})
    void shouldNotAnswerIcmpErrors(final int type)
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + NO_ROUTE + "6')/ICMP(type=" + type + ", code=0)/IP()/UDP()");
        seen.assertSilence();
        seen.assertDropped("ipv4-no-route");
    }

    /** RFC 1812 section 4.3.2.7: other ICMP messages are packets like any. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 13})
    void shouldAnswerAboutIcmpQueries(final int type)
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + NO_ROUTE + "7', id=12)/ICMP(type=" + type + ")/b'query'");
        assertError(seen, UNREACHABLE_TYPE, 0);
    }

    /** RFC 1812 section 4.3.2.7: about the first fragment only. */
    @Test
    void shouldAnswerAboutFirstFragmentOnly()
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + NO_ROUTE + "8', flags='MF', id=3, proto=17)/(b'1' * 64)",
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + NO_ROUTE + "8', flags='MF', frag=8, id=3, proto=17)/(b'2' * 64)",
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + NO_ROUTE + "8', frag=16, id=3, proto=17)/(b'3' * 9)");
        final ReceivedFrame error = seen.onlyErrorAtA(UNREACHABLE_TYPE, 0);
        assertTrue(error.icmp().quote().endsWith("31".repeat(8)), error::toString);
        seen.assertDropped("ipv4-no-route");
    }

    /** RFC 1812 section 4.3.2.7: not to a source that names no single host; here a network's broadcast address. */
    @Test
    void shouldNotAnswerBroadcastSources()
    {
        lab.assumeRouter("Linux answers them");
        Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.255', dst='" + NO_ROUTE + "9')/UDP(sport=1, dport=2)").assertSilence();
    }

    /** RFC 1812 section 4.3.2.4: from the address of the interface that the error leaves by. */
    @Test
    void shouldSendFromTheInterfaceThatFacesTheSender()
    {
        final Observation seen = Observation.of(lab, lab.b(),
            "TO_ROUTER/IP(src='10.0.1.2', dst='" + NO_ROUTE + "10')/UDP(sport=1, dport=2)");
        assertEquals(1, seen.atB().size(), () -> "frames at b " + seen.atB());
        assertEquals("10.0.1.1", seen.atB().get(0).ip().source());
        assertEquals(lab.router().macAddress("r1"), seen.atB().get(0).source());
    }

    /** RFC 1812 section 4.3.2.8: a flood of bad packets is answered at the configured rate, and that is counted. */
    @Test
    void shouldLimitTheRateOfErrors()
    {
        lab.assumeRouter("the kernel's limit is not ours");
        final Fates before = lab.fates();
        lab.a().clear();
        final int floods = 2000;
        final long startNs = System.nanoTime();
        lab.a().send(floods, Duration.ZERO,
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + NO_ROUTE + "11')/UDP(sport=1, dport=2)");
        final Fates after = Observation.awaitReceived(lab, before, floods);
        assertEquals(floods, after.count("ipv4-no-route"), after::toString);
        final long errors = floods - after.count("icmpSuppressed");
        final long most = Observation.mostErrors(startNs);
        assertTrue(errors >= 40 && errors <= most, () -> "at most " + most + ": " + after);
        assertEquals(errors, lab.a().receive((int)errors, Observation.PATIENCE).size());
        assertEquals(0, lab.a().receive(1, Duration.ofMillis(300)).size(), "more errors than were counted");
        awaitTokens();
    }

    private static void awaitTokens()
    {
        try
        {
            Thread.sleep(100);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private Observation fromA(final String destination, final String fields, final String payload)
    {
        return Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + destination + "', id=99, " + fields + ")" +
            "/UDP(sport=1, dport=2)" + payload);
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
        final String packet = seen.sent().get(0).substring(ETHERNET_HEX_DIGITS);
        final int quoted = Math.min(packet.length(), 2 * (576 - 28));
        assertEquals(packet.substring(0, quoted), error.icmp().quote());
        return error;
    }
}
