package org.fibnuma.bench.system;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B;

/** What must not be forwarded, and nobody is told: RFC 1812 sections 5.2.2, 5.3.4, 5.3.5 and 5.3.7. */
class ValidationSystemTest extends WireTest
{
    private static final String A = "10.0.0.2";
    private static final String TO_B = BEYOND_B + "1";
    private static final String TO_ALL = "Ether(src=TO_ROUTER.src, dst='ff:ff:ff:ff:ff:ff')/";

    /** RFC 1812 section 5.2.2 (1): the link carries at least a header. Without a destination it is the kernel's. */
    @Test
    void shouldDropWhenShorterThanAnIpHeader()
    {
        assertSilence("Ether(bytes(TO_ROUTER)[:12] + b'\\x08\\x00')/bytes(IP(src='10.0.0.2', dst='" + TO_B +
            "'))[:19]");
    }

    /**
     * RFC 1812 section 5.2.2 (2) to (5). The header has to end within the frame, and the link to carry the whole
     * packet. The last one is longer than the 60 bytes to which cards pad a frame.
     */
    @ParameterizedTest
    @CsvSource({
        "chksum=0x1234, '', ipv4-bad-checksum",
        "version=0, '', ipv4-bad-version", "version=5, '', ipv4-bad-version", "version=6, '', ipv4-bad-version",
        "version=15, '', ipv4-bad-version",
        "ihl=0, '', ipv4-bad-header-length", "ihl=1, '', ipv4-bad-header-length", "ihl=4, '', ipv4-bad-header-length",
        "ihl=15, '', ipv4-header-truncated",
        "len=0, '', ipv4-bad-total-length", "len=19, '', ipv4-bad-total-length",
        "len=76, /bytes(40), ipv4-truncated"})
    void shouldDropWhatIsWrongInTheHeader(final String field, final String more, final String reason)
    {
        assertDropped(reason, ip(A, TO_B, field) + UDP + "/b'payload'" + more);
    }

    /**
     * RFC 1812 sections 5.3.7 and 4.2.2.11: sources that no single host on a network can have, the router's own
     * addresses and the broadcast addresses of connected networks.
     */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, martian", "127.0.0.1, martian", "127.255.255.255, martian", "224.0.0.5, martian",
        "239.255.255.255, martian", "255.255.255.255, martian",
        "10.0.0.1, own", "10.0.1.1, own", "10.0.2.0, own", "10.0.3.1, own",
        "10.0.0.255, broadcast", "10.0.1.255, broadcast", "10.0.3.255, broadcast"})
    void shouldDropSources(final String source, final String kind)
    {
        if (kind.equals("broadcast"))
        {
            lab.assumeRouter("Linux forwards them");
        }
        assertDropped("ipv4-" + kind + "-source", ip(source, TO_B, "") + UDP);
    }

    /** RFC 1812 section 4.2.2.11 (g): loopback addresses must not appear outside a host. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9"})
    void shouldDropMartianDestinations(final String destination)
    {
        assertDropped("ipv4-martian-destination", Frames.ipv4(destination));
    }

    /** RFC 1812 section 5.3.7: martians are silent, also where their TTL would have ended. */
    @Test
    void shouldNotAnswerMartiansWithTtlOne()
    {
        assertDropped("ipv4-martian-source", ip("127.0.0.1", TO_B, "ttl=1") + UDP);
    }

    /** RFC 1812 sections 5.3.5.1 and 5.3.5.2: broadcasts are not forwarded, to a network (RFC 2644) or to all. */
    @Test
    void shouldNotForwardBroadcasts()
    {
        assertSilence(ip(A, "10.0.1.255", "ttl=1") + "/ICMP()",
            ip(A, "10.0.1.255", "ttl=64") + "/UDP(sport=1, dport=9)",
            ip(A, "255.255.255.255", "") + "/UDP(sport=1, dport=9)",
            TO_ALL + "IP(src='10.0.0.2', dst='255.255.255.255')/UDP(sport=1, dport=9)");
    }

    /** RFC 1812 section 5.3.4: a packet to one host that came in a frame to all is not forwarded. */
    @Test
    void shouldNotForwardUnicastFromLinkBroadcast()
    {
        assertSilence(TO_ALL + "IP(src='10.0.0.2', dst='" + TO_B + "', ttl=1)" + UDP,
            "Ether(src=TO_ROUTER.src, dst='01:00:5e:00:00:05')/IP(src='10.0.0.2', dst='" + TO_B + "', ttl=64)" + UDP);
    }

    /** RFC 1112, RFC 1812 section 5.2.3: no multicast routing here, whatever the frame's address says. */
    @Test
    void shouldNotForwardMulticast()
    {
        assertSilence(ip(A, "239.1.2.3", "ttl=64") + UDP, ip(A, "224.0.0.5", "ttl=1") + UDP,
            "Ether(src=TO_ROUTER.src, dst='01:00:5e:01:02:03')/IP(src='10.0.0.2', dst='239.1.2.3', ttl=1)" + UDP);
    }

    /** A shared link delivers frames to other MAC addresses too. */
    @Test
    void shouldDropFramesToOtherHosts()
    {
        assertSilence(
            "Ether(src=TO_ROUTER.src, dst='02:00:00:00:00:77')/IP(src='10.0.0.2', dst='" + TO_B + "', ttl=64)" + UDP);
    }
}
