package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_B6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** IPv6 packets that a router does not forward, and answers by nothing: RFC 8200 section 3, RFC 4291 section 2. */
@ExtendWith(LabExtension.class)
class Ipv6ValidationSystemTest
{
    private static final String UDP = "/UDP(sport=1, dport=2)/b'data'";

    private final RouterLab lab;

    Ipv6ValidationSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    /** RFC 8200 section 3: the version is 6. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4, 5, 7, 15})
    void shouldDropOtherVersions(final int version)
    {
        final Observation seen = send(A6, BEYOND_B6 + "1", ", version=" + version, UDP);
        seen.assertSilence();
        seen.assertDropped("ipv6-bad-version");
    }

    /** A frame that ends in the header; AF_XDP leaves it to the kernel. */
    @ParameterizedTest
    @ValueSource(ints = {46, 53})
    void shouldDropFramesShorterThanTheHeader(final int length)
    {
        assumeFalse(LabDevice.chosen().padsFrames(), "the card pads every frame to 60 bytes");
        final Observation seen = Observation.of(lab, lab.a(),
            "bytes(TO_ROUTER/IPv6(src='" + A6 + "', dst='" + BEYOND_B6 + "1', nh=59))[:" + length + "]");
        seen.assertSilence();
        seen.assertDroppedOrLeftToTheKernel("ipv6-too-short");
    }

    /** RFC 8200 section 3: the payload length is above what the frame has. */
    @ParameterizedTest
    @ValueSource(ints = {13, 14, 1000, 65535})
    void shouldDropTruncatedPackets(final int payloadLength)
    {
        final Observation seen = send(A6, BEYOND_B6 + "1", ", plen=" + payloadLength, UDP);
        seen.assertSilence();
        seen.assertDropped("ipv6-truncated");
    }

    /** RFC 8200 section 3: what lies behind the payload is padding of the link, not part of the packet. */
    @Test
    void shouldNotForwardPadding()
    {
        final Observation seen = send(A6, BEYOND_B6 + "1", "", UDP + "/Padding(b'\\xde\\xad\\xbe\\xef' * 10)");
        final ReceivedFrame frame = seen.onlyAtB();
        assertEquals("", frame.ipv6().trailing());
        assertEquals(14 + 40 + 8 + 4, frame.length());
        seen.assertForwarded();
    }

    /** RFC 8200 section 3: a packet may have no payload; 0 for a jumbogram (RFC 2675) fits no Ethernet frame. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/Padding(b'\\xff' * 20)"})
    void shouldForwardAnEmptyPayload(final String padding)
    {
        final Observation seen = send(A6, BEYOND_B6 + "1", ", nh=59, plen=0", padding);
        assertEquals(Math.max(14 + 40, LabDevice.chosen().shortestSent()), seen.onlyAtB().length());
        assertTrue(seen.onlyAtB().ipv6().trailing().matches("(00)*"), () -> seen.onlyAtB().toString());
        seen.assertForwarded();
    }

    /** RFC 4291 sections 2.5.2, 2.5.3 and 2.7: no host has such a source. */
    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "ff02::1", "ff0e::1:2", "ffff:ffff:ffff:ffff::"})
    void shouldDropMartianSources(final String source)
    {
        final Observation seen = send(source, BEYOND_B6 + "1", "", UDP);
        seen.assertSilence();
        seen.assertDropped("ipv6-martian-source");
    }

    /** RFC 4291 section 2.5.5.2: IPv4-mapped addresses are for programs of one host. */
    @Test
    void shouldDropIpv4MappedSources()
    {
        lab.assumeRouter("Linux forwards them");
        final Observation seen = send("::ffff:10.0.0.9", BEYOND_B6 + "1", "", UDP);
        seen.assertSilence();
        seen.assertDropped("ipv6-martian-source");
    }

    /** RFC 4291 sections 2.5.2, 2.5.3 and 2.5.5.2. */
    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "::ffff:10.0.1.2"})
    void shouldDropMartianDestinations(final String destination)
    {
        lab.assumeRouter("Linux answers some of them");
        final Observation seen = send(A6, destination, "", UDP);
        seen.assertSilence();
        seen.assertDropped("ipv6-martian-destination");
    }

    /** RFC 4291 section 2.7: multicast is not forwarded without multicast routing, whatever its scope and frame. */
    @ParameterizedTest
    @ValueSource(strings = {"ff01::1", "ff02::1", "ff02::5", "ff02::1:ff00:2", "ff05::2", "ff08::1", "ff0e::1:2:3"})
    void shouldNotForwardMulticastDestinations(final String destination)
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "Ether(src=TO_ROUTER.src, dst='33:33:00:00:00:01')/IPv6(src='" + A6 + "', dst='" + destination + "')" + UDP,
            "TO_ROUTER/IPv6(src='" + A6 + "', dst='" + destination + "')" + UDP);
        assertEquals(0, seen.atB().size() + seen.atC().size(), seen::toString);
    }

    /** A packet to another host in a frame to everybody: as RFC 1812 section 5.3.4 for IPv4. */
    @ParameterizedTest
    @ValueSource(strings = {"ff:ff:ff:ff:ff:ff", "33:33:00:00:00:01"})
    void shouldNotForwardUnicastInGroupFrames(final String mac)
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "Ether(src=TO_ROUTER.src, dst='" + mac + "')/IPv6(src='" + A6 + "', dst='" + BEYOND_B6 + "1')" + UDP,
            "Ether(src=TO_ROUTER.src, dst='" + mac + "')/IPv6(src='" + A6 + "', dst='" + RouterLab.NO_ROUTE6 + "1')" +
            UDP);
        seen.assertSilence();
        seen.assertDroppedOrLeftToTheKernel("ipv6-link-broadcast");
    }

    /** A frame to another station on the link. */
    @Test
    void shouldNotForwardFramesToOthers()
    {
        final Observation seen = Observation.of(lab, lab.a(),
            "Ether(src=TO_ROUTER.src, dst='02:00:00:00:00:98')/IPv6(src='" + A6 + "', dst='" + BEYOND_B6 + "1')" + UDP);
        seen.assertSilence();
        seen.assertDroppedOrLeftToTheKernel("ethernet-other-host");
    }

    /** An address of the router itself as the source, of whatever port: as RFC 1812 section 5.3.7 for IPv4. */
    @ParameterizedTest
    @ValueSource(strings = {RouterLab.ROUTER_A6, ROUTER_B6, "2001:db8:b:1::"})
    void shouldDropPacketsFromItsOwnAddresses(final String source)
    {
        lab.assumeRouter("Linux forwards them");
        final Observation seen = send(source, B6, "", UDP);
        seen.assertSilence();
        seen.assertDropped("ipv6-own-source");
    }

    private Observation send(final String source, final String destination, final String fields, final String payload)
    {
        return Observation.of(lab, lab.a(),
            "TO_ROUTER/IPv6(src='" + source + "', dst='" + destination + "'" + fields + ")" + payload);
    }
}
