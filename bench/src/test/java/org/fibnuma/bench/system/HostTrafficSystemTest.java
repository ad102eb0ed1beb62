package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The programs that people use, across the router and to the router itself. */
class HostTrafficSystemTest extends WireTest
{
    /** RFC 792: echo through the router, none lost. */
    @Test
    void shouldPassPings()
    {
        final String output = ping("-c", "20", "10.0.1.2");

        assertTrue(output.contains(" 20 received") && output.contains("ttl=63"), output);
    }

    /**
     * RFC 1812 section 4.3.3.6: the router answers for each of its addresses, by its kernel. Section 5.3.1: what has
     * reached its destination may have any TTL.
     */
    @ParameterizedTest
    @CsvSource({"10.0.0.1, 64", "10.0.1.1, 64", "10.0.2.0, 64", "10.0.3.1, 64", "10.0.0.1, 1"})
    void shouldAnswerPingsToItsOwnAddresses(final String address, final String ttl)
    {
        final String output = ping("-c", "3", "-t", ttl, address);

        assertTrue(output.contains(" 3 received"), output);
    }

    private String ping(final String... options)
    {
        return lab.a().host().run(
            Stream.concat(Stream.of("ping", "-i", "0.02", "-W", "1"), Stream.of(options)).toArray(String[]::new));
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
    void shouldPassBulkTcp(final TestReporter reporter)
    {
        Require.program("iperf3", "iperf3");
        final double megabits = HostPrograms.iperf(lab.a().host(), lab.b().host(), "10.0.1.2", "-t", "2")
            .at("/sum_received/bits_per_second").asDouble() / 1e6;

        reporter.publishEntry("TCP through the router, Mbit/s", Long.toString(Math.round(megabits)));
        assertTrue(megabits > 20, () -> "Mbit/s: " + megabits);
    }

    /** ssh and its like stay with the kernel, at the nearest address and at the far one, while frames are forwarded. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "10.0.1.1"})
    void shouldLeaveTcpToItsOwnAddressesToTheKernel(final String address)
    {
        assertEquals("welcome", HostPrograms.talk(lab.a().host(), lab.router().host(), address));
    }
}
