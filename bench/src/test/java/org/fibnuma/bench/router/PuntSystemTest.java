package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Transit to a host behind r2, which is no port: the kernel sees the interface that the frames came in by. */
@NamespaceTest({"ping", "nft"})
class PuntSystemTest
{
    private static final int PINGS = 10;
    private static final String THIRD_IPV6 = "2001:db8:3::2";
    private static final Pattern COUNTER = Pattern.compile("counter packets (\\d+)");

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    @AutoClose
    private final Host third = Host.open("third");

    @BeforeEach
    void connect()
    {
        lab.connect(third, "r2", "10.0.2.");
        lab.forwardIpv6();
        third.enableIpv6();
        lab.addIpv6(third, THIRD_IPV6, "r2", "2001:db8:3::1");
    }

    /** The chain drops what the rules do not name. Nothing is a flow, because r2 is no port. */
    @ParameterizedTest
    @ValueSource(strings = {"bypass", "follow"})
    void shouldMeetTheRulesForTheInterfaceOfThePort(final String firewall)
    {
        lab.router().run("nft", "add table inet f; " +
            "add chain inet f c { type filter hook forward priority 0; policy drop; }; " +
            "add rule inet f c iifname r0 oifname r2 counter accept; " +
            "add rule inet f c iifname r2 oifname r0 accept");
        lab.start("firewall = \"" + firewall + "\"");

        assertTrue(HostPrograms.pings(lab.left(), "10.0.2.2", PINGS, 20), lab::log);
        assertTrue(HostPrograms.pings(lab.left(), THIRD_IPV6, PINGS, 20), lab::log);
        final String chain = lab.router().run("nft", "list", "chain", "inet", "f", "c");
        final Matcher counter = COUNTER.matcher(chain);
        assertTrue(counter.find(), chain);
        assertEquals(2 * PINGS, Integer.parseInt(counter.group(1)));
        assertEquals("bypass".equals(firewall), !lab.pingsInVain());
        assertEquals(0, lab.ask("drops").path("flows").asLong());
    }

    /**
     * An error to the left host, and one to the third, whose address the left host uses, have the source that the
     * kernel alone gives them.
     */
    @Test
    void shouldGetIcmpv6ErrorsFromTheAddressThatTheKernelChooses()
    {
        final String toLeft = errorSource(lab.left(), lab.left(), RouterLifeLab.LEFT_IPV6, THIRD_IPV6);
        final String toThird = errorSource(third, lab.left(), THIRD_IPV6, RouterLifeLab.RIGHT_IPV6);
        lab.start();

        assertEquals(toLeft, errorSource(lab.left(), lab.left(), RouterLifeLab.LEFT_IPV6, THIRD_IPV6));
        assertEquals(toThird, errorSource(third, lab.left(), THIRD_IPV6, RouterLifeLab.RIGHT_IPV6));
    }

    /** Sends packets with hop limit 1 until a host gets the error, and returns the source of that. */
    private static String errorSource(
        final Host receiver, final Host sender, final String source, final String destination)
    {
        try (ChildProcess errors = receiver.start("/usr/bin/python3", "-u", "-c",
            "import socket\n" +
            "s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)\n" +
            "print('listening')\n" +
            "while True:\n" +
            "    packet, address = s.recvfrom(2048)\n" +
            "    if packet[0] == 3:\n" +
            "        print('from', address[0])\n"))
        {
            errors.awaitLine("listening"::equals, RouterLifeLab.PATIENCE);
            final ChildProcess packets = sender.start("/usr/bin/python3", "-c",
                "import socket, struct, time\n" +
                "s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)\n" +
                "packet = struct.pack('!IHBB', 6 << 28, 8, 17, 1)\n" +
                "packet += socket.inet_pton(socket.AF_INET6, '" + source + "')\n" +
                "packet += socket.inet_pton(socket.AF_INET6, '" + destination + "')\n" +
                "packet += struct.pack('!HHHH', 9, 9, 8, 0x1234)\n" +
                "while True:\n" +
                "    s.sendto(packet, ('" + destination + "', 0))\n" +
                "    time.sleep(0.2)\n");
            try
            {
                return errors.awaitLine(line -> line.startsWith("from"), RouterLifeLab.PATIENCE);
            }
            finally
            {
                packets.close();
            }
        }
    }
}
