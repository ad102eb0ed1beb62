package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip6;
import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.B6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_A6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_B6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** IPv6 packets that a router does not forward, and answers by nothing: RFC 8200 section 3, RFC 4291 section 2. */
class Ipv6ValidationSystemTest extends WireTest
{
    private static final String DATA = UDP + "/b'data'";
    private static final String TO_B = BEYOND_B6 + "1";
    private static final String MARTIAN_SOURCE = "ipv6-martian-source";

    /** RFC 8200 section 3: the version is 6, and the payload length is not above what the frame has. */
    @ParameterizedTest
    @CsvSource({
        "version=0, ipv6-bad-version", "version=4, ipv6-bad-version", "version=5, ipv6-bad-version",
        "version=7, ipv6-bad-version", "version=15, ipv6-bad-version",
        "plen=13, ipv6-truncated", "plen=14, ipv6-truncated", "plen=1000, ipv6-truncated",
        "plen=65535, ipv6-truncated"})
    void shouldDropWhatIsWrongInTheHeader(final String field, final String reason)
    {
        assertDropped(reason, ip6(A6, TO_B, field) + DATA);
    }

    /** A frame that ends in the header; AF_XDP leaves it to the kernel. */
    @ParameterizedTest
    @ValueSource(ints = {46, 53})
    void shouldDropFramesShorterThanTheHeader(final int length)
    {
        assumeFalse(LabDevice.chosen().padsFrames(), "the card pads every frame to 60 bytes");

        final Observation seen = fromA("bytes(" + ip6(A6, TO_B, "nh=59") + ")[:" + length + "]");

        seen.assertSilence();
        seen.assertDroppedOrLeftToTheKernel("ipv6-too-short");
    }

    /** RFC 8200 section 3: what lies behind the payload is padding of the link, not part of the packet. */
    @Test
    void shouldNotForwardPadding()
    {
        final Observation seen = fromA(ip6(A6, TO_B, "") + DATA + "/Padding(b'\\xde\\xad\\xbe\\xef' * 10)");

        assertEquals("", seen.onlyAtB().ipv6().trailing());
        assertEquals(14 + 40 + 8 + 4, seen.onlyAtB().length());
        seen.assertForwarded();
    }

    /** RFC 8200 section 3: a packet may have no payload; 0 for a jumbogram (RFC 2675) fits no Ethernet frame. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/Padding(b'\\xff' * 20)"})
    void shouldForwardAnEmptyPayload(final String padding)
    {
        final Observation seen = fromA(ip6(A6, TO_B, "nh=59, plen=0") + padding);

        assertEquals(Math.max(14 + 40, LabDevice.chosen().shortestSent()), seen.onlyAtB().length());
        assertTrue(seen.onlyAtB().ipv6().trailing().matches("(00)*"), seen::toString);
        seen.assertForwarded();
    }

    /** RFC 4291 sections 2.5.2, 2.5.3 and 2.7: no host has such a source. */
    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "ff02::1", "ff0e::1:2", "ffff:ffff:ffff:ffff::"})
    void shouldDropMartianSources(final String source)
    {
        assertDropped(MARTIAN_SOURCE, ip6(source, TO_B, "") + DATA);
    }

    /**
     * RFC 4291 section 2.5.5.2: IPv4-mapped addresses are for programs of one host. An address of the router itself as
     * the source, of whatever port: as RFC 1812 section 5.3.7 for IPv4.
     */
    @ParameterizedTest
    @CsvSource({
        "::ffff:10.0.0.9, " + MARTIAN_SOURCE, ROUTER_A6 + ", ipv6-own-source", ROUTER_B6 + ", ipv6-own-source",
        "2001:db8:b:1::, ipv6-own-source"})
    void shouldDropSourcesThatLinuxForwards(final String source, final String reason)
    {
        lab.assumeRouter("Linux forwards them");
        assertDropped(reason, ip6(source, reason.equals(MARTIAN_SOURCE) ? TO_B : B6, "") + DATA);
    }

    /** RFC 4291 sections 2.5.2, 2.5.3 and 2.5.5.2. */
    @ParameterizedTest
    @ValueSource(strings = {"::", "::1", "::ffff:10.0.1.2"})
    void shouldDropMartianDestinations(final String destination)
    {
        lab.assumeRouter("Linux answers some of them");
        assertDropped("ipv6-martian-destination", ip6(A6, destination, "") + DATA);
    }

    /** RFC 4291 section 2.7: multicast is not forwarded without multicast routing, whatever its scope and frame. */
    @ParameterizedTest
    @ValueSource(strings = {"ff01::1", "ff02::1", "ff02::5", "ff02::1:ff00:2", "ff05::2", "ff08::1", "ff0e::1:2:3"})
    void shouldNotForwardMulticastDestinations(final String destination)
    {
        final Observation seen =
            fromA(inFrameTo("33:33:00:00:00:01", destination), ip6(A6, destination, "") + DATA);

        assertEquals(0, seen.atB().size() + seen.atC().size(), seen::toString);
    }

    /**
     * A packet to another host in a frame to everybody, as RFC 1812 section 5.3.4 for IPv4, and one in a frame to
     * another station on the link.
     */
    @ParameterizedTest
    @CsvSource({
        "ff:ff:ff:ff:ff:ff, ipv6-link-broadcast", "33:33:00:00:00:01, ipv6-link-broadcast",
        "02:00:00:00:00:98, ethernet-other-host"})
    void shouldNotForwardUnicastInFramesToOthers(final String mac, final String reason)
    {
        final Observation seen = fromA(inFrameTo(mac, TO_B), inFrameTo(mac, RouterLab.NO_ROUTE6 + "1"));

        seen.assertSilence();
        seen.assertDroppedOrLeftToTheKernel(reason);
    }

    private static String inFrameTo(final String mac, final String destination)
    {
        return "Ether(src=TO_ROUTER.src, dst='" + mac + "')/IPv6(src='" + A6 + "', dst='" + destination + "')" + DATA;
    }
}
