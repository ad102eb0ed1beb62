package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.B6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_A6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_B6;
import static org.fibnuma.bench.system.RouterLab.ROUTER_LINK_LOCAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What stays with the router's kernel, which answers, and programs across the router: RFC 4861, RFC 3810, RFC 4443. */
class Ipv6HostTrafficSystemTest extends WireTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ALERT = "IPv6ExtHdrHopByHop(options=[RouterAlert()])";
    private static final String NS = "ICMPv6ND_NS(tgt='" + ROUTER_A6 + "')/ICMPv6NDOptSrcLLAddr(lladdr=TO_ROUTER.src)";


    /** RFC 4861 section 7.2.4: a solicited advertisement that says "router", with the port's address. */
    @ParameterizedTest
    @ValueSource(strings = {
        "Ether(src=TO_ROUTER.src, dst='33:33:ff:00:00:01')/IPv6(src='" + A6 + "', dst='ff02::1:ff00:1', hlim=255)/",
        "TO_ROUTER/IPv6(src='" + A6 + "', dst='" + ROUTER_A6 + "', hlim=255)/"})
    void shouldAnswerNeighborSolicitations(final String headers)
    {
        final ReceivedFrame answer = advertisement(headers + NS);

        assertEquals(lab.router().macAddress("r0"), answer.source());
        assertEquals(lab.a().macAddress(), answer.destination());
        assertEquals(A6, answer.ipv6().destination());
        assertEquals(255, answer.ipv6().hopLimit());
        assertTrue(answer.icmpv6().checksumRight(), answer::toString);
        assertEquals(0xC, answer.icmpv6().rest() >>> 28 & 0xC, "router, solicited");
    }

    /** RFC 4862 section 5.4.3: who wants the router's address is told that it is taken. */
    @Test
    void shouldDefendItsAddress()
    {
        final ReceivedFrame answer = advertisement("Ether(src='02:00:00:00:00:97', dst='33:33:ff:00:00:01')/" +
            "IPv6(src='::', dst='ff02::1:ff00:1', hlim=255)/ICMPv6ND_NS(tgt='" + ROUTER_A6 + "')");

        assertEquals("ff02::1", answer.ipv6().destination());
    }

    private ReceivedFrame advertisement(final String solicitation)
    {
        lab.a().clear();
        lab.a().send(solicitation);
        final List<ReceivedFrame> answers = lab.a().receive(
            1, PATIENCE, "ICMPv6ND_NA in p and p[ICMPv6ND_NA].tgt == '" + ROUTER_A6 + "'");
        assertEquals(1, answers.size(), "no advertisement");
        return answers.get(0);
    }

    /**
     * RFC 4861 sections 4.1 and 4.2, RFC 2710, RFC 3810, RFC 5340: what a link's hosts and routers say to each other
     * arrives at the router's kernel as it was sent, and nowhere else.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        33:33:00:00:00:02 | IPv6(src='fe80::a', dst='ff02::2', hlim=255)/ICMPv6ND_RS()
        33:33:00:00:00:01 | IPv6(src='fe80::a', dst='ff02::1', hlim=255)/ICMPv6ND_RA()
        33:33:00:00:00:16 | IPv6(src='::', dst='ff02::16', hlim=1)/ALERT/ICMPv6MLReport2()
        33:33:00:00:00:01 | IPv6(src='fe80::a', dst='ff02::1', hlim=1)/ALERT/ICMPv6MLQuery()
        33:33:00:00:00:02 | IPv6(src='fe80::a', dst='ff02::2', hlim=1)/ALERT/ICMPv6MLDone()
        33:33:00:00:00:05 | IPv6(src='fe80::a', dst='ff02::5', hlim=1, nh=89)/Raw(bytes(40))
        33:33:00:00:00:12 | IPv6(src='fe80::a', dst='ff02::12', hlim=255, nh=112)/Raw(bytes(20))
        33:33:00:01:00:02 | IPv6(src='fe80::a', dst='ff02::1:2', hlim=1)/UDP(sport=546, dport=547)/Raw(bytes(4))
        33:33:ff:00:00:99 | IPv6(src='fe80::a', dst='ff02::1:ff00:99', hlim=255)/ICMPv6ND_NS(tgt='2001:db8:a::99')
        ROUTER            | IPv6(src='fe80::a', dst='fe80::1', hlim=255)/ICMPv6ND_NA(tgt='fe80::a', S=0, O=0)
        ROUTER            | IPv6(src='2001:db8:a::2', dst='2001:db8:a::1', hlim=255)/TCP(sport=1, dport=179)
        ROUTER            | IPv6(src='2001:db8:a::2', dst='2001:db8:b::1', hlim=1)/UDP(sport=1, dport=9)
        """)
    void shouldLeaveToTheKernel(final String mac, final String packet)
    {
        final String destination = "ROUTER".equals(mac) ? "TO_ROUTER.dst" : "'" + mac + "'";
        try (ScapyHost kernel = new ScapyHost(lab.router().host(), "r0"))
        {
            kernel.awaitReady();
            kernel.clear();
            lab.b().clear();
            lab.c().clear();
            final String sent = lab.a().send(
                "Ether(src=TO_ROUTER.src, dst=" + destination + ")/" + packet.replace("ALERT", ALERT)).get(0);
            final List<ReceivedFrame> arrived =
                kernel.receive(1, PATIENCE, "bytes(p.original).hex() == '" + sent + "'");
            assertEquals(1, arrived.size(), "did not arrive at the kernel");
            final String same = "bytes(p.original)[22:].hex() == '" + sent.substring(44) + "'";
            assertEquals(List.of(), lab.b().receive(1, Duration.ofMillis(20), same));
            assertEquals(List.of(), lab.c().receive(1, Duration.ofMillis(20), same));
        }
        lab.router().run("ip", "-6", "neighbor", "flush", "to", "fe80::a");
    }

    /**
     * RFC 4443 section 4.2: for each address of the router, by its kernel; on the link also by groups. RFC 8200
     * section 3: what has reached its destination may have any hop limit.
     */
    @ParameterizedTest
    @CsvSource({
        ROUTER_A6 + ", 64", ROUTER_B6 + ", 64", "2001:db8:b:1::, 64", "2001:db8:c::1, 64",
        ROUTER_LINK_LOCAL + "%a0, 64", "ff02::1%a0, 64", "ff02::2%a0, 64", ROUTER_A6 + ", 1"})
    void shouldAnswerPingsToItsOwnAddressesAndGroups(final String address, final String hopLimit)
    {
        final String output = ping("-t", hopLimit, address);
        assertTrue(output.contains(" 3 received"), output);
    }

    /** RFC 4443 section 4: echo through the router, none lost. */
    @Test
    void shouldPassPings()
    {
        final String output = ping(B6);
        assertTrue(output.contains(" 3 received") && output.contains("ttl=63"), output);
    }

    /** RFC 8201: the kernel of the host learns the MTU of the path from the router's error. */
    @Test
    void shouldTellHostsTheMtuOfThePath()
    {
        lab.a().host().run("sh", "-c", "ping -6 -c 1 -W 1 -s 1352 2001:db8:c::2 >/dev/null 2>&1; true");
        final String route = lab.a().host().run("ip", "-6", "route", "get", "2001:db8:c::2");
        lab.a().host().run("ip", "-6", "route", "flush", "cache");
        assertTrue(route.contains("mtu " + RouterLab.NARROW_MTU), route);
    }

    /** The hop limit shows the way: first the router, then the host. */
    @Test
    void shouldShowUpInTraceroute()
    {
        Require.program("traceroute", "traceroute");
        final String[] lines =
            lab.a().host().run("traceroute", "-6", "-n", "-q", "2", "-w", "5", B6).split("\n");
        assertEquals(3, lines.length, () -> String.join("\n", lines));
        assertTrue(lines[1].contains(" " + ROUTER_A6 + " "), lines[1]);
        assertTrue(lines[2].contains(" " + B6 + " "), lines[2]);
    }

    /** Bulk TCP: every checksum is right, or TCP would crawl. */
    @Test
    void shouldPassBulkTcp()
    {
        Require.program("iperf3", "iperf3");
        final JsonNode end = HostPrograms.iperf(lab.a().host(), lab.b().host(), B6, "-n", "20M");
        assertTrue(end.at("/sum_received/bytes").asLong() > 10_000_000, end::toString);
    }

    /** RFC 8200 section 8.1: a host leaves the checksum to its device also behind destination options. */
    @Test
    void shouldPassTcpBehindExtensionHeaders()
    {
        final String program = """
            import socket, sys
            DSTOPTS = bytes([0, 0, 1, 4, 0, 0, 0, 0])
            def options(s):
                s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, DSTOPTS)
                s.settimeout(60)
                return s
            if sys.argv[1] == "server":
                s = options(socket.create_server((sys.argv[2], 2223), family=socket.AF_INET6))
                print("listening", flush=True)
                c = options(s.accept()[0])
                while data := c.recv(65536):
                    c.sendall(data)
            else:
                s = options(socket.socket(socket.AF_INET6, socket.SOCK_STREAM))
                s.connect((sys.argv[2], 2223))
                s.sendall(b"x" * 5000)
                s.shutdown(socket.SHUT_WR)
                print(sum(len(data) for data in iter(lambda: s.recv(65536), b"")))
            """;
        try (ChildProcess server = lab.b().host().start("/usr/bin/python3", "-u", "-c", program, "server", B6))
        {
            server.awaitLine("listening"::equals, PATIENCE);
            assertEquals("5000", lab.a().host().run("/usr/bin/python3", "-c", program, "client", B6).trim());
        }
    }

    /** After all of that the router's IPv6 table is the kernel's. */
    @Test
    void shouldAgreeWithTheKernel()
    {
        lab.assumeRouter("nothing to compare");
        lab.assertVerified();
    }

    private String ping(final String... arguments)
    {
        return lab.a().host().run(Stream.concat(
            Stream.of("ping", "-6", "-n", "-c", "3", "-i", "0.05", "-W", "10"), Stream.of(arguments))
            .toArray(String[]::new));
    }
}
