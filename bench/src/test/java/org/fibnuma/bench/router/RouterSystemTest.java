package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.Signal;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The router as a process over AF_XDP and rtnetlink: how it starts, follows the kernel, and ends. */
class RouterSystemTest
{
    private static final int CHANGES = 21;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private RouterLifeLab lab;
    private RouterProcess process;

    @BeforeAll
    static void requireRoot()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ping", "iputils-ping");
    }

    @BeforeEach
    void open()
    {
        lab = RouterLifeLab.open();
        process = lab.start();
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(process, lab);
    }

    @Test
    void shouldForwardPingsBothWaysAndBalanceItsBooks() throws IOException
    {
        assertTrue(lab.pings(20), () -> String.join("\n", process.errors()));

        Await.atLeast("frames forwarded by the router", 40, () -> lab.ask("drops").get("forwarded").asLong());
        final JsonNode drops = lab.ask("drops");
        assertTrue(drops.get("balanced").asBoolean(), drops.toString());
    }

    @Test
    void shouldEndWithStatusZeroOnSigterm()
    {
        assertTrue(lab.hasProgram("r0"));

        assertEquals(0, process.terminate());

        assertFalse(lab.hasProgram("r0"));
        assertFalse(lab.hasProgram("r1"));
        assertFalse(Files.exists(RunDirectory.controlSocketOf(lab.name())));
        assertTrue(lab.pings(5), "the kernel forwards again");
    }

    @Test
    void shouldTellOfLinksAndOfAnInterfaceThatIsDeleted()
    {
        lab.left().run("ip", "link", "set", "h0", "down");
        awaitError("port left: link down");
        lab.left().run("ip", "link", "set", "h0", "up");
        awaitError("port left: link up");
        lab.router().run("ip", "link", "delete", "r0");
        awaitError("port left (xdp:r0): the device is gone");
        lab.right().run("ping", "-n", "-q", "-c", "5", "-i", "0.05", "-W", "2", "10.0.1.1");
        assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
    }

    private void awaitError(final String text)
    {
        final long start = System.nanoTime();
        while (process.errors().stream().noneMatch(line -> line.contains(text)))
        {
            assertTrue(process.isAlive() && System.nanoTime() - start < PATIENCE_NS,
                () -> text + " is not in\n" + String.join("\n", process.errors()));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** The kernel looks at the TOS: one route to the prefix is for packets with TOS 0x10, the other for all others. */
    @Test
    void shouldLeaveDestinationsOfRoutesForOneTosToTheKernel() throws IOException
    {
        final String prefix = "192.0.2.0/24";
        final String destination = "192.0.2.1";
        lab.right().address("h0", destination + "/32");
        lab.router().run("ip", "route", "add", "blackhole", prefix);
        awaitKind(destination, "blackhole");
        lab.router().run("ip", "route", "add", prefix, "tos", "0x10", "via", "10.0.1.2");
        awaitKind(destination, "punt");
        assertTrue(pingWithTos("0x10", destination).contains(" 0% packet loss"));
        assertTrue(pingWithTos("0x08", destination).contains(" 100% packet loss"));
        assertTrue(lab.ask("verify").get("equal").asBoolean());
        lab.router().run("ip", "route", "add", prefix, "tos", "0x08", "via", "10.0.1.2");
        lab.router().run("ip", "route", "del", prefix, "tos", "0x10");
        assertTrue(lab.ask("verify").get("equal").asBoolean());
        awaitKind(destination, "punt");
        assertTrue(pingWithTos("0x10", destination).contains(" 100% packet loss"));

        lab.router().run("ip", "route", "del", prefix, "tos", "0x08");
        awaitKind(destination, "blackhole");
        assertTrue(lab.ask("verify").get("equal").asBoolean());
        assertEquals(0, process.terminate());
        assertEquals(1, process.errors().stream().filter(line -> line.contains("for one TOS only")).count(),
            () -> String.join("\n", process.errors()));
    }

    private String pingWithTos(final String tos, final String destination)
    {
        return lab.left().run(
            "sh", "-c", "ping -n -q -c 3 -i 0.05 -W 1 -Q " + tos + " " + destination + " || true");
    }

    private void awaitKind(final String destination, final String kind) throws IOException
    {
        final long start = System.nanoTime();
        JsonNode answer = lookup(destination);
        while (!kind.equals(answer.get("kind").asText()))
        {
            final JsonNode last = answer;
            assertTrue(process.isAlive() && System.nanoTime() - start < PATIENCE_NS, last::toString);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            answer = lookup(destination);
        }
    }

    private JsonNode lookup(final String destination) throws IOException
    {
        try (ControlClient client = lab.client())
        {
            return client.ask(ControlProtocol.request("lookup").put("address", destination));
        }
    }

    @Test
    void shouldEndWithStatusZeroOnSigint()
    {
        Signal.send("INT", process.pid());
        awaitEnd();

        assertEquals(0, process.terminate());
        assertFalse(lab.hasProgram("r0"));
    }

    @Test
    void shouldLeaveNoProgramBehindWhenKilledInTraffic()
    {
        try (ChildProcess traffic = lab.left().start("ping", "-n", "-q", "-i", "0.002", "10.0.1.2"))
        {
            assertTrue(lab.pings(5));
            process.kill();
            traffic.terminate();
        }

        awaitNoProgram("r0");
        awaitNoProgram("r1");
        assertTrue(lab.pings(5), "the kernel forwards again");
    }

    /** The kernel takes a program away soon after the process that held it, not with it. */
    private void awaitNoProgram(final String device)
    {
        final long start = System.nanoTime();
        while (lab.hasProgram(device))
        {
            assertTrue(System.nanoTime() - start < PATIENCE_NS, () -> device + " keeps its program");
        }
    }

    @Test
    void shouldStartAgainUnderTheNameOfAKilledRouter()
    {
        process.kill();
        process.close();

        process = lab.start();

        assertTrue(lab.pings(5));
    }

    @Test
    void shouldRefuseASecondRouterOfTheSameName()
    {
        final UserException refusal = assertThrows(UserException.class, lab::start);

        assertTrue(refusal.getMessage().contains("belongs to a running process (pid " + process.pid() + ")"),
            refusal.getMessage());
        assertTrue(lab.pings(3), "the first one goes on");
    }

    @Test
    void shouldFollowRouteChanges(final TestReporter reporter) throws IOException
    {
        final long[] delaysMs = new long[CHANGES];
        try (ControlClient client = lab.client())
        {
            for (int i = 0; i < CHANGES; i++)
            {
                final String gateway = "10.0.1." + (100 + i);
                lab.router().run("ip", "route", "replace", "192.0.2.0/24", "via", gateway);
                final long start = System.nanoTime();
                while (!gateway.equals(lookup(client).path("nextHop").asText()))
                {
                    assertTrue(System.nanoTime() - start < PATIENCE_NS, "the change is never seen");
                }
                delaysMs[i] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            }
        }
        Arrays.sort(delaysMs);
        reporter.publishEntry("ms until a route change is followed, median", Long.toString(delaysMs[CHANGES / 2]));
    }

    @Test
    void shouldAgreeWithTheKernelThroughLinksAddressesAndNeighbors() throws IOException
    {
        assertTrue(lab.pings(2));
        assertEqualToKernel("at the start");
        lab.router().run("ip", "route", "add", "192.0.2.0/24", "via", "10.0.1.2");
        lab.router().run("ip", "route", "add", "blackhole", "198.51.100.0/24");
        lab.router().run("ip", "address", "add", "10.7.0.1/30", "dev", "r1");
        assertEqualToKernel("with more routes and addresses");
        lab.router().run("ip", "neigh", "replace", "10.7.0.2", "lladdr", "02:00:00:00:00:77", "dev", "r1");
        lab.router().run("ip", "link", "set", "r1", "mtu", "1300");
        assertEqualToKernel("with a neighbour and another MTU");
        lab.router().run("ip", "link", "set", "r1", "down");
        assertEqualToKernel("with a link down");
        lab.router().run("ip", "link", "set", "r1", "up");
        lab.router().run("ip", "address", "del", "10.7.0.1/30", "dev", "r1");
        assertEqualToKernel("with the link up again");
        assertTrue(lab.pings(5), "forwards again");
    }

    @Test
    void shouldFollowTheMacAddressOfANeighbor() throws IOException
    {
        assertTrue(lab.pings(2));
        lab.right().run("ip", "link", "set", "h0", "address", "02:00:00:00:00:99");
        // What a host does that changes its address: it tells everyone (RFC 5227 section 3).
        lab.right().run("ping", "-n", "-q", "-c", "1", "-W", "2", "10.0.1.1");
        lab.router().run("ip", "neigh", "replace", "10.0.1.2", "lladdr", "02:00:00:00:00:99", "dev", "r1");

        assertTrue(lab.pings(5));
        assertEqualToKernel("with the new address");
    }

    private void assertEqualToKernel(final String when) throws IOException
    {
        final JsonNode answer = lab.ask("verify");
        assertTrue(answer.get("equal").asBoolean(), when + ": " + answer);
    }

    private static JsonNode lookup(final ControlClient client) throws IOException
    {
        return client.ask(ControlProtocol.request("lookup").put("address", "192.0.2.1"));
    }

    private void awaitEnd()
    {
        final long start = System.nanoTime();
        while (process.isAlive())
        {
            assertTrue(System.nanoTime() - start < PATIENCE_NS, "the router does not end");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
