package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_C6;
import static org.fibnuma.bench.system.RouterLab.MTU;
import static org.fibnuma.bench.system.RouterLab.NARROW_MTU;
import static org.fibnuma.bench.system.RouterLab.ROUTER_A6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A link that is too narrow for an IPv6 packet: RFC 4443 section 3.2, RFC 8200 section 5, RFC 8201. */
class Ipv6MtuSystemTest extends WireTest
{
    private static final int HEADER = 40;
    /** RFC 4443 section 2.4 (c): an error is not longer than the smallest MTU. */
    private static final int QUOTED = 1280 - HEADER - 8;
    private static final String DATA = "Raw(bytes(1500))";

    /**
     * RFC 4443 section 3.2: the error tells the MTU of the next hop; a router never fragments, not even fragments of
     * the source (RFC 8200 section 5).
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        (NARROW_MTU + 1) + "|" + DATA, MTU + "|" + DATA,
        (NARROW_MTU + 8) + "|IPv6ExtHdrFragment(offset=0, m=1, id=3, nh=17)/" + DATA})
    void shouldAnswerTooBigWithTheMtuAndNotFragment(final int length, final String payload)
    {
        final Observation seen = to(BEYOND_C6, length, payload);

        final ReceivedFrame error = seen.onlyIcmpv6AtA(2, 0);
        assertEquals(NARROW_MTU, error.icmpv6().rest());
        assertEquals(ROUTER_A6, error.ipv6().source());
        assertEquals(A6, error.ipv6().destination());
        assertEquals(lab.a().macAddress(), error.destination());
        assertTrue(error.icmpv6().checksumRight(), error::toString);
        assertEquals(seen.packet(0).substring(0, 2 * QUOTED), error.icmpv6().body());
        seen.assertDropped("ipv6-too-big");
    }

    /** RFC 4443 section 2.4 (e): an error is not answered, however long. */
    @Test
    void shouldNotAnswerTooBigAboutErrors()
    {
        final Observation seen = to(BEYOND_C6, NARROW_MTU + 8, "ICMPv6DestUnreach()/" + DATA);

        seen.assertSilence();
        seen.assertDropped("ipv6-too-big");
    }

    /** RFC 4443 section 3.2: exactly the MTU fits, of the narrow link and of the wide one. */
    @Test
    void shouldForwardWhatJustFits()
    {
        final Observation narrow = to(BEYOND_C6, NARROW_MTU, DATA);

        assertEquals(NARROW_MTU - HEADER, narrow.onlyAtC().ipv6().payloadLength());
        narrow.assertForwarded();
        final Observation wide = to(BEYOND_B6, MTU, DATA);
        assertEquals(MTU - HEADER, wide.onlyAtB().ipv6().payloadLength());
        wide.assertForwarded();
    }

    /** RFC 4443 section 3.2: the length of the packet counts, not that of its padded frame. */
    @Test
    void shouldNotCountPadding()
    {
        final Observation seen = fromA(ip6(A6, BEYOND_C6 + "1", "nh=253, plen=1000") + "/Raw(bytes(1400))");

        assertEquals(14 + HEADER + 1000, seen.onlyAtC().length());
        seen.assertForwarded();
    }

    private Observation to(final String network, final int length, final String payload)
    {
        final String transport = payload.startsWith("Raw") ? ", nh=253" : "";
        return fromA("Ether(bytes(" + ip6(A6, network + "1", "plen=" + (length - HEADER) + transport) + "/" +
            payload + ")[:" + (14 + length) + "])");
    }
}
