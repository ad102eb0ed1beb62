package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A router whose kernel sees none of its ports, but an interface that stands for each: the kernel speaks ARP, ICMP and
 * TCP through them, and its tables are the router's. The ports are TAP devices whose far ends are given to the hosts,
 * as cables that end in the router's process.
 * <pre>
 *  left 10.0.0.2 h0 == w0 router w1 == h0 10.0.1.2 right
 *             kernel: r0 10.0.0.1, r1 10.0.1.1
 * </pre>
 */
@NamespaceTest({"ping", "python3", "nft"})
class ExceptionPathSystemTest
{
    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.unconnected();
    private final Host left = lab.left();
    private final Host router = lab.router();
    private final Host right = lab.right();

    @Test
    void shouldLetTheKernelTalkThroughPortsThatItDoesNotSee()
    {
        startWithAddresses("");

        assertPings(left, "10.0.0.1", 5);
        assertPings(left, "10.0.1.2", 20);
        assertPings(router, "10.0.1.2", 5);
        assertEquals("welcome", HostPrograms.talk(left, router, "10.0.1.1"));

        awaitCount("forwarded", 40);
        awaitCount("punted", 10);
        awaitCount("fromHost", 10);
        lab.assertBalanced();
        assertEquals(0, lab.ask("drops").get("fromHostLost").asLong());
        lab.assertVerified();
    }

    /** RFC 4861: IPv6 is all the kernel's, neighbour discovery by multicast and forwarding between the cables. */
    @Test
    void shouldLeaveIpv6ToTheKernel()
    {
        start("ipv6 = false\n", "", "");
        addIpv6();
        assertPings(left, "2001:db8::1", 3);
        assertPings(left, "2001:db8:1::2", 3);
        awaitCount("punted", 9);
        assertEquals(0, lab.forwarded());
    }

    /** The kernel has neighbour discovery and its own addresses; the setting of its interface decides who forwards. */
    @Test
    void shouldForwardIpv6AndLetTheKernelResolveNeighbors()
    {
        start("", "", "");
        addIpv6();
        assertPings(left, "2001:db8::1", 3);
        awaitForwarding("router");
        assertPings(left, "2001:db8:1::2", 5);
        final long forwarded = awaitCount("forwarded", 10);
        lab.assertVerified();

        router.sysctl("ipv6.conf.all.forwarding", "0");
        awaitForwarding("kernel");
        assertFalse(HostPrograms.pings(left, "2001:db8:1::2", 2, 2));
        assertPings(left, "2001:db8::1", 3);
        assertEquals(forwarded, lab.forwarded());
        lab.assertBalanced();
    }

    private void awaitForwarding(final String by)
    {
        lab.await("forwarding by " + by, () -> by.equals(lab.port(0).path("ipv6Forwarding").asText()));
    }

    private void addIpv6()
    {
        final String off = "/proc/sys/net/ipv6/conf/h0/disable_ipv6";
        Require.that(Files.exists(Path.of("/proc/sys/net/ipv6")), "needs IPv6");
        for (final Host host : List.of(left, right))
        {
            host.run("sh", "-c", "echo 0 >" + off);
        }
        router.run("sh", "-c", "cd /proc/sys/net/ipv6/conf; echo 0 >r0/disable_ipv6; echo 0 >r1/disable_ipv6; " +
            "echo 1 >all/forwarding");
        left.run("ip", "address", "add", "2001:db8::2/64", "dev", "h0", "nodad");
        right.run("ip", "address", "add", "2001:db8:1::2/64", "dev", "h0", "nodad");
        router.run("ip", "address", "add", "2001:db8::1/64", "dev", "r0", "nodad");
        router.run("ip", "address", "add", "2001:db8:1::1/64", "dev", "r1", "nodad");
        left.run("ip", "route", "add", "2001:db8:1::/64", "via", "2001:db8::1");
        right.run("ip", "route", "add", "2001:db8::/64", "via", "2001:db8:1::1");
    }

    /** Each worker has its own queue of every interface that stands for a port. */
    @Test
    void shouldServeTheKernelWithSeveralWorkers()
    {
        startWithAddresses("workers = 3\n");
        for (int i = 0; i < 4; i++)
        {
            assertPings(left, "10.0.0.1", 3);
            assertPings(left, "10.0.1.2", 3);
            assertEquals("welcome", HostPrograms.talk(left, router, "10.0.1.1"));
        }
        lab.assertBalanced();
    }

    /** The link that the kernel shows, an address that goes, a route that comes: as with any interface. */
    @Test
    void shouldFollowTheInterfaceThatStandsForAPort()
    {
        startWithAddresses("");
        assertPings(left, "10.0.1.2", 3);
        final JsonNode port = lab.port(0);
        assertEquals("up", port.get("state").asText());
        assertEquals("tap:r0", port.get("exception").asText());
        assertEquals("10.0.0.1/24", port.get("addresses").get(0).asText());
        assertEquals(router.macAddress("r0"), port.get("mac").asText());

        router.run("ip", "route", "add", "192.0.2.0/24", "via", "10.0.1.2");
        right.address("lo", "192.0.2.1/32");
        assertPings(left, "192.0.2.1", 3);

        router.run("ip", "link", "set", "r1", "down");
        lab.await("the link to be down", () -> "down".equals(lab.port(1).get("state").asText()));
        assertFalse(HostPrograms.pings(left, "10.0.1.2", 1, 2));
    }

    @Test
    void shouldTakeItsInterfacesWithItWhenKilled()
    {
        startWithAddresses("");
        assertPings(left, "10.0.1.2", 3);
        assertTrue(router.run("ip", "link").contains("r0"));
        lab.process().kill();
        Await.until(() -> router.run("ip", "link"), () -> !router.run("ip", "link").contains(" r"));
    }

    /** The kernel would forward between the interfaces that stand for the ports, and drop all. */
    @Test
    void shouldNotBypassAPacketFilterUnlessTold()
    {
        dropForwarded();
        final UserException refusal = assertThrows(
            UserException.class, () -> lab.startConfigured(config("firewall = \"refuse\"\n", "", "")));
        assertTrue(refusal.getMessage().contains("\"nft list chain inet f c\""), refusal.getMessage());

        startWithAddresses("firewall = \"bypass\"\n");
        assertPings(left, "10.0.1.2", 5);
    }

    private void dropForwarded()
    {
        router.run("nft", "table inet f { chain c { type filter hook forward priority 0; policy drop; }; }");
    }

    /**
     * The addresses of the file are the kernel's too, so that it answers for them. Its packet filters do not concern
     * frames that are forwarded by the routes of the file.
     */
    @Test
    void shouldGiveTheKernelTheAddressesOfTheConfiguration()
    {
        dropForwarded();
        start("control = \"static\"\nfirewall = \"refuse\"\n",
            "address = [\"10.0.0.1/24\"]\nmac = \"02:00:00:00:77:00\"\nmtu = 1400\n",
            "address = [\"10.0.1.1/24\", \"10.0.2.1/24\"]\n");
        assertEquals("02:00:00:00:77:00", router.macAddress("r0"));
        assertTrue(router.run("ip", "link", "show", "r0").contains("mtu 1400"));
        assertPings(left, "10.0.0.1", 3);
        assertPings(right, "10.0.2.1", 3);
        assertTrue(lab.ask("drops").get("fromHost").asLong() >= 6);
    }

    @Test
    void shouldSayThatTheInterfacesNameIsTaken()
    {
        router.run("ip", "tuntap", "add", "dev", "r1", "mode", "tun");
        final UserException refusal =
            assertThrows(UserException.class, () -> lab.startConfigured(config("", "", "")));
        assertTrue(refusal.getMessage().contains(
            "port right (tap:r1): an interface of this name is there already; give another name"),
            refusal.getMessage());
        assertFalse(router.run("ip", "link").contains("r0"), "nothing half-starts");
    }

    private void startWithAddresses(final String routerKeys)
    {
        start(routerKeys, "", "");
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        // Before, the kernel forwards.
        lab.await("a route to 10.0.1.2", () -> !"no-route".equals(lab.lookup("10.0.1.2").path("kind").asText()));
    }

    private void start(final String routerKeys, final String leftKeys, final String rightKeys)
    {
        lab.startConfigured(config(routerKeys, leftKeys, rightKeys));
        give("w0", left, "10.0.0.");
        give("w1", right, "10.0.1.");
        right.address("h0", "10.0.2.2/24");
        router.sysctl("ipv4.conf.all.rp_filter", "0");
    }

    private void give(final String device, final Host host, final String network)
    {
        host.take(router, device, "h0");
        host.address("h0", network + "2/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }

    private String config(final String routerKeys, final String leftKeys, final String rightKeys)
    {
        return "[router]\nname = \"" + lab.name() + "\"\ncores = []\n" + routerKeys +
            RouterLifeLab.port("left", "tap:w0", "exception = \"tap:r0\"", leftKeys) +
            RouterLifeLab.port("right", "tap:w1", "exception = \"tap:r1\"", rightKeys);
    }

    private long awaitCount(final String fate, final long least)
    {
        return Await.atLeast("frames " + fate, least, () -> lab.ask("drops").get(fate).asLong());
    }

    private void assertPings(final Host from, final String address, final int count)
    {
        assertTrue(HostPrograms.pings(from, address, count, 20), () -> lab.log() + router.run("ip", "address") +
            router.run("ip", "neighbor"));
    }
}
