package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * TCP and UDP of two hosts on veth pairs with all offloads as the kernel sets them: they leave checksums to a device
 * that does not exist, and TCP hands over segments of up to 64 KiB.
 */
@Timeout(180)
class ChecksumOffloadSystemTest
{
    private static final String BEYOND = "10.0.1.2";
    private static final String ROUTER_NEAR = "10.0.0.1";
    private static final String ROUTER_FAR = "10.0.1.1";
    /** The longest frame of an MTU of 1,500, and one byte more. */
    private static final String TOO_LONG = "1515";
    private static final String[] TCP = {};
    private static final String[] UDP = {"-u", "-b", "20M", "-l", "1400"};
    private static final ObjectMapper JSON = new ObjectMapper();

    private RouterLifeLab lab;

    @BeforeAll
    static void requirePrograms()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("iperf3", "iperf3");
        Require.program("tcpdump", "tcpdump");
    }

    @BeforeEach
    void open()
    {
        lab = RouterLifeLab.open();
    }

    @AfterEach
    void close()
    {
        lab.close();
    }

    @Test
    void shouldCarryTcpAndUdpBothWays() throws IOException
    {
        try (RouterProcess process = lab.start())
        {
            exchange(lab.left(), lab.right(), BEYOND, TCP);
            exchange(lab.left(), lab.right(), BEYOND, UDP);
            assertNoChecksumErrors();
            assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ROUTER_NEAR, ROUTER_FAR})
    void shouldCarryTcpAndUdpToTheRouterItself(final String address) throws IOException
    {
        try (RouterProcess process = lab.start())
        {
            exchange(lab.left(), lab.router(), address, TCP);
            exchange(lab.left(), lab.router(), address, UDP);
            assertNoChecksumErrors();
            assertTrue(process.isAlive(), () -> String.join("\n", process.errors()));
        }
    }

    @Test
    void shouldCountCompletedChecksumsOfEachPort() throws IOException
    {
        try (RouterProcess process = lab.start())
        {
            exchange(lab.left(), lab.right(), BEYOND, UDP);
            for (final JsonNode port : lab.ask("ports").get("ports"))
            {
                final long received = port.get("rxFrames").asLong();
                final long completed = port.get("checksumsCompleted").asLong();
                assertTrue(completed > 0 && completed <= received, port::toString);
            }
            assertTrue(process.isAlive(), () -> String.join("\n", process.errors()));
        }
    }

    /** The kernel's own forwarding shows that the capture would see them. */
    @Test
    void shouldGetNoFrameOverTheMtu() throws IOException
    {
        assertTrue(tooLong(), "the kernel forwards segments whole");
        try (RouterProcess process = lab.start())
        {
            assertEquals(false, tooLong(), "over the MTU");
            assertTrue(process.isAlive(), () -> String.join("\n", process.errors()));
        }
    }

    /** Whether a frame longer than the MTU allows leaves or reaches a host while TCP goes both ways. */
    private boolean tooLong() throws IOException
    {
        try (ChildProcess left = capture(lab.left()); ChildProcess right = capture(lab.right()))
        {
            exchange(lab.left(), lab.right(), BEYOND, TCP);
            return captured(left) + captured(right) > 0;
        }
    }

    private static ChildProcess capture(final Host host)
    {
        final ChildProcess capture = host.start(
            "sh", "-c", "exec tcpdump -i h0 -p -l -n -s 64 greater " + TOO_LONG + " 2>&1");
        capture.awaitLine(line -> line.contains("listening on"), RouterLifeLab.PATIENCE);
        return capture;
    }

    private static int captured(final ChildProcess capture)
    {
        capture.terminate();
        final String line = capture.awaitLine(text -> text.contains("packets captured"), RouterLifeLab.PATIENCE);
        return Integer.parseInt(line.substring(0, line.indexOf(' ')));
    }

    /** Data from the client to the server, then from the server to the client. */
    private static void exchange(final Host client, final Host server, final String address, final String[] protocol)
        throws IOException
    {
        for (final List<String> way : List.of(List.<String>of(), List.of("-R")))
        {
            final Host receiver = way.isEmpty() ? server : client;
            final long before = octets(receiver);
            final JsonNode end = iperf(client, server, address, protocol, way);
            final long sent = end.at(protocol == TCP ? "/sum_sent/bytes" : "/sum/bytes").asLong();
            assertTrue(sent > 0, end::toString);
            assertTrue(octets(receiver) - before > sent / 2, () -> receiver + " got less than half of " + end);
        }
    }

    private static JsonNode iperf(
        final Host client, final Host server, final String address, final String[] protocol, final List<String> way)
        throws IOException
    {
        // Bound, or it answers UDP from the address of the interface that leads to the client.
        try (ChildProcess listener = server.start("iperf3", "-s", "-1", "-B", address, "--forceflush"))
        {
            listener.awaitLine(line -> line.contains("listening"), RouterLifeLab.PATIENCE);
            final List<String> command = new ArrayList<>(
                List.of("iperf3", "-c", address, "-t", "1", "-J", "--connect-timeout", "5000"));
            command.addAll(Arrays.asList(protocol));
            command.addAll(way);
            return JSON.readTree(client.run(command.toArray(String[]::new))).get("end");
        }
    }

    /** What IP was handed, by the kernel's own count: a frame that the transport found wrong is among it. */
    private static long octets(final Host host)
    {
        return counter(host, "/proc/net/netstat", "IpExt:", "InOctets");
    }

    private void assertNoChecksumErrors()
    {
        for (final Host host : List.of(lab.left(), lab.router(), lab.right()))
        {
            assertEquals(0, counter(host, "/proc/net/snmp", "Tcp:", "InCsumErrors"), "TCP of " + host);
            assertEquals(0, counter(host, "/proc/net/snmp", "Udp:", "InCsumErrors"), "UDP of " + host);
        }
    }

    private static long counter(final Host host, final String file, final String protocol, final String name)
    {
        final List<String[]> lines = host.run("cat", file).lines()
            .filter(line -> line.startsWith(protocol)).map(line -> line.split(" ")).toList();
        return Long.parseLong(lines.get(1)[Arrays.asList(lines.get(0)).indexOf(name)]);
    }
}
