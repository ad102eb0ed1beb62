package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

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
class ExceptionPathSystemTest
{
    /** Seconds to wait for an answer that must not come. */
    private static final String SOON = "2";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long FOLLOW_LIMIT_NS = Duration.ofSeconds(60).toNanos();
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final String name = "exception-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet();
    private Host left;
    private Host router;
    private Host right;
    private RouterProcess process;

    @BeforeAll
    static void requirePrograms()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ping", "iputils-ping");
        Require.program("python3", "python3");
    }

    @BeforeEach
    void open()
    {
        left = Host.open("left");
        router = Host.open("router");
        right = Host.open("right");
        router.sysctl("ipv4.ip_forward", "1");
    }

    @AfterEach
    void close() throws IOException
    {
        CloseHelper.closeAll(process, left, right, router);
        final Path counters = CountersFile.directoryOf(name);
        Files.deleteIfExists(RunDirectory.controlSocketOf(name));
        if (Files.exists(counters))
        {
            CountersFile.create(counters, 1).close();
        }
    }

    @Test
    void shouldLetTheKernelTalkThroughPortsThatItDoesNotSee() throws IOException
    {
        start("netlink", "", "");
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");

        assertTrue(pings(left, "10.0.0.1", 5), this::complaints);
        // Before, the kernel forwards.
        Await.until("a route to 10.0.1.2", () -> !"no-route".equals(kindOf("10.0.1.2")));
        assertTrue(pings(left, "10.0.1.2", 20), this::complaints);
        assertTrue(pings(router, "10.0.1.2", 5), "the kernel itself to a neighbour");
        assertEquals("welcome", talk());

        awaitCount("forwarded", 40);
        awaitCount("punted", 10);
        awaitCount("fromHost", 10);
        final JsonNode drops = ask("drops");
        assertTrue(drops.get("balanced").asBoolean(), drops.toString());
        assertEquals(0, drops.get("fromHostLost").asLong(), drops.toString());
        assertTrue(ask("verify").get("equal").asBoolean());
    }

    /** RFC 4861: IPv6 is all the kernel's, neighbour discovery by multicast and forwarding between the cables. */
    @Test
    void shouldLeaveIpv6ToTheKernel() throws IOException
    {
        startWith("ipv6 = false\n", "netlink", "", "");
        addIpv6();
        assertTrue(pings(left, "2001:db8::1", 3), this::complaints);
        assertTrue(pings(left, "2001:db8:1::2", 3), this::complaints);
        awaitCount("punted", 9);
        final JsonNode drops = ask("drops");
        assertEquals(0, drops.get("forwarded").asLong(), drops.toString());
    }

    /** The kernel has neighbour discovery and its own addresses; the setting of its interface decides who forwards. */
    @Test
    void shouldForwardIpv6AndLetTheKernelResolveNeighbors() throws IOException
    {
        start("netlink", "", "");
        addIpv6();
        assertTrue(pings(left, "2001:db8::1", 3), this::complaints);
        awaitForwarding("router");
        assertTrue(pings(left, "2001:db8:1::2", 5), this::complaints);
        final long forwarded = awaitCount("forwarded", 10);
        assertTrue(ask("verify").get("equal").asBoolean());

        router.sysctl("ipv6.conf.all.forwarding", "0");
        awaitForwarding("kernel");
        assertFalse(pings(left, "2001:db8:1::2", 2, SOON));
        assertTrue(pings(left, "2001:db8::1", 3), this::complaints);
        assertEquals(forwarded, ask("drops").get("forwarded").asLong());
        assertTrue(ask("drops").get("balanced").asBoolean());
    }

    private void awaitForwarding(final String by) throws IOException
    {
        final long start = System.nanoTime();
        while (!by.equals(ask("ports").get("ports").get(0).path("ipv6Forwarding").asText()))
        {
            assertTrue(System.nanoTime() - start < PATIENCE.toNanos(), by);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
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
    void shouldServeTheKernelWithSeveralWorkers() throws IOException
    {
        startWith("workers = 3\n", "netlink", "", "");
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        for (int i = 0; i < 4; i++)
        {
            assertTrue(pings(left, "10.0.0.1", 3), this::complaints);
            assertTrue(pings(left, "10.0.1.2", 3), this::complaints);
            assertEquals("welcome", talk());
        }
        final JsonNode drops = ask("drops");
        assertTrue(drops.get("balanced").asBoolean(), drops.toString());
    }

    /** The link that the kernel shows, an address that goes, a route that comes: as with any interface. */
    @Test
    void shouldFollowTheInterfaceThatStandsForAPort() throws IOException
    {
        start("netlink", "", "");
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        assertTrue(pings(left, "10.0.1.2", 3), this::complaints);
        final JsonNode port = ask("ports").get("ports").get(0);
        assertEquals("up", port.get("state").asText());
        assertEquals("tap:r0", port.get("exception").asText());
        assertEquals("10.0.0.1/24", port.get("addresses").get(0).asText());
        assertEquals(router.macAddress("r0"), port.get("mac").asText());

        router.run("ip", "route", "add", "192.0.2.0/24", "via", "10.0.1.2");
        right.address("lo", "192.0.2.1/32");
        assertTrue(pings(left, "192.0.2.1", 3), this::complaints);

        router.run("ip", "link", "set", "r1", "down");
        final long deadline = System.nanoTime() + FOLLOW_LIMIT_NS;
        while (!"down".equals(ask("ports").get("ports").get(1).get("state").asText()))
        {
            assertTrue(System.nanoTime() < deadline, "not followed");
        }
        assertFalse(pings(left, "10.0.1.2", 1, SOON));
    }

    @Test
    void shouldTakeItsInterfacesWithItWhenKilled()
    {
        start("netlink", "", "");
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        assertTrue(pings(left, "10.0.1.2", 3), this::complaints);
        assertTrue(router.run("ip", "link").contains("r0"));
        process.kill();
        final long deadline = System.nanoTime() + FOLLOW_LIMIT_NS;
        while (router.run("ip", "link").contains(" r"))
        {
            assertTrue(System.nanoTime() < deadline, () -> router.run("ip", "link"));
        }
    }

    /** The addresses of the file are the kernel's too, so that it answers for them. */
    @Test
    void shouldGiveTheKernelTheAddressesOfTheConfiguration() throws IOException
    {
        start("static",
            "address = [\"10.0.0.1/24\"]\nmac = \"02:00:00:00:77:00\"\nmtu = 1400\n",
            "address = [\"10.0.1.1/24\", \"10.0.2.1/24\"]\n");
        assertEquals("02:00:00:00:77:00", router.macAddress("r0"));
        assertTrue(router.run("ip", "link", "show", "r0").contains("mtu 1400"));
        assertTrue(pings(left, "10.0.0.1", 3), this::complaints);
        assertTrue(pings(right, "10.0.2.1", 3), this::complaints);
        assertTrue(ask("drops").get("fromHost").asLong() >= 6);
    }

    @Test
    void shouldSayThatTheInterfacesNameIsTaken()
    {
        router.run("ip", "tuntap", "add", "dev", "r1", "mode", "tun");
        final UserException refusal =
            assertThrows(UserException.class, () -> RouterProcess.start(router, config("netlink", "", ""), PATIENCE));
        assertTrue(refusal.getMessage().contains(
            "port right (tap:r1): an interface of this name is there already; give another name"),
            refusal.getMessage());
        assertFalse(router.run("ip", "link").contains("r0"), "nothing half-starts");
    }

    private void start(final String control, final String leftKeys, final String rightKeys)
    {
        startWith("", control, leftKeys, rightKeys);
    }

    private void startWith(
        final String routerKeys, final String control, final String leftKeys, final String rightKeys)
    {
        process = RouterProcess.start(
            router, config(control, leftKeys, rightKeys).replace("[router]\n", "[router]\n" + routerKeys), PATIENCE);
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

    private String config(final String control, final String leftKeys, final String rightKeys)
    {
        return String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "control = \"" + control + "\"",
            "cores = []",
            "[[port]]",
            "name = \"left\"",
            "device = \"tap:w0\"",
            "exception = \"tap:r0\"",
            leftKeys,
            "[[port]]",
            "name = \"right\"",
            "device = \"tap:w1\"",
            "exception = \"tap:r1\"",
            rightKeys);
    }

    private long awaitCount(final String fate, final long least)
    {
        return Await.atLeast("frames " + fate, least, () -> ask("drops").get(fate).asLong());
    }

    private String kindOf(final String address) throws IOException
    {
        try (ControlClient client = ControlClient.connect(name))
        {
            return client.ask(ControlProtocol.request("lookup").put("address", address)).path("kind").asText();
        }
    }

    private JsonNode ask(final String what) throws IOException
    {
        try (ControlClient client = ControlClient.connect(name))
        {
            return client.ask(ControlProtocol.request(what));
        }
    }

    private static boolean pings(final Host from, final String address, final int count)
    {
        return pings(from, address, count, "20");
    }

    private static boolean pings(final Host from, final String address, final int count, final String patienceSeconds)
    {
        try
        {
            from.run("ping", "-n", "-q", "-c", Integer.toString(count), "-i", "0.05", "-W", patienceSeconds, address);
            return true;
        }
        catch (final UserException ex)
        {
            return false;
        }
    }

    /** TCP from the left host to the router's far address. */
    private String talk()
    {
        try (ChildProcess server = router.start("/usr/bin/python3", "-u", "-c",
            "import socket\n" +
            "s = socket.create_server(('10.0.1.1', 2222))\n" +
            "print('listening')\n" +
            "c = s.accept()[0]\n" +
            "c.sendall(b'wel' + c.recv(4))\n"))
        {
            server.awaitLine("listening"::equals, PATIENCE);
            return left.run("/usr/bin/python3", "-c",
                "import socket\n" +
                "s = socket.create_connection(('10.0.1.1', 2222), 60)\n" +
                "s.sendall(b'come')\n" +
                "print(s.makefile().read())\n").trim();
        }
    }

    private String complaints()
    {
        return String.join("\n", process.errors()) + router.run("ip", "address") + router.run("ip", "neighbor");
    }
}
