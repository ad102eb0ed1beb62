package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The programs that people use, across the router and to the router itself. */
@ExtendWith(LabExtension.class)
class HostTrafficSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RouterLab lab;

    HostTrafficSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    /** RFC 792: echo through the router, none lost. */
    @Test
    void shouldPassPings()
    {
        Require.program("ping", "iputils-ping");
        final String output = lab.a().host().run("ping", "-c", "20", "-i", "0.02", "-W", "1", "10.0.1.2");
        assertTrue(output.contains(" 20 received"), output);
        assertTrue(output.contains("ttl=63"), output);
    }

    /** RFC 1812 section 4.3.3.6: the router answers for each of its addresses, by its kernel. */
    @Test
    void shouldAnswerPingsToItsOwnAddresses()
    {
        Require.program("ping", "iputils-ping");
        for (final String address : new String[] {"10.0.0.1", "10.0.1.1", "10.0.2.0", "10.0.3.1"})
        {
            final String output = lab.a().host().run("ping", "-c", "3", "-i", "0.02", "-W", "1", address);
            assertTrue(output.contains(" 3 received"), output);
        }
    }

    /** RFC 1812 section 5.3.1: what has reached its destination may have any TTL. */
    @Test
    void shouldAnswerPingsToItselfWithTtlOne()
    {
        Require.program("ping", "iputils-ping");
        final String output = lab.a().host().run("ping", "-c", "3", "-i", "0.02", "-W", "1", "-t", "1", "10.0.0.1");
        assertTrue(output.contains(" 3 received"), output);
    }

    /** RFC 1393 is history; the TTL still shows the way: first the router, then the host. */
    @Test
    void shouldShowUpInTraceroute()
    {
        Require.program("traceroute", "traceroute");
        final String[] lines = lab.a().host().run("traceroute", "-n", "-q", "2", "-w", "1", "10.0.1.2").split("\n");
        assertEquals(3, lines.length, () -> String.join("\n", lines));
        assertTrue(lines[1].contains(" 10.0.0.1 "), lines[1]);
        assertTrue(lines[2].contains(" 10.0.1.2 "), lines[2]);
    }

    /** Bulk TCP: every checksum is right after rewriting, or TCP would crawl. */
    @Test
    void shouldPassBulkTcp(final TestReporter reporter) throws IOException
    {
        Require.program("iperf3", "iperf3");
        try (ChildProcess server = lab.b().host().start("iperf3", "-s", "-1", "-f", "m", "--forceflush"))
        {
            server.awaitLine(line -> line.contains("listening"), PATIENCE);
            final JsonNode result = JSON.readTree(
                lab.a().host().run("iperf3", "-c", "10.0.1.2", "-t", "2", "-J"));
            final double megabits = result.at("/end/sum_received/bits_per_second").asDouble() / 1e6;
            reporter.publishEntry("TCP through the router, Mbit/s", Long.toString(Math.round(megabits)));
            assertTrue(megabits > 20, () -> "Mbit/s: " + megabits);
        }
    }

    /** ssh and its like stay with the kernel, at the nearest address and at the far one, while frames are forwarded. */
    @Test
    void shouldLeaveTcpToItsOwnAddressesToTheKernel()
    {
        assertEquals("welcome", talk(lab.a().host(), "10.0.0.1"));
        assertEquals("welcome", talk(lab.a().host(), "10.0.1.1"));
    }

    private String talk(final Host client, final String address)
    {
        try (ChildProcess server = lab.router().host().start("/usr/bin/python3", "-u", "-c",
            "import socket\n" +
            "s = socket.create_server(('" + address + "', 2222))\n" +
            "print('listening')\n" +
            "c = s.accept()[0]\n" +
            "c.sendall(b'wel' + c.recv(4))\n"))
        {
            server.awaitLine("listening"::equals, PATIENCE);
            return client.run("/usr/bin/python3", "-c",
                "import socket\n" +
                "s = socket.create_connection(('" + address + "', 2222), 5)\n" +
                "s.sendall(b'come')\n" +
                "print(s.makefile().read())\n").trim();
        }
    }
}
