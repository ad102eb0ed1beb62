package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Follows a kernel that iproute2 changes, and compares with what iproute2 then prints. */
@Timeout(120)
class RtnetlinkKernelNetworkSystemTest
{
    private KernelTestBed bed;
    private KernelNamespace namespace;
    private RtnetlinkKernelNetwork network;
    private KernelTables tables;

    @BeforeEach
    void open()
    {
        bed = new KernelTestBed(KernelTestBed.RECEIVE_BUFFER_LENGTH);
        namespace = bed.namespace;
        network = bed.network;
        tables = bed.tables;
    }

    @AfterEach
    void close()
    {
        if (bed != null)
        {
            bed.close();
        }
    }

    @Test
    void shouldDumpWhatIpShows()
    {
        namespace.ip("route add 192.0.2.0/24 via 10.0.0.2");
        namespace.ip("route add 192.0.2.0/24 via 10.0.0.3 metric 7");
        namespace.ip("route add 192.0.2.128/25 via 10.9.0.2");
        namespace.ip("route add 198.51.100.7 dev d0");
        namespace.ip("route add default via 10.0.0.254");
        namespace.ip("route add 203.0.113.0/24 via 10.0.0.2 table 77");
        namespace.ip("route add 203.0.113.0/24 via 10.0.0.2 tos 0x10");
        namespace.ip("neigh add 10.0.0.2 lladdr 02:00:00:00:00:22 dev v0");
        namespace.ip("addr add 172.16.0.1 peer 172.16.0.2 dev d0");

        network.dump(tables);

        bed.assertSame("dump");
        assertEquals(1, tables.dumps);
        assertTrue(tables.routes.containsValue(new KernelRoute(Ipv4Address.parse("192.0.2.0"), 24, 254, 7,
            KernelRoute.Kind.UNICAST, Ipv4Address.parse("10.0.0.3"), bed.reference.indexOf("v0"))));
        assertEquals(MacAddress.parse("02:00:00:00:00:22"),
            tables.neighbor(bed.reference.indexOf("v0"), IpAddress.parse("10.0.0.2")).macAddress());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "route add 192.0.2.0/24 via 10.0.0.2; route replace 192.0.2.0/24 via 10.0.0.3",
        "route add 192.0.2.0/24 via 10.0.0.2; route change 192.0.2.0/24 via 10.9.0.2",
        "route add 192.0.2.0/24 via 10.0.0.2; route del 192.0.2.0/24",
        "route add 192.0.2.0/24 via 10.0.0.2; route add 192.0.2.0/24 via 10.9.0.2 metric 5; route del 192.0.2.0/24",
        "route add blackhole 192.0.2.0/24; route replace unreachable 192.0.2.0/24",
        "route add prohibit 192.0.2.0/24; route add throw 192.0.3.0/24; route add unreachable 192.0.4.0/24 metric 9",
        "route add 192.0.2.0/24 via 10.0.0.2; route replace blackhole 192.0.2.0/24",
        "route add local 192.0.2.0/24 dev lo table local",
        "route add 192.0.2.0/24 via 10.0.0.2; route add 192.0.2.0/24 tos 0x10 via 10.0.0.3; " +
            "route add 192.0.2.0/24 tos 0x08 via 10.9.0.2 metric 5; route append 192.0.2.0/24 via 10.0.0.4; " +
            "route del 192.0.2.0/24 tos 0x10; route del 192.0.2.0/24 via 10.0.0.2; " +
            "route add blackhole 192.0.2.0/24 tos 0x10 table local; route del 192.0.2.0/24 tos 0x08; " +
            "route add default tos 0x10 via 10.0.0.3; route del blackhole 192.0.2.0/24 tos 0x10 table local",
        "route add 192.0.2.0/24 tos 0x10 table 77 via 10.0.0.2; " +
            "route add 192.0.2.0/24 tos 0x10 nexthop via 10.7.0.2 nexthop via 10.9.0.2; link set d0 down; " +
            "route add 192.0.3.0/24 via 10.9.0.2; link set d0 up; route replace 192.0.2.0/24 tos 0x10 via 10.7.0.2; " +
            "route add 192.0.2.0/24 via 10.9.0.2; link set d0 down",
        "route add 192.0.2.0/24 via inet6 fe80::1 dev v0",
        "route add 192.0.2.0/24 via 10.0.0.77 dev d0 onlink",
        "route add 192.0.2.0/24 nexthop via 10.0.0.2 nexthop via 10.9.0.2; link set v1 down; link set v1 up",
        "route add 192.0.2.0/24 nexthop via 10.7.0.2 nexthop via 10.9.0.2; link set d0 down",
        "route add 192.0.2.0/24 nexthop via 10.0.0.2 weight 3 nexthop via 10.7.0.2 weight 256 nexthop via 10.9.0.2; " +
            "link set d0 down; link set d0 up",
        "route add 192.0.2.0/24 nexthop via 10.7.0.2 nexthop via 10.9.0.2; link set d0 down; link set d0 up"
    })
    void shouldFollowRoutes(final String commands)
    {
        network.dump(tables);
        bed.runAndCompare(commands);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "route add 192.0.2.0/24 via 10.7.0.2; link set d0 down",
        "route add 192.0.2.0/24 via 10.7.0.2; link set d0 down; link set d0 up",
        "route add 192.0.2.0/24 via 10.7.0.2; link del d0",
        "route add 192.0.2.0/24 via 10.7.0.2; addr del 10.7.0.1/24 dev d0",
        "addr add 10.7.0.9/24 dev d0; route add 192.0.2.0/24 via 10.7.0.2 src 10.7.0.9; addr del 10.7.0.9/24 dev d0",
        "addr add 10.7.0.9/24 dev d0; addr del 10.7.0.1/24 dev d0",
        "addr add 10.7.0.1/24 dev v0; addr del 10.7.0.1/24 dev d0; addr add 10.7.0.1/24 dev d0",
        "addr add 10.7.0.5/24 dev v0; addr del 10.7.0.1/24 dev d0; addr del 10.7.0.5/24 dev v0",
        "route add 192.0.2.0/24 nexthop via 10.7.0.2 nexthop via 10.9.0.2; addr del 10.7.0.1/24 dev d0; " +
            "addr add 10.7.0.1/24 dev d0",
        "route add 192.0.2.0/24 via 10.7.0.2; addr flush dev d0",
        "route add 192.0.2.0/24 via 10.7.0.2; route flush table main",
        "route add 192.0.2.0/24 via 10.0.0.2; link set v1 down",
        "route add 192.0.2.0/24 via 10.0.0.2; route append 192.0.2.0/24 via 10.0.0.3; " +
            "route prepend 192.0.2.0/24 via 10.0.0.4; route del 192.0.2.0/24 via 10.0.0.4; " +
            "route del 192.0.2.0/24 via 10.0.0.2; route replace 192.0.2.0/24 via 10.0.0.9"
    })
    void shouldFollowWhatTheKernelDoesNotTell(final String commands)
    {
        network.dump(tables);
        bed.runAndCompare(commands);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "route add 2001:db8:5::/48 via 2001:db8::2; route replace 2001:db8:5::/48 via 2001:db8::3",
        "route add 2001:db8:5::/48 via fe80::1 dev v0; route change 2001:db8:5::/48 via fe80::2 dev d0",
        "-6 route add default via fe80::1 dev v0; -6 route add default via fe80::1 dev d0 metric 5; " +
            "-6 route del default metric 5; -6 route del default",
        "route add 2001:db8:5::7 dev d0; route add 2001:db8:5::/127 dev d0; route del 2001:db8:5::7",
        "route add blackhole 2001:db8:5::/48; route replace unreachable 2001:db8:5::/48; " +
            "route add prohibit 2001:db8:6::/48; -6 route add throw 2001:db8:7:1::/64; route del 2001:db8:6::/48",
        "route add blackhole 2001:db8:5::/48; route replace 2001:db8:5::/48 via 2001:db8::2",
        "-6 route add local 2001:db8:5::/48 dev lo table local",
        "route add 2001:db8:5::/48 via 2001:db8::2 table 77; -6 route add 2001:db8:5::/48 dev d0",
        "-6 route add 2001:db8:5::/48 from 2001:db8:6::/48 dev d0; " +
            "route add 2001:db8:5::/48 via 2001:db8::2 metric 1; " +
            "-6 route add 2001:db8:5::/48 from 2001:db8:6:1::/64 via 2001:db8::2; " +
            "-6 route append 2001:db8:5::/48 from 2001:db8:6::/48 via 2001:db8::2; " +
            "-6 route del 2001:db8:5::/48 from 2001:db8:6:1::/64; route del 2001:db8:5::/48 metric 1; " +
            "-6 route add default from 2001:db8:6::/48 via fe80::1 dev v0; " +
            "-6 route del default from 2001:db8:6::/48; link set d0 down; " +
            "-6 route del 2001:db8:5::/48 from 2001:db8:6::/48",
        "route add 2001:db8:5::/48 nexthop via 2001:db8::2 nexthop via 2001:db8:9::2; route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 nexthop via 2001:db8:9::2 nexthop via 2001:db8::2; " +
            "route del 2001:db8:5::/48 via 2001:db8::2; route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 nexthop via 2001:db8::2 nexthop via 2001:db8:9::2; " +
            "route replace 2001:db8:5::/48 via 2001:db8:7::2; route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 via 2001:db8:9::2; route append 2001:db8:5::/48 via 2001:db8::2; " +
            "route append 2001:db8:5::/48 via 2001:db8:7::2; route del 2001:db8:5::/48 via 2001:db8:9::2; " +
            "route del 2001:db8:5::/48 via 2001:db8::2; route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 dev d0; route append 2001:db8:5::/48 via 2001:db8::2; " +
            "route append 2001:db8:5::/48 via 2001:db8:9::2; route del 2001:db8:5::/48 dev d0",
        "route add 2001:db8:5::/48 dev d0; route append 2001:db8:5::/48 nexthop via 2001:db8::2 " +
            "nexthop via 2001:db8:9::2; route del 2001:db8:5::/48 dev d0; route del 2001:db8:5::/48",
        "route add 2001:db8:5::/48 nexthop via 2001:db8:7::2 nexthop via 2001:db8:9::2; link set d0 down; " +
            "link set d0 up",
        "route add 2001:db8:5::/48 nexthop via 2001:db8::2 nexthop via 2001:db8:9::2; link set v1 down; link set v1 up",
        "addr add 2001:db8:0::5/64 dev d0; addr del 2001:db8::1/64 dev v0; addr add 2001:db8::1/64 dev v0; " +
            "addr del 2001:db8:0::5/64 dev d0",
        "route add 192.0.2.0/24 nexthop via inet6 fe80::1 dev v0 nexthop via 10.9.0.2; link set v0 down"
    })
    void shouldFollowIpv6Routes(final String commands)
    {
        network.dump(tables);
        bed.runAndCompare(commands);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "route add 2001:db8:5::/48 via 2001:db8:7::2; link set d0 down; link set d0 up",
        "route add 2001:db8:5::/48 via 2001:db8:7::2; link del d0",
        "route add 2001:db8:5::/48 via 2001:db8:7::2; addr del 2001:db8:7::1/64 dev d0; addr del 10.7.0.1/24 dev d0",
        "addr add 2001:db8:7::9/64 dev d0; route add 2001:db8:5::/48 via 2001:db8:7::2 src 2001:db8:7::9; " +
            "addr del 2001:db8:7::9/64 dev d0",
        "addr add 2001:db8:7::9 peer 2001:db8:7::8 dev d0; addr add 2001:db8:7:7::/127 dev d0; " +
            "addr change 2001:db8:7::1/64 dev d0 valid_lft 1000 preferred_lft 0; -6 addr flush dev d0",
        "route add 2001:db8:5::/48 via 2001:db8:7::2; -6 route flush table main",
        "link set d0 mtu 1000; link set d0 mtu 1500"
    })
    void shouldFollowWhatBecomesOfIpv6Routes(final String commands)
    {
        network.dump(tables);
        bed.runAndCompare(commands);
    }

    /** RFC 4191 section 2.1, judged by the kernel's own lookup; the routes are separate as they have no gateways. */
    @ParameterizedTest
    @ValueSource(strings = {"low high", "high low", "medium high", "low medium", "high high", "medium medium"})
    void shouldReportTheIpv6RouteOfTheHighestPreference(final String preferences)
    {
        final String[] preference = preferences.split(" ");
        namespace.sysctl("ipv6.conf.all.forwarding", "1");
        network.dump(tables);
        namespace.ip("-6 route add 2001:db8:50::/48 dev v0 pref " + preference[0]);
        namespace.ip("-6 route append 2001:db8:50::/48 dev d0 pref " + preference[1]);
        bed.settle();
        assertUsesTheKernelsInterface("2001:db8:50::", "after notifications");
        network.dump(tables);
        assertUsesTheKernelsInterface("2001:db8:50::", "after a dump");
    }

    private void assertUsesTheKernelsInterface(final String network, final String when)
    {
        final KernelRoute reported = tables.routes.values().stream()
            .filter(route -> route.network().equals(IpAddress.parse(network))).findFirst().orElseThrow();
        final String device = tables.links.get(reported.interfaceIndex()).name();
        final String used = namespace.ip("-6 route get " + network + "1");
        assertTrue(used.contains(" dev " + device + " "), () -> when + " " + device + ", the kernel: " + used);
    }

    @Test
    void shouldFollowTheAddressesOfAForwardingHost()
    {
        network.dump(tables);
        namespace.sysctl("ipv6.conf.all.forwarding", "1");
        bed.settle();
        bed.assertSame("forwarding, with subnet-router anycast addresses");
        bed.runAndCompare("addr add 2001:db8:0::5/64 dev d0; addr del 2001:db8:7::1/64 dev d0; link set v1 down; " +
            "link set v1 up");
        namespace.sysctl("ipv6.conf.all.forwarding", "0");
        bed.settle();
        bed.assertSame("not forwarding");
    }

    @Test
    void shouldFollowIpv6BeingSwitchedOffAndOn()
    {
        network.dump(tables);
        bed.runAndCompare("route add 2001:db8:5::/48 nexthop via 2001:db8:7::2 nexthop via 2001:db8:9::2; " +
            "route add 2001:db8:6::/48 via 2001:db8:7::2");
        namespace.sysctl("ipv6.conf.d0.disable_ipv6", "1");
        bed.settle();
        bed.assertSame("off");
        namespace.sysctl("ipv6.conf.d0.disable_ipv6", "0");
        bed.settle();
        bed.assertSame("on");
    }

    @Test
    void shouldReportAnAddressWhenDuplicateAddressDetectionHasEnded()
    {
        namespace.sysctl("ipv6.conf.d0.accept_dad", "1");
        network.dump(tables);
        final KernelAddress address =
            new KernelAddress(bed.reference.read().indexOf("d0"), IpAddress.parse("2001:db8:7::77"), 64);

        namespace.ip("addr add 2001:db8:7::77/64 dev d0");
        bed.settle();
        assertFalse(tables.addresses.contains(address));

        bed.pollUntil(() -> tables.addresses.contains(address), 10_000);
        bed.assertSame("after duplicate address detection");
    }

    @Test
    void shouldNotReportADuplicateAddress()
    {
        namespace.sysctl("ipv6.conf.v0.accept_dad", "1");
        namespace.ip("addr add 2001:db8::77/64 dev v1 nodad");
        network.dump(tables);

        namespace.ip("addr add 2001:db8::77/64 dev v0");
        bed.pollUntil(() -> namespace.ip("-6 addr show dev v0 dadfailed").contains("2001:db8::77"), 10_000);
        bed.settle();

        bed.assertSame("duplicate");
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "1" })
    void shouldFollowIpv6NextHopObjects(final String compatMode)
    {
        namespace.sysctl("ipv4.nexthop_compat_mode", compatMode);
        namespace.ip("nexthop add id 1 via 2001:db8::2 dev v0");
        namespace.ip("route add 2001:db8:5::/48 nhid 1");
        namespace.ip("route add 192.0.2.0/24 nhid 1");
        network.dump(tables);
        bed.runAndCompare(
            "nexthop add id 2 via fe80::2 dev d0; nexthop add id 10 group 1/2; -6 nexthop add id 3 blackhole; " +
            "route add 2001:db8:6::/48 nhid 10; route add 2001:db8:7:7::/64 nhid 3; " +
            "nexthop replace id 1 via 2001:db8::9 dev v0; " +
            "route add 2001:db8:7::/48 nhid 10; nexthop replace id 10 group 1,7/2,3; " +
            "nexthop add id 11 group 1,2/2 type resilient buckets 8 idle_timer 7 unbalanced_timer 9; " +
            "route add 2001:db8:8::/48 nhid 11; nexthop replace id 11 group 1/2,5 type resilient; " +
            "route replace 2001:db8:5::/48 nhid 2; nexthop del id 1; nexthop del id 2; nexthop del id 3");
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "1" })
    void shouldFollowNextHopObjects(final String compatMode)
    {
        namespace.sysctl("ipv4.nexthop_compat_mode", compatMode);
        namespace.ip("nexthop add id 1 via 10.0.0.2 dev v0");
        namespace.ip("route add 192.0.2.0/24 nhid 1");
        network.dump(tables);
        bed.runAndCompare(
            "nexthop add id 2 via 10.7.0.2 dev d0; nexthop add id 10 group 2/1; nexthop add id 3 blackhole; " +
            "route add 192.0.3.0/24 nhid 10; route add 192.0.4.0/24 nhid 3; " +
            "nexthop replace id 1 via 10.0.0.9 dev v0; nexthop replace id 10 group 1/2; " +
            "route add 198.51.100.0/24 nhid 10; nexthop replace id 10 group 1,7/2,3; " +
            "nexthop add id 11 group 1,2/2 type resilient buckets 8 idle_timer 7 unbalanced_timer 9; " +
            "route add 203.0.113.0/24 nhid 11; nexthop replace id 11 group 1/2,5 type resilient; " +
            "route replace 192.0.2.0/24 nhid 2; nexthop del id 1; nexthop del id 2; nexthop del id 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "link set d0 mtu 1400; link set d0 address 02:00:00:00:00:77; link set d0 down; link set d0 name d1; " +
            "link set d1 up",
        "link add br0 type bridge; link set d0 master br0; link set br0 up; link set d0 nomaster; link del br0",
        "link add w0 type veth peer name w1; link set w0 up; link set w1 up; link del w0",
        "neigh add 10.0.0.2 lladdr 02:00:00:00:00:22 dev v0; neigh replace 10.0.0.2 lladdr 02:00:00:00:00:23 dev v0; " +
            "neigh change 10.0.0.2 lladdr 02:00:00:00:00:24 dev v0 nud stale; neigh del 10.0.0.2 dev v0",
        "neigh add 10.0.0.2 lladdr 02:00:00:00:00:22 dev v0 nud reachable; neigh flush dev v0",
        "neigh add 10.0.0.2 lladdr 02:00:00:00:00:22 dev v0 nud permanent; link set v0 down; link set v0 up",
        "neigh add 2001:db8::2 lladdr 02:00:00:00:00:22 dev v0; " +
            "neigh replace 2001:db8::2 lladdr 02:00:00:00:00:23 dev v0 nud stale; neigh del 2001:db8::2 dev v0",
        "neigh add fe80::2 lladdr 02:00:00:00:00:22 dev v0 nud reachable; neigh add fe80::2 lladdr " +
            "02:00:00:00:00:33 dev d0 nud permanent; neigh flush dev v0; link set d0 down; link set d0 up",
        "neigh add proxy 10.0.0.5 dev v0; neigh add 10.0.0.6 lladdr 02:00:00:00:00:26 dev v0 nud noarp"
    })
    void shouldFollowLinksAndNeighbors(final String commands)
    {
        network.dump(tables);
        bed.runAndCompare(commands);
    }

    @Test
    void shouldFollowRoutesThatTheKernelIgnoresWithoutCarrier()
    {
        namespace.sysctl("ipv4.conf.v0.ignore_routes_with_linkdown", "1");
        network.dump(tables);
        bed.runAndCompare("route add 192.0.2.0/24 via 10.0.0.2; route add 192.0.2.0/24 via 10.7.0.2 metric 20; " +
            "link set v1 down; link set v1 up");
    }

    @Test
    void shouldStayInStepThroughRandomChanges()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        network.dump(tables);
        for (int i = 0; i < 150; i++)
        {
            final String change = random.nextBoolean() ? randomChange(random) : randomIpv6Change(random);
            try
            {
                namespace.ip(change);
            }
            catch (final AssertionError ignore)
            {
                // Many make no sense in the state that the others left: then nothing changed.
            }
            if (random.nextInt(3) == 0)
            {
                bed.settle();
                bed.assertSame("seed " + seed + " step " + i + ": " + change);
            }
        }
    }

    @Test
    void shouldFollowReplacementWithoutADump()
    {
        network.dump(tables);
        namespace.ip("route add 192.0.2.0/24 via 10.0.0.2");
        bed.settle();
        assertEquals(List.of("10.0.0.2"), gatewaysOf("192.0.2.0"));
        namespace.ip("route replace 192.0.2.0/24 via 10.0.0.3");
        bed.settle();
        assertEquals(List.of("10.0.0.3"), gatewaysOf("192.0.2.0"));
        assertEquals(1, tables.dumps);
    }

    private List<String> gatewaysOf(final String prefix)
    {
        return tables.routes.values().stream().filter(route -> route.network().equals(IpAddress.parse(prefix)))
            .map(route -> route.gateway().toString()).toList();
    }

    private static String randomChange(final Random random)
    {
        final String prefix = "192.0." + random.nextInt(3) + ".0/24";
        final String[] links = { "v0", "v1", "d0" };
        final String[] subnets = { "10.0.0.", "10.9.0.", "10.7.0." };
        final int link = random.nextInt(3);
        final String via = " via " + subnets[link] + (2 + random.nextInt(3)) + " dev " + links[link];
        final String metric = random.nextBoolean() ? "" : " metric " + random.nextInt(3);
        return switch (random.nextInt(14))
        {
            case 0 -> "route append " + prefix + via + metric;
            case 1 -> "route del " + prefix + metric;
            case 2 -> "route add blackhole " + prefix + metric;
            case 3 -> "link set " + links[link] + " down";
            case 4, 5, 6 -> "link set " + links[link] + " up";
            case 7 -> "addr del " + subnets[link] + "1/24 dev " + links[link];
            case 8, 9, 10 -> "addr add " + subnets[link] + "1/24 dev " + links[link];
            case 11 -> "route replace " + prefix + metric + " nexthop" + via + " nexthop via 10.7.0.9 dev d0";
            default -> "route replace " + prefix + via + metric;
        };
    }

    private static String randomIpv6Change(final Random random)
    {
        final String prefix = "2001:db8:5" + random.nextInt(3) + "::/48";
        final String[] links = { "v0", "v1", "d0" };
        final String[] subnets = { "2001:db8:0::", "2001:db8:9::", "2001:db8:7::" };
        final int link = random.nextInt(3);
        final String via = " via " + subnets[link] + (2 + random.nextInt(3)) + " dev " + links[link];
        final String metric = random.nextBoolean() ? "" : " metric " + (1 + random.nextInt(2));
        return switch (random.nextInt(14))
        {
            case 0, 1 -> "route append " + prefix + via + metric;
            case 2 -> "-6 route del " + prefix + metric;
            case 3 -> "-6 route del " + prefix + via + metric;
            case 4 -> "route replace blackhole " + prefix + metric;
            case 5 -> "-6 route add " + prefix + " via fe80::9 dev " + links[link] + metric;
            case 6 -> "addr del " + subnets[link] + "1/64 dev " + links[link];
            case 7, 8 -> "addr add " + subnets[link] + "1/64 dev " + links[link];
            case 9 -> "addr add " + subnets[random.nextInt(3)] + "5/64 dev " + links[link];
            case 10 -> "addr del " + subnets[random.nextInt(3)] + "5/64 dev " + links[link];
            case 11 -> "route replace " + prefix + metric + " nexthop" + via + " nexthop via 2001:db8:7::9 dev d0";
            default -> "route replace " + prefix + via + metric;
        };
    }
}
