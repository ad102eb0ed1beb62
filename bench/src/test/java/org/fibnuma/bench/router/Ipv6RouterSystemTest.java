package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * IPv6 through a router process over AF_XDP and rtnetlink: 2001:db8:1::2 -- r0 router r1 -- 2001:db8:2::2.
 * The hosts are kernels, which judge the checksums and the ICMPv6 messages that they get.
 */
@Timeout(300)
@NamespaceTest({"ping", "iperf3"})
class Ipv6RouterSystemTest
{
    private static final String RIGHT = RouterLifeLab.RIGHT_IPV6;

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @BeforeEach
    void start()
    {
        lab.forwardIpv6();
        lab.start();
    }

    @Test
    void shouldForwardBothFamiliesAndTcpWithPartialChecksums()
    {
        assertAnswered(RIGHT);
        lab.assertPings(5);
        HostPrograms.iperf(lab.left(), lab.right(), RIGHT, "-n", "20M");
        final JsonNode drops = lab.ask("drops");
        assertTrue(drops.get("ipv6").asLong() > 1000, drops::toString);
        lab.assertBalanced();
        lab.assertVerified();
        lab.terminate();
        assertAnswered(RIGHT);
    }

    /** RFC 4443 sections 3.1 to 3.3 and RFC 8200 section 3. */
    @Test
    void shouldAnswerByIcmpv6WhatItCannotForward()
    {
        assertAnswered(RIGHT);
        assertTrue(ping("-t", "1", RIGHT).contains("From 2001:db8:1::1 icmp_seq=1 Time exceeded: Hop limit"));
        assertTrue(ping("3fff::1").contains("From 2001:db8:1::1 icmp_seq=1 Destination unreachable: No route"));
        assertTrue(ping("2001:db8:2::99").contains(
            "From 2001:db8:1::1 icmp_seq=1 Destination unreachable: Address unreachable"));
        lab.router().run("ip", "link", "set", "r1", "mtu", "1300");
        lab.await("Packet Too Big", () -> ping("-M", "do", "-s", "1400", RIGHT).matches("(?s).*mtu(=|: )1300.*"));
    }

    /** RFC 8950: the next hop of the IPv4 route is the IPv6 address of the host on the right. */
    @Test
    void shouldForwardIpv4ByAnIpv6NextHop()
    {
        lab.right().address("h0", "10.9.0.1/32");
        lab.router().run("ip", "route", "add", "10.9.0.0/16", "via", "inet6", RIGHT);
        lab.awaitKind("10.9.0.1", "forward");
        final long before = lab.forwarded();
        assertAnswered("10.9.0.1");
        Await.atLeast("frames forwarded by the router", before + 10, lab::forwarded);
    }

    @Test
    void shouldFollowRoutesAndNeighborsOfTheKernel()
    {
        assertEquals("no-route", lab.lookup("2001:db8:77::1").get("kind").asText());
        lab.router().run("ip", "-6", "route", "add", "2001:db8:77::/48", "via", RIGHT);
        lab.awaitKind("2001:db8:77::1", "forward");
        lab.router().run("ip", "-6", "route", "add", "blackhole", "2001:db8:77:1::/64");
        lab.awaitKind("2001:db8:77:1::1", "blackhole");
        lab.router().run("ip", "-6", "route", "del", "2001:db8:77::/48");
        lab.awaitKind("2001:db8:77::1", "no-route");
        lab.assertVerified();
        assertEquals(0, lab.count("ERROR"), lab::log);
    }

    /** The kernel looks at the sources, so that neither route to the prefix is right for all packets. */
    @Test
    void shouldLeaveDestinationsOfSourceSpecificRoutesToTheKernel()
    {
        final String prefix = "2001:db8:77::/48";
        final String destination = "2001:db8:77::1";
        lab.right().run("ip", "address", "add", destination + "/128", "dev", "h0", "nodad");
        lab.router().run("ip", "-6", "route", "add", "blackhole", prefix, "metric", "1");
        lab.awaitKind(destination, "blackhole");
        for (final String source : List.of("2001:db8:1::/64", "2001:db8:9::/64"))
        {
            lab.router().run("ip", "-6", "route", "add", prefix, "from", source, "via", RIGHT);
        }
        lab.awaitKind(destination, "punt");
        assertAnswered(destination);
        lab.assertVerified();
        lab.router().run("ip", "-6", "route", "del", prefix, "from", "2001:db8:9::/64");
        lab.assertVerified();
        lab.awaitKind(destination, "punt");
        lab.router().run("ip", "-6", "route", "del", prefix, "from", "2001:db8:1::/64");
        lab.awaitKind(destination, "blackhole");
        lab.assertVerified();
        lab.terminate();
        assertEquals(1, lab.count("for some sources only"), lab::log);
    }

    private void assertAnswered(final String address)
    {
        assertTrue(HostPrograms.pings(lab.left(), address, 5, 20), lab::log);
    }

    /** Sends one echo request from the left; returns what ping prints, answered or not. */
    private String ping(final String... arguments)
    {
        return lab.left().run("sh", "-c", "ping -6 -n -c 1 -W 10 " + String.join(" ", arguments) + " 2>&1 || true");
    }
}
