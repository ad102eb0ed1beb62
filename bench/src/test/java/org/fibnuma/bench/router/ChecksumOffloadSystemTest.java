package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * TCP and UDP of two hosts on veth pairs with all offloads as the kernel sets them: they leave checksums to a device
 * that does not exist, and TCP hands over segments of up to 64 KiB.
 */
@Timeout(180)
@NamespaceTest({"iperf3", "tcpdump"})
class ChecksumOffloadSystemTest
{
    private static final String BEYOND = "10.0.1.2";
    private static final String ROUTER_NEAR = "10.0.0.1";
    private static final String ROUTER_FAR = "10.0.1.1";
    /** The longest frame of an MTU of 1,500, and one byte more. */
    private static final String TOO_LONG = "1515";
    private static final String[] TCP = {};
    private static final String[] UDP = {"-u", "-b", "20M", "-l", "1400"};

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    /** Each port tells how many checksums it has completed. */
    @Test
    void shouldCarryTcpAndUdpBothWaysAndCountCompletedChecksums()
    {
        lab.start();
        exchange(lab.right(), BEYOND, UDP);
        for (final JsonNode port : lab.ask("ports").get("ports"))
        {
            final long completed = port.get("checksumsCompleted").asLong();
            assertTrue(completed > 0 && completed <= port.get("rxFrames").asLong(), port::toString);
        }
        exchange(lab.right(), BEYOND, TCP);
        assertNoChecksumErrors();
        lab.terminate();
    }

    @Test
    void shouldCarryTcpAndUdpToTheRouterItself()
    {
        lab.start();
        for (final String address : List.of(ROUTER_NEAR, ROUTER_FAR))
        {
            exchange(lab.router(), address, TCP);
            exchange(lab.router(), address, UDP);
        }
        assertNoChecksumErrors();
        lab.terminate();
    }

    /** The kernel's own forwarding shows that the capture would see them. */
    @Test
    void shouldGetNoFrameOverTheMtu()
    {
        assertTrue(tooLong(), "the kernel forwards segments whole");
        lab.start();
        assertFalse(tooLong(), "over the MTU");
        lab.terminate();
    }

    /** Whether a frame longer than the MTU allows leaves or reaches a host while TCP goes both ways. */
    private boolean tooLong()
    {
        try (ChildProcess left = capture(lab.left()); ChildProcess right = capture(lab.right()))
        {
            exchange(lab.right(), BEYOND, TCP);
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

    /** Data from the left host to the server, then from the server to the left host. */
    private void exchange(final Host server, final String address, final String[] protocol)
    {
        for (final List<String> way : List.of(List.<String>of(), List.of("-R")))
        {
            final Host receiver = way.isEmpty() ? server : lab.left();
            final long before = octets(receiver);
            final JsonNode end = HostPrograms.iperf(lab.left(), server, address, Stream.of(
                List.of("-t", "1", "--connect-timeout", "5000"), List.of(protocol), way)
                .flatMap(List::stream).toArray(String[]::new));
            final long sent = end.at(protocol == TCP ? "/sum_sent/bytes" : "/sum/bytes").asLong();
            assertTrue(sent > 0, end::toString);
            assertTrue(octets(receiver) - before > sent / 2, () -> receiver + " got less than half of " + end);
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
