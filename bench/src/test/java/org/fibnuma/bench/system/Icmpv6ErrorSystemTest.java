package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

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
@ExtendWith(LabExtension.class)
class Icmpv6ErrorSystemTest
{
    private static final int UNREACHABLE = 1;
    private static final int TIME_EXCEEDED = 3;
    private static final int NO_ROUTE = 0;
    private static final int PROHIBITED = 1;
    private static final int ETHERNET_HEX_DIGITS = 28;
    /** RFC 4443 section 2.4 (c): the smallest MTU, without the error's own headers. */
    private static final int QUOTED = 1280 - 48;
    private static final String UDP = "UDP(sport=1, dport=2)";

    private final RouterLab lab;

    Icmpv6ErrorSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    /** RFC 4443 section 3.3, code 0: hop limit 1, and 0 which nobody should have sent. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldAnswerAnExpiredHopLimit(final int hopLimit)
    {
        final Observation seen = fromA(BEYOND_B6, ", hlim=" + hopLimit, UDP + "/b'quoted'");
        assertError(seen, TIME_EXCEEDED, 0);
        seen.assertDropped("ipv6-hop-limit");
    }

    /** RFC 4443 section 3.1, code 0. */
    @Test
    void shouldAnswerNoRoute()
    {
        final Observation seen = fromA(NO_ROUTE6, "", UDP + "/b'quoted'");
        assertError(seen, UNREACHABLE, NO_ROUTE);
        seen.assertDropped("ipv6-no-route");
    }

    /** RFC 4443 section 3.1, code 0: Linux's answer to a route of type unreachable. */
    @Test
    void shouldAnswerUnreachableRoute()
    {
        final Observation seen = fromA(UNREACHABLE6, "", UDP + "/b'quoted'");
        assertError(seen, UNREACHABLE, NO_ROUTE);
        seen.assertDropped("route-unreachable");
    }

    /** RFC 4443 section 3.1, code 1, by a route of type prohibit. */
    @Test
    void shouldAnswerProhibitedRoute()
    {
        final Observation seen = fromA(PROHIBITED6, "", UDP + "/b'quoted'");
        assertError(seen, UNREACHABLE, PROHIBITED);
        seen.assertDropped("route-prohibit");
    }

    /** A route of type blackhole is silent. */
    @Test
    void shouldSayNothingAboutBlackholes()
    {
        final Observation seen = fromA(BLACKHOLE6, "", UDP);
        seen.assertSilence();
        seen.assertDropped("route-blackhole");
    }

    /** RFC 4443 section 2.4 (c): as much of the packet as fits the smallest MTU. */
    @Test
    void shouldQuoteUpTo1280Bytes()
    {
        final Observation seen = fromA(NO_ROUTE6, "", UDP + "/(bytes(range(256)) * 5)");
        assertEquals(1240, assertError(seen, UNREACHABLE, NO_ROUTE).ipv6().payloadLength());
    }

    /** RFC 4443 section 2.4 (c): the packet is quoted, the padding of its frame is not. */
    @Test
    void shouldNotQuotePadding()
    {
        final Observation seen = fromA(NO_ROUTE6, "", UDP + "/b'x'/Padding(b'\\xde\\xad' * 20)");
        final ReceivedFrame error = seen.onlyIcmpv6AtA(UNREACHABLE, NO_ROUTE);
        assertEquals(8 + 40 + 8 + 1, error.ipv6().payloadLength());
        assertEquals("", error.ipv6().trailing());
    }

    /** RFC 4443 section 2.4 (c): extension headers are part of the packet. */
    @Test
    void shouldQuoteExtensionHeaders()
    {
        assertError(fromA(NO_ROUTE6, "",
            "IPv6ExtHdrDestOpt(options=[PadN(optdata=b'1234')])/IPv6ExtHdrFragment(m=1, id=9)/" + UDP + "/b'data'"),
            UNREACHABLE, NO_ROUTE);
    }

    /** RFC 4443 section 2.2: from an address of the port that the error leaves by, facing the sender. */
    @Test
    void shouldAnswerFromTheInterfaceThatFacesTheSender()
    {
        final Observation seen = Observation.of(lab, lab.b(), packet(B6, NO_ROUTE6, "", UDP));
        assertEquals(1, seen.atB().size(), () -> "frames at b " + seen.atB());
        assertEquals(ROUTER_B6, seen.atB().get(0).ipv6().source());
        assertEquals(lab.router().macAddress("r1"), seen.atB().get(0).source());
    }

    /** As the kernel (icmp6_send in net/ipv6/icmp.c): an address of the interface that the packet came in by. */
    @Test
    void shouldAnswerFromTheInterfaceThatThePacketCameInBy()
    {
        final Observation seen = Observation.of(lab, lab.a(),
            packet(BEYOND_B6 + "33", NO_ROUTE6, "", UDP), packet("2001:db8:b:1::1", NO_ROUTE6, "", UDP));
        assertEquals(List.of(), seen.atA());
        assertEquals(List.of(ROUTER_A6, ROUTER_A6),
            seen.atB().stream().map(frame -> frame.ipv6().source()).toList(), () -> "frames at b " + seen.atB());
    }

    /** RFC 4443 section 2.4 (e.1): no error about an error, unknown ones (types below 128) included. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 100, 127})
    void shouldNotAnswerErrors(final int type)
    {
        assertSilent(icmp(type));
    }

    /** RFC 4443 section 2.4 (e.2): no error about a redirect. */
    @Test
    void shouldNotAnswerRedirects()
    {
        lab.assumeRouter("Linux answers them");
        assertSilent(icmp(137));
    }

    /** RFC 4443 section 2.4 (e.1): also where the error lies behind extension headers. */
    @ParameterizedTest
    @ValueSource(strings = {
        "IPv6ExtHdrDestOpt(options=[PadN(optdata=b'1234')])/", "IPv6ExtHdrFragment(m=0, id=9)/",
        "IPv6ExtHdrRouting(type=4, addresses=['2001:db8:c::2'])/",
        "IPv6ExtHdrRouting(type=4, addresses=['2001:db8:c::2'])/IPv6ExtHdrDestOpt(options=[])/"})
    void shouldNotAnswerErrorsBehindExtensionHeaders(final String extensions)
    {
        assertSilent(extensions + icmp(1));
    }

    /** RFC 4443 section 2.4 (e): a later fragment of an ICMPv6 message may be one of an error. */
    @Test
    void shouldNotAnswerLaterFragmentsOfIcmpv6()
    {
        lab.assumeRouter("Linux answers them");
        assertSilent("IPv6ExtHdrFragment(offset=20, m=0, id=9, nh=58)/Raw(bytes(40))");
    }

    /** RFC 4443 section 2.4: fragments of others are packets like any, the later ones too. */
    @Test
    void shouldAnswerAboutFragments()
    {
        assertError(fromA(NO_ROUTE6, "", "IPv6ExtHdrFragment(offset=20, m=0, id=9, nh=17)/Raw(bytes(40))"),
            UNREACHABLE, NO_ROUTE);
    }

    /** RFC 4443 section 4: other ICMPv6 messages are packets like any. */
    @ParameterizedTest
    @ValueSource(ints = {128, 129, 139, 200})
    void shouldAnswerAboutInformationalMessages(final int type)
    {
        assertError(fromA(NO_ROUTE6, "", icmp(type)), UNREACHABLE, NO_ROUTE);
    }

    /** RFC 4443 section 2.4 (f): a flood of bad packets is answered at the configured rate, and that is counted. */
    @Test
    void shouldLimitTheRateOfErrors() throws InterruptedException
    {
        lab.assumeRouter("the kernel's limit is not ours");
        final Fates before = lab.fates();
        lab.a().clear();
        final int floods = 2000;
        final long startNs = System.nanoTime();
        lab.a().send(floods, Duration.ZERO, packet(A6, NO_ROUTE6, "", UDP));
        final Fates after = Observation.awaitReceived(lab, before, floods);
        assertEquals(floods, after.count("ipv6-no-route"), after::toString);
        final long errors = floods - after.count("icmpSuppressed");
        final long most = Observation.mostErrors(startNs);
        assertTrue(errors >= 40 && errors <= most, () -> "at most " + most + ": " + after);
        assertEquals(errors, lab.a().receive((int)errors, Observation.PATIENCE).size());
        assertEquals(0, lab.a().receive(1, Duration.ofMillis(300)).size(), "more errors than were counted");
        Thread.sleep(100);
    }

    private static String icmp(final int type)
    {
        return "ICMPv6Unknown(type=" + type + ", code=0, msgbody=bytes(48))";
    }

    private void assertSilent(final String payload)
    {
        final Observation seen = fromA(NO_ROUTE6, "", payload);
        seen.assertSilence();
        seen.assertDropped("ipv6-no-route");
    }

    private static String packet(
        final String source, final String network, final String fields, final String payload)
    {
        return "TO_ROUTER/IPv6(src='" + source + "', dst='" + network + "1'" + fields + ")/" + payload;
    }

    private Observation fromA(final String network, final String fields, final String payload)
    {
        return Observation.of(lab, lab.a(), packet(A6, network, fields, payload));
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
        final String packet = seen.sent().get(0).substring(ETHERNET_HEX_DIGITS);
        assertEquals(packet.substring(0, Math.min(packet.length(), 2 * QUOTED)), error.icmpv6().body());
        return error;
    }
}
