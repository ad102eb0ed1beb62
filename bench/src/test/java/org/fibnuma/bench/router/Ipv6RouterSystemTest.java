package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * IPv6 through a router process over AF_XDP and rtnetlink: 2001:db8:1::2 -- r0 router r1 -- 2001:db8:2::2.
 * The hosts are kernels, which judge the checksums and the ICMPv6 messages that they get.
 */
@Timeout(300)
class Ipv6RouterSystemTest
{
    private static final String RIGHT = RouterLifeLab.RIGHT_IPV6;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private RouterLifeLab lab;
    private RouterProcess process;

    @BeforeAll
    static void requirePrograms()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ping", "iputils-ping");
        Require.program("iperf3", "iperf3");
    }

    @BeforeEach
    void open()
    {
        lab = RouterLifeLab.open();
        lab.addIpv6();
        lab.router().sysctl("ipv6.conf.all.forwarding", "1");
        process = lab.start();
    }

    @AfterEach
    void close()
    {
        process.close();
        lab.close();
    }

    @Test
    void shouldForwardBothFamiliesAndTcpWithPartialChecksums() throws IOException
    {
        assertAnswered(RIGHT);
        assertTrue(lab.pings(5), "IPv4");
        try (ChildProcess server = lab.right().start("iperf3", "-s", "-1", "--forceflush"))
        {
            server.awaitLine(line -> line.contains("listening"), RouterLifeLab.PATIENCE);
            lab.left().run("iperf3", "-6", "-c", RIGHT, "-n", "20M");
        }
        final JsonNode drops = lab.ask("drops");
        assertTrue(drops.get("ipv6").asLong() > 1000, drops::toString);
        assertTrue(drops.get("balanced").asBoolean(), drops::toString);
        assertTrue(verify().get("equal").asBoolean(), () -> "" + drops);
        assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
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
        await(() -> ping("-M", "do", "-s", "1400", RIGHT).contains("mtu=1300") ||
            ping("-M", "do", "-s", "1400", RIGHT).contains("mtu: 1300"), "Packet Too Big");
    }

    /** RFC 8950: the next hop of the IPv4 route is the IPv6 address of the host on the right. */
    @Test
    void shouldForwardIpv4ByAnIpv6NextHop() throws IOException
    {
        lab.right().address("h0", "10.9.0.1/32");
        lab.router().run("ip", "route", "add", "10.9.0.0/16", "via", "inet6", RIGHT);
        await(() -> lookup("10.9.0.1").get("kind").asText().equals("forward"), "the route");
        final long before = lab.ask("drops").get("forwarded").asLong();
        lab.left().run("ping", "-n", "-q", "-c", "5", "-i", "0.05", "-W", "20", "10.9.0.1");
        await(() -> lab.ask("drops").get("forwarded").asLong() >= before + 10, "forwarded by the router");
    }

    @Test
    void shouldFollowRoutesAndNeighborsOfTheKernel() throws IOException
    {
        assertEquals("no-route", lookup("2001:db8:77::1").get("kind").asText());
        lab.router().run("ip", "-6", "route", "add", "2001:db8:77::/48", "via", RIGHT);
        await(() -> lookup("2001:db8:77::1").get("kind").asText().equals("forward"), "the route");
        lab.router().run("ip", "-6", "route", "add", "blackhole", "2001:db8:77:1::/64");
        await(() -> lookup("2001:db8:77:1::1").get("kind").asText().equals("blackhole"), "the blackhole");
        lab.router().run("ip", "-6", "route", "del", "2001:db8:77::/48");
        await(() -> lookup("2001:db8:77::1").get("kind").asText().equals("no-route"), "the removal");
        assertTrue(verify().get("equal").asBoolean());
        assertFalse(process.errors().stream().anyMatch(line -> line.contains("ERROR")),
            () -> String.join("\n", process.errors()));
    }

    /** The kernel looks at the sources, so that neither route to the prefix is right for all packets. */
    @Test
    void shouldLeaveDestinationsOfSourceSpecificRoutesToTheKernel() throws IOException
    {
        final String prefix = "2001:db8:77::/48";
        final String destination = "2001:db8:77::1";
        lab.right().run("ip", "address", "add", destination + "/128", "dev", "h0", "nodad");
        lab.router().run("ip", "-6", "route", "add", "blackhole", prefix, "metric", "1");
        await(() -> lookup(destination).get("kind").asText().equals("blackhole"), "the blackhole");
        for (final String source : new String[]{ "2001:db8:1::/64", "2001:db8:9::/64" })
        {
            lab.router().run("ip", "-6", "route", "add", prefix, "from", source, "via", RIGHT);
        }
        await(() -> lookup(destination).get("kind").asText().equals("punt"), "the source-specific routes");
        assertAnswered(destination);
        assertTrue(verify().get("equal").asBoolean());

        lab.router().run("ip", "-6", "route", "del", prefix, "from", "2001:db8:9::/64");
        assertTrue(verify().get("equal").asBoolean());
        assertEquals("punt", lookup(destination).get("kind").asText());
        lab.router().run("ip", "-6", "route", "del", prefix, "from", "2001:db8:1::/64");
        await(() -> lookup(destination).get("kind").asText().equals("blackhole"), "the removal");
        assertTrue(verify().get("equal").asBoolean());
        assertEquals(0, process.terminate());
        assertEquals(1, process.errors().stream().filter(line -> line.contains("for some sources only")).count(),
            () -> String.join("\n", process.errors()));
    }

    private JsonNode lookup(final String address) throws IOException
    {
        try (ControlClient client = lab.client())
        {
            return client.ask(ControlProtocol.request("lookup").put("address", address));
        }
    }

    private JsonNode verify() throws IOException
    {
        return lab.ask("verify");
    }

    private void assertAnswered(final String address)
    {
        lab.left().run("ping", "-6", "-n", "-q", "-c", "5", "-i", "0.05", "-W", "20", address);
    }

    /** Sends one echo request from the left; returns what ping prints, answered or not. */
    private String ping(final String... arguments)
    {
        return lab.left().run("sh", "-c", "ping -6 -n -c 1 -W 10 " + String.join(" ", arguments) + " 2>&1 || true");
    }

    private void await(final Condition condition, final String what)
    {
        final long start = System.nanoTime();
        try
        {
            while (!condition.holds())
            {
                assertTrue(process.isAlive() && System.nanoTime() - start < PATIENCE_NS,
                    () -> what + " is missing\n" + String.join("\n", process.errors()));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
        catch (final IOException ex)
        {
            throw new AssertionError(what, ex);
        }
    }

    private interface Condition
    {
        boolean holds() throws IOException;
    }
}
