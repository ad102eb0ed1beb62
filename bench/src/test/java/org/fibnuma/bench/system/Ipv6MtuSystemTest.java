package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_C6;
import static org.fibnuma.bench.system.RouterLab.MTU;
import static org.fibnuma.bench.system.RouterLab.NARROW_MTU;
import static org.fibnuma.bench.system.RouterLab.ROUTER_A6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A link that is too narrow for an IPv6 packet: RFC 4443 section 3.2, RFC 8200 section 5, RFC 8201. */
@ExtendWith(LabExtension.class)
class Ipv6MtuSystemTest
{
    private static final int PACKET_TOO_BIG = 2;
    private static final int HEADER = 40;
    private static final int ETHERNET_HEX_DIGITS = 28;
    /** RFC 4443 section 2.4 (c): an error is not longer than the smallest MTU. */
    private static final int QUOTED = 1280 - HEADER - 8;

    private final RouterLab lab;

    Ipv6MtuSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    /** RFC 4443 section 3.2: the error tells the MTU of the next hop; a router never fragments (RFC 8200 section 5). */
    @ParameterizedTest
    @ValueSource(ints = {NARROW_MTU + 1, MTU})
    void shouldAnswerTooBigWithTheMtuAndNotFragment(final int length)
    {
        final Observation seen = to(BEYOND_C6, length, "Raw(bytes(1500))");
        assertTooBig(seen);
        seen.assertDropped("ipv6-too-big");
    }

    /** RFC 8200 section 5: fragments of the source are not fragmented again. */
    @Test
    void shouldAnswerTooBigAboutFragments()
    {
        assertTooBig(to(BEYOND_C6, NARROW_MTU + 8, "IPv6ExtHdrFragment(offset=0, m=1, id=3, nh=17)/Raw(bytes(1500))"));
    }

    /** RFC 4443 section 2.4 (e): an error is not answered, however long. */
    @Test
    void shouldNotAnswerTooBigAboutErrors()
    {
        final Observation seen = to(BEYOND_C6, NARROW_MTU + 8, "ICMPv6DestUnreach()/Raw(bytes(1500))");
        seen.assertSilence();
        seen.assertDropped("ipv6-too-big");
    }

    /** RFC 4443 section 3.2: exactly the MTU fits, of the narrow link and of the wide one. */
    @Test
    void shouldForwardWhatJustFits()
    {
        final Observation narrow = to(BEYOND_C6, NARROW_MTU, "Raw(bytes(1500))");
        assertEquals(NARROW_MTU - HEADER, narrow.onlyAtC().ipv6().payloadLength());
        narrow.assertForwarded();
        final Observation wide = to(BEYOND_B6, MTU, "Raw(bytes(1500))");
        assertEquals(MTU - HEADER, wide.onlyAtB().ipv6().payloadLength());
        wide.assertForwarded();
    }

    /** RFC 4443 section 3.2: the length of the packet counts, not that of its padded frame. */
    @Test
    void shouldNotCountPadding()
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IPv6(src='" + A6 + "', dst='" + BEYOND_C6 + "1', nh=253, plen=1000)/Raw(bytes(1400))");
        assertEquals(14 + HEADER + 1000, seen.onlyAtC().length());
        seen.assertForwarded();
    }

    private Observation to(final String network, final int length, final String payload)
    {
        final String transport = payload.startsWith("Raw") ? ", nh=253" : "";
        return Observation.of(lab, lab.a(), "Ether(bytes(" +
            "TO_ROUTER/IPv6(src='" + A6 + "', dst='" + network + "1', plen=" + (length - HEADER) + transport + ")/" +
            payload + ")[:" + (14 + length) + "])");
    }

    private void assertTooBig(final Observation seen)
    {
        final ReceivedFrame error = seen.onlyIcmpv6AtA(PACKET_TOO_BIG, 0);
        assertEquals(NARROW_MTU, error.icmpv6().rest());
        assertEquals(ROUTER_A6, error.ipv6().source());
        assertEquals(A6, error.ipv6().destination());
        assertEquals(lab.a().macAddress(), error.destination());
        assertTrue(error.icmpv6().checksumRight(), error::toString);
        assertEquals(
            seen.sent().get(0).substring(ETHERNET_HEX_DIGITS, ETHERNET_HEX_DIGITS + 2 * QUOTED), error.icmpv6().body());
    }
}
