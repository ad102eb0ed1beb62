package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The router as a process over AF_XDP and rtnetlink: how it starts, follows the kernel, and ends. */
@NamespaceTest("ping")
class RouterSystemTest
{
    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @BeforeEach
    void start()
    {
        lab.forwardIpv6();
        lab.start();
    }

    @Test
    void shouldForwardBothFamiliesAndEndWithStatusZeroOnSigterm()
    {
        lab.assertPings(20);
        assertAnsweredOverIpv6(RouterLifeLab.RIGHT_IPV6);
        Await.atLeast("frames forwarded by the router", 50, lab::forwarded);
        assertTrue(lab.ask("drops").get("ipv6").asLong() >= 10);
        lab.assertBalanced();
        lab.assertVerified();
        assertTrue(lab.hasProgram("r0"));
        lab.terminate();
        assertFalse(lab.hasProgram("r0"));
        assertFalse(lab.hasProgram("r1"));
        assertFalse(Files.exists(RunDirectory.controlSocketOf(lab.name())));
        assertTrue(lab.pings(5), "the kernel forwards again");
        assertAnsweredOverIpv6(RouterLifeLab.RIGHT_IPV6);
    }

    private void assertAnsweredOverIpv6(final String address)
    {
        assertTrue(HostPrograms.pings(lab.left(), address, 5, 20), lab::log);
    }

    @Test
    void shouldTellOfLinksAndOfAnInterfaceThatIsDeleted()
    {
        lab.left().run("ip", "link", "set", "h0", "down");
        lab.awaitLog("port left: link down");
        lab.left().run("ip", "link", "set", "h0", "up");
        lab.awaitLog("port left: link up");
        lab.router().run("ip", "link", "delete", "r0");
        lab.awaitLog("port left (xdp:r0): the device is gone");
        assertTrue(HostPrograms.pings(lab.right(), "10.0.1.1", 5, 2), lab::log);
        lab.terminate();
    }

    /** The kernel looks at the TOS: one route to the prefix is for packets with TOS 0x10, the other for all others. */
    @Test
    void shouldLeaveDestinationsOfRoutesForOneTosToTheKernel()
    {
        final String prefix = "192.0.2.0/24";
        final String destination = "192.0.2.1";
        lab.right().address("h0", destination + "/32");
        lab.router().run("ip", "route", "add", "blackhole", prefix);
        lab.awaitKind(destination, "blackhole");
        lab.router().run("ip", "route", "add", prefix, "tos", "0x10", "via", "10.0.1.2");
        lab.awaitKind(destination, "punt");
        assertTrue(pingWithTos("0x10", destination).contains(" 0% packet loss"));
        assertTrue(pingWithTos("0x08", destination).contains(" 100% packet loss"));
        lab.assertVerified();
        lab.router().run("ip", "route", "add", prefix, "tos", "0x08", "via", "10.0.1.2");
        lab.router().run("ip", "route", "del", prefix, "tos", "0x10");
        lab.assertVerified();
        lab.awaitKind(destination, "punt");
        assertTrue(pingWithTos("0x10", destination).contains(" 100% packet loss"));
        lab.router().run("ip", "route", "del", prefix, "tos", "0x08");
        lab.awaitKind(destination, "blackhole");
        lab.assertVerified();
        lab.terminate();
        assertEquals(1, lab.count("for one TOS only"), lab::log);
    }

    private String pingWithTos(final String tos, final String destination)
    {
        return lab.left().run(
            "sh", "-c", "ping -n -q -c 3 -i 0.05 -W 1 -Q " + tos + " " + destination + " || true");
    }

    /** The kernel looks at the sources, so that neither route to the prefix is right for all packets. */
    @Test
    void shouldLeaveDestinationsOfSourceSpecificRoutesToTheKernel()
    {
        final String prefix = "2001:db8:77::/48";
        final String destination = "2001:db8:77::1";
        lab.right().run("ip", "address", "add", destination + "/128", "dev", "h0", "nodad");
        assertEquals("no-route", lab.lookup(destination).get("kind").asText());
        lab.router().run("ip", "-6", "route", "add", "blackhole", prefix, "metric", "1");
        lab.awaitKind(destination, "blackhole");
        for (final String source : List.of("2001:db8:1::/64", "2001:db8:9::/64"))
        {
            lab.router().run("ip", "-6", "route", "add", prefix, "from", source, "via", RouterLifeLab.RIGHT_IPV6);
        }
        lab.awaitKind(destination, "punt");
        assertAnsweredOverIpv6(destination);
        lab.assertVerified();
        lab.router().run("ip", "-6", "route", "del", prefix, "from", "2001:db8:9::/64");
        lab.assertVerified();
        lab.awaitKind(destination, "punt");
        lab.router().run("ip", "-6", "route", "del", prefix, "from", "2001:db8:1::/64");
        lab.awaitKind(destination, "blackhole");
        lab.assertVerified();
        lab.terminate();
        assertEquals(1, lab.count("for some sources only"), lab::log);
        assertEquals(0, lab.count("ERROR"), lab::log);
    }

    /** The kernel takes a program away soon after the process that held it, not with it. */
    @Test
    void shouldLeaveNoProgramBehindWhenKilledInTrafficAndStartAgainUnderItsName()
    {
        try (ChildProcess traffic = lab.left().start("ping", "-n", "-q", "-i", "0.002", "10.0.1.2"))
        {
            lab.assertPings(5);
            lab.process().kill();
            traffic.terminate();
        }
        Await.until("devices without a program", () -> !lab.hasProgram("r0") && !lab.hasProgram("r1"));
        assertTrue(lab.pings(5), "the kernel forwards again");
        lab.start();
        lab.assertPings(5);
    }

    @Test
    void shouldRefuseASecondRouterOfTheSameName()
    {
        final UserException refusal = assertThrows(UserException.class, lab::start);
        assertTrue(refusal.getMessage().contains("belongs to a running process (pid " + lab.process().pid() + ")"),
            refusal.getMessage());
        lab.assertPings(3);
    }

    @Test
    void shouldAgreeWithTheKernelThroughLinksAddressesAndNeighbors()
    {
        lab.assertPings(2);
        lab.assertVerified();
        lab.router().run("ip", "route", "add", "192.0.2.0/24", "via", "10.0.1.2");
        lab.router().run("ip", "route", "add", "blackhole", "198.51.100.0/24");
        lab.router().run("ip", "address", "add", "10.7.0.1/30", "dev", "r1");
        lab.assertVerified();
        lab.router().run("ip", "neigh", "replace", "10.7.0.2", "lladdr", "02:00:00:00:00:77", "dev", "r1");
        lab.router().run("ip", "link", "set", "r1", "mtu", "1300");
        lab.assertVerified();
        lab.router().run("ip", "link", "set", "r1", "down");
        lab.assertVerified();
        lab.router().run("ip", "link", "set", "r1", "up");
        lab.router().run("ip", "address", "del", "10.7.0.1/30", "dev", "r1");
        lab.assertVerified();
        lab.assertPings(5);
        followTheMacAddressOfANeighbor();
    }

    private void followTheMacAddressOfANeighbor()
    {
        lab.right().run("ip", "link", "set", "h0", "address", "02:00:00:00:00:99");
        // What a host does that changes its address: it tells everyone (RFC 5227 section 3).
        lab.right().run("ping", "-n", "-q", "-c", "1", "-W", "2", "10.0.1.1");
        lab.router().run("ip", "neigh", "replace", "10.0.1.2", "lladdr", "02:00:00:00:00:99", "dev", "r1");
        lab.assertPings(5);
        lab.assertVerified();
    }
}
