package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a sender sees of a router beside the kernel is what it sees of the kernel alone. Each case is tried without the
 * router first; its commands change the kernel, and the hosts' pings show the answers.
 */
@NamespaceTest("ping")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KernelAnswersSystemTest
{
    private static final String TO_MTU_DESTINATION = "ping -n -c 1 -W 2 -M do -s 1400 203.0.113.1";
    private static final String TO_IPV6_MTU_DESTINATION = "ping -n -c 1 -W 2 -M do -s 1400 2001:db8:9::1";
    private static final String EXPIRE = "ping -n -c 1 -W 2 -t 1 10.0.1.2";

    /** With its last address an interface loses its neighbours; the names of the MAC addresses are variables. */
    private static final String UNNUMBERED =
        "ip addr del 10.0.0.1/24 dev r0; ip addr del 10.0.1.1/24 dev r1; ip route add 10.0.0.2 dev r0; " +
        "ip route add 10.0.1.2 dev r1; ip neigh replace 10.0.0.2 dev r0 lladdr $LEFT; " +
        "ip neigh replace 10.0.1.2 dev r1 lladdr $RIGHT";
    private static final String NUMBERED =
        "ip route del 10.0.0.2 dev r0; ip route del 10.0.1.2 dev r1; ip addr add 10.0.0.1/24 dev r0; " +
        "ip addr add 10.0.1.1/24 dev r1; ip neigh replace 10.0.0.2 dev r0 lladdr $LEFT; " +
        "ip neigh replace 10.0.1.2 dev r1 lladdr $RIGHT";
    private static final String IPV6_UNNUMBERED =
        "ip addr del 2001:db8:1::1/64 dev r0; ip -6 route add 2001:db8:1::2 dev r0";
    private static final String IPV6_NUMBERED =
        "ip -6 route del 2001:db8:1::2 dev r0; ip addr add 2001:db8:1::1/64 dev r0 nodad";

    /** Object numbers 1 and 2, and a group with weights that the ip command of Debian 12 does not take. */
    private static final String HEAVY_GROUP = String.join("\n",
        "import socket, struct",
        "s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
        "s.bind((0, 0))",
        "body = bytes(8) + struct.pack('HHI', 8, 1, 3) +" +
            " struct.pack('HHIBBHIBBH', 20, 2, 1, 127, 0, 0, 2, 255, 1, 0)",
        "s.send(struct.pack('IHHII', 16 + len(body), 104, 0x505, 1, 0) + body)",
        "assert struct.unpack_from('i', s.recv(4096), 16)[0] == 0");

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    private final Map<Case, String> answersOfKernel = new EnumMap<>(Case.class);

    /** Commands for the router's host, a command of the left host, and the commands that undo the first. */
    enum Case
    {
        ROUTE_MTU("ip route add 203.0.113.0/24 via 10.0.1.2 mtu 1400", TO_MTU_DESTINATION,
            "ip route del 203.0.113.0/24"),
        LOCKED_ROUTE_MTU("ip route add 203.0.113.0/24 via 10.0.1.2 mtu lock 1399", TO_MTU_DESTINATION,
            "ip route del 203.0.113.0/24"),
        CONNECTED_ROUTE_MTU("ip route add 203.0.113.0/24 dev r1 mtu 1300", TO_MTU_DESTINATION,
            "ip route del 203.0.113.0/24"),
        MULTIPATH_ROUTE_MTU("ip route add 203.0.113.0/24 mtu 1350 nexthop via 10.0.1.2 nexthop via 10.0.1.3",
            TO_MTU_DESTINATION, "ip route del 203.0.113.0/24"),
        FRAGMENTED_BY_ROUTE_MTU("ip route add 203.0.113.0/24 via 10.0.1.2 mtu 1000",
            "ping -n -c 1 -W 2 -M dont -s 1400 203.0.113.1", "ip route del 203.0.113.0/24"),
        IPV6_ROUTE_MTU("ip -6 route add 2001:db8:9::/48 via 2001:db8:2::2 mtu 1400", TO_IPV6_MTU_DESTINATION,
            "ip -6 route del 2001:db8:9::/48"),
        IPV6_ROUTE_MTU_BELOW_1280("ip -6 route add 2001:db8:9::/48 via 2001:db8:2::2 mtu 1000",
            "ping -n -c 1 -W 2 -M do -s 1200 2001:db8:9::1", "ip -6 route del 2001:db8:9::/48"),
        IPV6_INTERFACE_MTU("sysctl -qw net.ipv6.conf.r1.mtu=1300; ip -6 route add 2001:db8:9::/48 via 2001:db8:2::2",
            TO_IPV6_MTU_DESTINATION, "ip -6 route del 2001:db8:9::/48; sysctl -qw net.ipv6.conf.r1.mtu=1500"),
        IPV6_LOCKED_ROUTE_MTU("sysctl -qw net.ipv6.conf.r1.mtu=1300; " +
            "ip -6 route add 2001:db8:9::/48 via 2001:db8:2::2 mtu lock 1350",
            TO_IPV6_MTU_DESTINATION, "ip -6 route del 2001:db8:9::/48; sysctl -qw net.ipv6.conf.r1.mtu=1500"),
        IPV4_BESIDE_IPV6_INTERFACE_MTU("sysctl -qw net.ipv6.conf.r1.mtu=1300; " +
            "ip route add 203.0.113.0/24 via 10.0.1.2", TO_MTU_DESTINATION,
            "ip route del 203.0.113.0/24; sysctl -qw net.ipv6.conf.r1.mtu=1500"),
        UNNUMBERED_BESIDE_LO("ip addr add 10.255.0.1/32 dev lo; " + UNNUMBERED, EXPIRE,
            NUMBERED + "; ip addr del 10.255.0.1/32 dev lo"),
        UNNUMBERED_BESIDE_LINK_SCOPE("ip addr add 10.255.0.2/32 dev lo scope link; " + UNNUMBERED, EXPIRE,
            NUMBERED + "; ip addr del 10.255.0.2/32 dev lo"),
        WITHOUT_ADDRESS(UNNUMBERED, EXPIRE, NUMBERED),
        SOURCE_OF_ROUTE("ip route add 198.51.100.7 via 10.0.0.2 src 10.0.1.1",
            "ping -n -c 1 -W 2 -t 1 -I 198.51.100.7 10.0.1.2", "ip route del 198.51.100.7"),
        INBOUND_ADDRESS("sysctl -qw net.ipv4.icmp_errors_use_inbound_ifaddr=1; " +
            "ip route add 198.51.100.7 via 10.0.0.2 src 10.0.1.1",
            "ping -n -c 1 -W 2 -t 1 -I 198.51.100.7 10.0.1.2",
            "ip route del 198.51.100.7; sysctl -qw net.ipv4.icmp_errors_use_inbound_ifaddr=0"),
        SECONDARY_ADDRESSES("ip addr add 10.0.0.9/24 dev r0; ip addr add 172.16.0.1/16 dev r0 scope link; " +
            "ip route add 198.51.100.7 dev r0", "ping -n -c 1 -W 2 -t 1 -I 198.51.100.7 10.0.1.2",
            "ip route del 198.51.100.7; ip addr del 172.16.0.1/16 dev r0; ip addr del 10.0.0.9/24 dev r0"),
        IPV6_WITH_LINK_LOCAL_ONLY(IPV6_UNNUMBERED + "; ip addr del 2001:db8:2::1/64 dev r1",
            "ping -n -c 1 -W 2 -t 1 2001:db8:9::1",
            "ip addr add 2001:db8:2::1/64 dev r1 nodad; " + IPV6_NUMBERED),
        IPV6_OF_OTHER_INTERFACE(IPV6_UNNUMBERED, "ping -n -c 1 -W 2 -t 1 2001:db8:2::2", IPV6_NUMBERED),
        IPV6_OF_LO(IPV6_UNNUMBERED + "; ip addr add 2001:db8:1:1::1/128 dev lo",
            "ping -n -c 1 -W 2 -t 1 2001:db8:2::2",
            "ip addr del 2001:db8:1:1::1/128 dev lo; " + IPV6_NUMBERED),
        IPV6_SECOND_ADDRESS("ip addr add 2001:db8:1::77/64 dev r0 nodad", "ping -n -c 1 -W 2 -t 1 2001:db8:2::2",
            "ip addr del 2001:db8:1::77/64 dev r0"),
        IPV6_SOURCE_OF_ROUTE("ip -6 route add 2001:db8:7::7 via 2001:db8:1::2 src 2001:db8:2::1",
            "ping -n -c 1 -W 2 -t 1 -I 2001:db8:7::7 2001:db8:2::2", "ip -6 route del 2001:db8:7::7"),
        RESERVED_DESTINATION("ip route add 240.0.0.0/4 via 10.0.1.2", "ping -n -c 1 -W 2 240.1.1.1",
            "ip route del 240.0.0.0/4"),
        RESERVED_SOURCE("ip route add 241.1.1.1 via 10.0.0.2", "ping -n -c 1 -W 2 -I 241.1.1.1 10.0.1.2",
            "ip route del 241.1.1.1"),
        NET_ZERO("ip route add 0.0.0.0/8 via 10.0.1.2", "ping -n -c 1 -W 2 0.1.1.1", "ip route del 0.0.0.0/8"),
        LOWEST_ADDRESS("true", "ping -n -c 1 -W 2 10.0.1.0", "true"),
        UNREACHABLE("ip route add unreachable 203.0.113.0/24", "ping -n -c 1 -W 2 203.0.113.1",
            "ip route del unreachable 203.0.113.0/24"),
        PROHIBIT("ip route add prohibit 203.0.113.0/24", "ping -n -c 1 -W 2 203.0.113.1",
            "ip route del prohibit 203.0.113.0/24"),
        BLACKHOLE("ip route add blackhole 203.0.113.0/24", "ping -n -c 1 -W 1 203.0.113.1",
            "ip route del blackhole 203.0.113.0/24");

        private final String change;
        private final String probe;
        private final String undo;

        Case(final String change, final String probe, final String undo)
        {
            this.change = change;
            this.probe = probe;
            this.undo = undo;
        }
    }

    @BeforeAll
    void observeTheKernelThenStartTheRouter()
    {
        lab.forwardIpv6();
        shell(lab.router(), "sysctl -qw net.ipv4.icmp_ratelimit=0 " +
            "net.ipv6.icmp.ratelimit=0 net.ipv4.route.error_cost=0; ip link set lo up");
        shell(lab.left(), "sysctl -qw net.ipv4.conf.all.rp_filter=0; ip link set lo up; " +
            "ip addr add 198.51.100.7/32 dev lo; ip addr add 241.1.1.1/32 dev lo; " +
            "ip addr add 2001:db8:7::7/128 dev lo nodad");
        shell(lab.right(), "ip link set lo up; ip addr add 203.0.113.1/32 dev lo; " +
            "ip addr add 240.1.1.1/32 dev lo; ip addr add 0.1.1.1/32 dev lo; ip addr add 10.0.1.0/24 dev h0; " +
            "ip addr add 10.0.1.3/24 dev h0; ip addr add 2001:db8:9::1/128 dev lo nodad");
        permanent(lab.left(), "h0", lab.router().macAddress("r0"), "10.0.0.1", "2001:db8:1::1");
        permanent(lab.right(), "h0", lab.router().macAddress("r1"), "10.0.1.1", "2001:db8:2::1");
        permanent(lab.router(), "r0", lab.left().macAddress("h0"), "10.0.0.2", "2001:db8:1::2", "198.51.100.7");
        permanent(lab.router(), "r1", lab.right().macAddress("h0"), "10.0.1.2", "2001:db8:2::2", "203.0.113.1");
        // The kernel sends nothing from an address that it still examines.
        Await.until("link-local addresses", () ->
            lab.router().run("ip", "-6", "address", "show", "tentative").isBlank());
        for (final Case each : Case.values())
        {
            change(each.change);
            final String answer = probe(each);
            answersOfKernel.put(each, answer.startsWith(" ") ? probeAgain(each) : answer);
            change(each.undo);
        }
        lab.start();
    }

    /** A setting without a notification is followed within a second. */
    @ParameterizedTest
    @EnumSource
    void shouldAnswerAsTheKernelDoes(final Case each)
    {
        final long before = handled();
        change(each.change);
        try
        {
            final String kernel = answersOfKernel.get(each);
            final long patienceNs = System.nanoTime() + RouterLifeLab.PATIENCE.toNanos() / 4;
            String answer = probe(each);
            while (!answer.equals(kernel) && System.nanoTime() < patienceNs)
            {
                answer = probe(each);
            }
            assertEquals(kernel, answer, each.change);
            assertTrue(handled() > before, "the router has handled the packet, not the kernel");
            lab.assertVerified();
        }
        finally
        {
            change(each.undo);
        }
    }

    /** A route has the low 8 bits of a weight only: 512 looks like 256. */
    @Test
    void shouldTakeTheWeightsOfAGroupFromItsObject()
    {
        Require.program("python3", "python3");
        shell(lab.router(), "ip nexthop add id 1 via 10.0.1.2 dev r1; ip nexthop add id 2 via 10.0.0.2 dev r0");
        lab.router().run("python3", "-c", HEAVY_GROUP);
        lab.router().run("ip", "route", "add", "192.0.2.0/24", "nhid", "3");
        Await.until("the group", () -> lab.lookup("192.0.2.1").path("members").size() == 2);

        final JsonNode members = lab.lookup("192.0.2.1").path("members");
        lab.assertVerified();
        shell(lab.router(), "ip route del 192.0.2.0/24; ip nexthop flush");

        final long light = bucketsOf(members, 128);
        final long heavy = bucketsOf(members, 512);
        assertEquals(4.0, (double)heavy / light, 0.08, members::toString);
    }

    private static long bucketsOf(final JsonNode members, final int weight)
    {
        return StreamSupport.stream(members.spliterator(), false)
            .filter(member -> member.get("weight").asInt() == weight).findFirst().orElseThrow().get("buckets").asLong();
    }

    /** Frames that the router has forwarded or dropped, or answered. */
    private long handled()
    {
        final JsonNode drops = lab.ask("drops");
        return drops.path("forwarded").asLong() + drops.path("dropped").asLong();
    }

    /**
     * Returns the answers in the output of a ping, and how many fragments the right host has received. The left host
     * forgets first what it has learned of path MTUs.
     */
    private String probe(final Case each)
    {
        final long before = fragments();
        final String output = shell(lab.left(), "ip route flush cache; ip -6 route flush cache; " + each.probe +
            " | grep -E '^From|bytes from' | sed -e 's/ time=.*//' -e 's/%.*//'; true");
        return output.strip() + " fragments: " + (fragments() - before);
    }

    /** The kernel sends some errors once a second to each host (ip_error in net/ipv4/route.c). */
    private String probeAgain(final Case each)
    {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
        return probe(each);
    }

    private long fragments()
    {
        return Long.parseLong(shell(lab.right(), "awk '/^Ip: [0-9]/ {print $15}' /proc/net/snmp").strip());
    }

    private void change(final String commands)
    {
        shell(lab.router(), "LEFT=" + lab.left().macAddress("h0") + "; RIGHT=" + lab.right().macAddress("h0") + "; " +
            commands);
    }

    private static void permanent(final Host host, final String device, final String mac, final String... addresses)
    {
        for (final String address : addresses)
        {
            host.run("ip", "neigh", "replace", address, "lladdr", mac, "dev", device, "nud", "permanent");
        }
    }

    private static String shell(final Host host, final String commands)
    {
        return host.run("sh", "-c", commands);
    }
}
