package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.bench.system.RouterLab.BEYOND_B;

/** What must not be forwarded, and nobody is told: RFC 1812 sections 5.2.2, 5.3.4, 5.3.5 and 5.3.7. */
@ExtendWith(LabExtension.class)
class ValidationSystemTest
{
    private static final String TO_B = "TO_ROUTER/IP(src='10.0.0.2', dst='" + BEYOND_B + "1', ";
    private static final String UDP = ")/UDP(sport=1, dport=2)/b'payload'";

    private final RouterLab lab;

    ValidationSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    /** RFC 1812 section 5.2.2 (1): the link carries at least a header. Without a destination it is the kernel's. */
    @Test
    void shouldDropWhenShorterThanAnIpHeader()
    {
        assertSilence("Ether(bytes(TO_ROUTER)[:12] + b'\\x08\\x00')/" +
            "bytes(IP(src='10.0.0.2', dst='" + BEYOND_B + "1'))[:19]");
    }

    /** RFC 1812 section 5.2.2 (2). */
    @Test
    void shouldDropWhenHeaderChecksumIsWrong()
    {
        assertDropped(TO_B + "chksum=0x1234" + UDP, "ipv4-bad-checksum");
    }

    /** RFC 1812 section 5.2.2 (3). */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, 6, 15})
    void shouldDropWhenVersionIsNotFour(final int version)
    {
        assertDropped(TO_B + "version=" + version + UDP, "ipv4-bad-version");
    }

    /** RFC 1812 section 5.2.2 (4). */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void shouldDropWhenHeaderLengthIsBelowFiveWords(final int words)
    {
        assertDropped(TO_B + "ihl=" + words + UDP, "ipv4-bad-header-length");
    }

    /** RFC 1812 section 5.2.2 (4): the header has to end within the frame. */
    @Test
    void shouldDropWhenHeaderGoesBeyondTheFrame()
    {
        assertDropped(TO_B + "ihl=15" + UDP, "ipv4-header-truncated");
    }

    /** RFC 1812 section 5.2.2 (5). */
    @ParameterizedTest
    @ValueSource(ints = {0, 19})
    void shouldDropWhenTotalLengthIsBelowHeaderLength(final int totalLength)
    {
        assertDropped(TO_B + "len=" + totalLength + UDP, "ipv4-bad-total-length");
    }

    /** RFC 1812 section 5.2.2: the link has to carry the whole packet. */
    @Test
    void shouldDropWhenTotalLengthIsBeyondTheFrame()
    {
        // Longer than the 60 bytes to which cards pad a frame.
        assertDropped(TO_B + "len=76" + UDP + "/bytes(40)", "ipv4-truncated");
    }

    /** RFC 1812 sections 5.3.7 and 4.2.2.11: sources that no single host on a network can have. */
    @ParameterizedTest
    @ValueSource(strings = {
        "0.0.0.0", "127.0.0.1", "127.255.255.255", "224.0.0.5", "239.255.255.255", "255.255.255.255"})
    void shouldDropMartianSources(final String source)
    {
        assertDropped("TO_ROUTER/IP(src='" + source + "', dst='" + BEYOND_B + "1')/UDP(sport=1, dport=2)",
            "ipv4-martian-source");
    }

    /** RFC 1812 section 4.2.2.11 (g): loopback addresses must not appear outside a host. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9"})
    void shouldDropMartianDestinations(final String destination)
    {
        assertDropped("TO_ROUTER/IP(src='10.0.0.2', dst='" + destination + "')/UDP(sport=1, dport=2)",
            "ipv4-martian-destination");
    }

    /** RFC 1812 section 5.3.7: nobody else has one of the router's own addresses. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "10.0.1.1", "10.0.2.0", "10.0.3.1"})
    void shouldDropItsOwnAddressesAsSources(final String source)
    {
        assertDropped("TO_ROUTER/IP(src='" + source + "', dst='" + BEYOND_B + "1')/UDP(sport=1, dport=2)",
            "ipv4-own-source");
    }

    /** RFC 1812 section 4.2.2.11: the broadcast addresses of connected networks. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.255", "10.0.1.255", "10.0.3.255"})
    void shouldDropBroadcastsOfConnectedNetworksAsSources(final String source)
    {
        assertDropped("TO_ROUTER/IP(src='" + source + "', dst='" + BEYOND_B + "1')/UDP(sport=1, dport=2)",
            "ipv4-broadcast-source");
    }

    /** RFC 1812 section 5.3.7: martians are silent, also where their TTL would have ended. */
    @Test
    void shouldNotAnswerMartiansWithTtlOne()
    {
        assertDropped("TO_ROUTER/IP(src='127.0.0.1', dst='" + BEYOND_B + "1', ttl=1)/UDP(sport=1, dport=2)",
            "ipv4-martian-source");
    }

    /** RFC 1812 section 5.3.5.2: broadcasts to a network are not forwarded into it (RFC 2644). */
    @Test
    void shouldNotForwardDirectedBroadcast()
    {
        assertSilence("TO_ROUTER/IP(src='10.0.0.2', dst='10.0.1.255', ttl=1)/ICMP()",
            "TO_ROUTER/IP(src='10.0.0.2', dst='10.0.1.255', ttl=64)/UDP(sport=1, dport=9)");
    }

    /** RFC 1812 section 5.3.5.1: limited broadcasts are not forwarded. */
    @Test
    void shouldNotForwardLimitedBroadcast()
    {
        assertSilence("TO_ROUTER/IP(src='10.0.0.2', dst='255.255.255.255')/UDP(sport=1, dport=9)",
            "Ether(src=TO_ROUTER.src, dst='ff:ff:ff:ff:ff:ff')" +
            "/IP(src='10.0.0.2', dst='255.255.255.255')/UDP(sport=1, dport=9)");
    }

    /** RFC 1812 section 5.3.4: a packet to one host that came in a frame to all is not forwarded. */
    @Test
    void shouldNotForwardUnicastFromLinkBroadcast()
    {
        assertSilence("Ether(src=TO_ROUTER.src, dst='ff:ff:ff:ff:ff:ff')" +
            "/IP(src='10.0.0.2', dst='" + BEYOND_B + "1', ttl=1)/UDP(sport=1, dport=2)",
            "Ether(src=TO_ROUTER.src, dst='01:00:5e:00:00:05')" +
            "/IP(src='10.0.0.2', dst='" + BEYOND_B + "1', ttl=64)/UDP(sport=1, dport=2)");
    }

    /** RFC 1112, RFC 1812 section 5.2.3: no multicast routing here, whatever the frame's address says. */
    @Test
    void shouldNotForwardMulticast()
    {
        assertSilence("TO_ROUTER/IP(src='10.0.0.2', dst='239.1.2.3', ttl=64)/UDP(sport=1, dport=2)",
            "TO_ROUTER/IP(src='10.0.0.2', dst='224.0.0.5', ttl=1)/UDP(sport=1, dport=2)",
            "Ether(src=TO_ROUTER.src, dst='01:00:5e:01:02:03')" +
            "/IP(src='10.0.0.2', dst='239.1.2.3', ttl=1)/UDP(sport=1, dport=2)");
    }

    /** A shared link delivers frames to other MAC addresses too. */
    @Test
    void shouldDropFramesToOtherHosts()
    {
        assertSilence("Ether(src=TO_ROUTER.src, dst='02:00:00:00:00:77')" +
            "/IP(src='10.0.0.2', dst='" + BEYOND_B + "1', ttl=64)/UDP(sport=1, dport=2)");
    }

    private void assertDropped(final String frame, final String reason)
    {
        final Observation seen = Observation.of(lab, lab.a(), frame);
        seen.assertSilence();
        seen.assertDropped(reason);
    }

    private void assertSilence(final String... frames)
    {
        Observation.of(lab, lab.a(), frames).assertSilence();
    }
}
