package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A router between two hosts whose configuration is read again while traffic runs, and one without a file. */
@Timeout(900)
class ReloadSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A multiple of 6, so that the last version is like the first one. */
    private static final int RELOADS = Integer.getInteger("fibnuma.reloads", 198);
    /** Reloads after which nothing grows any more but code of the JIT. */
    private static final int WARM_UP = 48;
    private static final long MEBIBYTE = 1 << 20;
    /** Rules that match nothing here, so that the tables of a list have a size. */
    private static final int OTHER_RULES = 200;
    private static final int EVEN_PORT = 6001;
    private static final int ODD_PORT = 6002;
    private static final int PROBE_PORT = 6003;
    private static final String MAIN_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";

    private final String name = "reload-" + ProcessHandle.current().pid();
    private final Host router = Host.open("router");
    private final Host a = Host.open("a");
    private final Host b = Host.open("b");
    private DatagramChannel sender;
    private DatagramChannel probes;

    @BeforeAll
    static void require()
    {
        Require.root();
        Require.program("ip", "iproute2");
    }

    @BeforeEach
    void connect()
    {
        router.sysctl("ipv4.ip_forward", "1");
        a.connect("a0", router, "r0", 1500);
        b.connect("b0", router, "r1", 1500);
        b.connect("b1", router, "r2", 1500);
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        router.address("r2", "10.0.2.1/24");
        a.address("a0", "10.0.0.2/24");
        b.address("b0", "10.0.1.2/24");
        a.run("ip", "route", "add", "default", "via", "10.0.0.1");
        b.run("ip", "route", "add", "default", "via", "10.0.1.1");
        sender = SteadyFlow.open(a, "10.0.0.2", 0);
        probes = SteadyFlow.open(b, "10.0.1.2", PROBE_PORT);
    }

    @AfterEach
    void close() throws IOException
    {
        sender.close();
        probes.close();
        a.close();
        b.close();
        router.close();
    }

    @Test
    void shouldLoseNothingThatBothConfigurationsForward(final TestReporter reporter) throws Exception
    {
        try (RouterProcess process = RouterProcess.start(router, config(name, 0), PATIENCE);
            ControlClient client = ControlClient.connect(name);
            DatagramChannel even = SteadyFlow.open(b, "10.0.1.2", EVEN_PORT);
            DatagramChannel odd = SteadyFlow.open(b, "10.0.1.2", ODD_PORT);
            DatagramChannel steady = SteadyFlow.open(b, "10.0.1.2", SteadyFlow.PORT))
        {
            final Path file = Path.of(reload(client).get("file").asText());
            meet();
            final long objects = RouterMemory.liveBytes(process);
            long files = 0;
            long anonymous = 0;
            try (SteadyFlow flow = new SteadyFlow(SteadyFlow.open(a, "10.0.0.2", 0), steady))
            {
                for (int version = 1; version <= RELOADS; version++)
                {
                    replace(file, config(name, version));
                    assertTrue(reload(client).get("changes").size() >= 3);
                    send(version % 2 == 0 ? EVEN_PORT : ODD_PORT);
                    send(version % 2 == 0 ? ODD_PORT : EVEN_PORT);
                    send(PROBE_PORT);
                    awaitProbe();
                    assertEquals(0, SteadyFlow.drain(version % 2 == 0 ? even : odd), "denied by version " + version);
                    assertEquals(1, SteadyFlow.drain(version % 2 == 0 ? odd : even), "permitted by version " + version);
                    if (version == WARM_UP)
                    {
                        files = process.settledOpenFiles();
                        anonymous = RouterMemory.anonymousBytes(process);
                    }
                }
                flow.assertNothingLost();
            }
            // Sockets, XDP programs and their maps among them.
            assertEquals(files, process.settledOpenFiles());
            final long grownBytes = RouterMemory.anonymousBytes(process) - anonymous;
            final long grownObjects = RouterMemory.liveBytes(process) - objects;
            final String grown = "after " + RELOADS + " reloads " + grownObjects + " bytes more live objects, and " +
                grownBytes + " bytes more outside the heap than after " + WARM_UP;
            reporter.publishEntry(grown);
            assertTrue(grownObjects < 4 * MEBIBYTE && grownBytes < 32 * MEBIBYTE, grown);
            assertTrue(client.ask(ControlProtocol.request("drops")).get("balanced").asBoolean());
            refuseAWrongFile(client, file, process);
            followASignal(client, file, process);
        }
    }

    private void refuseAWrongFile(final ControlClient client, final Path file, final RouterProcess process)
        throws IOException
    {
        replace(file, config(name, 1).replace("cores = []", "cores = []\nworkers = 2"));
        final long warnings = refusals(process);
        assertEquals(file + ":5: router.workers: 1 -> 2 needs a restart",
            assertThrows(IOException.class, () -> reload(client)).getMessage());
        replace(file, config(name, 1).replace("action = \"deny\"", "action = \"refuse\""));
        assertTrue(assertThrows(IOException.class, () -> reload(client)).getMessage().startsWith(file + ":"));
        assertEquals(List.of("left in edge0"), uses(client));
        awaitRefusals(process, warnings + 2);
    }

    private void followASignal(final ControlClient client, final Path file, final RouterProcess process)
        throws IOException
    {
        replace(file, config(name, 1));
        router.run("sh", "-c", "kill -HUP " + process.pid());
        while (!uses(client).equals(List.of("left in edge1")))
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        replace(file, config(name, 1).replace("acl-in = \"edge1\"", ""));
        reload(client);
        assertEquals(List.of(), uses(client));
        assertTrue(process.isAlive());
    }

    @Test
    void shouldStartWithTheLogLevelOfItsFileAndFollowIt() throws Exception
    {
        final String quiet = config(name, 0).replace("[router]", "[router]\nlog-level = \"error\"");
        try (RouterProcess process = RouterProcess.start(router, quiet, PATIENCE);
            ControlClient client = ControlClient.connect(name))
        {
            meet();
            assertEquals(List.of(), process.errors());
            final Path file = Path.of(reload(client).get("file").asText());
            replace(file, quiet.replace("\"error\"", "\"info\""));
            reload(client);
            while (process.errors().stream().noneMatch(line -> line.contains(" INFO ")))
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
    }

    @Test
    void shouldForwardBetweenInterfacesWithoutAFile() throws Exception
    {
        try (ChildProcess process = router.start(
            JavaProgram.command(MAIN_CLASS, "router", "r0", "r1", "--name", name)))
        {
            process.awaitLine("ready"::equals, PATIENCE);
            meet();
            try (ControlClient client = ControlClient.connect(name);
                SteadyFlow flow = new SteadyFlow(
                    SteadyFlow.open(a, "10.0.0.2", 0), SteadyFlow.open(b, "10.0.1.2", SteadyFlow.PORT)))
            {
                final JsonNode ports = client.ask(ControlProtocol.request("ports")).get("ports");
                assertEquals("r0 xdp:r0 r1 xdp:r1", String.join(" ",
                    ports.get(0).get("name").asText(), ports.get(0).get("device").asText(),
                    ports.get(1).get("name").asText(), ports.get(1).get("device").asText()));
                while (client.ask(ControlProtocol.request("drops")).get("forwarded").asLong() < 100)
                {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                }
                assertEquals("the router was started without a file; restart it with -c FILE",
                    assertThrows(IOException.class, () -> reload(client)).getMessage());
                flow.assertNothingLost();
            }
            process.terminate();
            assertEquals(0, process.awaitExit(PATIENCE));
        }
    }

    /**
     * Even versions deny one UDP port, odd ones another; every version has a list of another name for the left port;
     * two of three versions have a third port.
     */
    private static String config(final String name, final int version)
    {
        final boolean isEven = version % 2 == 0;
        final StringBuilder text = new StringBuilder(String.join("\n",
            "[router]", "name = \"" + name + "\"", "control = \"netlink\"", "cores = []",
            "icmp-errors-per-second = " + (isEven ? 500 : 700),
            "[[port]]", "name = \"left\"", "device = \"xdp:r0\"", "acl-in = \"edge" + version % 2 + "\"",
            "[[port]]", "name = \"right\"", "device = \"xdp:r1\"",
            version % 3 == 2 ? "" : "[[port]]\nname = \"third\"\ndevice = \"xdp:r2\"",
            "[[acl]]", "name = \"edge" + version % 2 + "\"", "default = \"permit\"",
            "[[acl.rule]]", "action = \"deny\"", "protocol = \"udp\"",
            "destination-port = \"" + (isEven ? EVEN_PORT : ODD_PORT) + "\"", ""));
        for (int i = 0; i < OTHER_RULES; i++)
        {
            text.append("[[acl.rule]]\naction = \"deny\"\ndestination = \"192.0.2." + i + "/32\"\n");
        }
        return text.toString();
    }

    private static JsonNode reload(final ControlClient client) throws IOException
    {
        return client.ask(ControlProtocol.request("reload"));
    }

    private static List<String> uses(final ControlClient client) throws IOException
    {
        final List<String> uses = new ArrayList<>();
        client.ask(ControlProtocol.request("acl")).get("ports").forEach(use -> uses.add(String.join(" ",
            use.get("port").asText(), use.get("direction").asText(), use.get("list").asText())));
        return uses;
    }

    private static void replace(final Path file, final String text) throws IOException
    {
        final Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static long refusals(final RouterProcess process)
    {
        return process.errors().stream().filter(line -> line.contains("reload refused, nothing has changed")).count();
    }

    private static void awaitRefusals(final RouterProcess process, final long count)
    {
        while (refusals(process) < count)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertEquals(count, refusals(process));
    }

    /** Until the neighbours are known, frames may be held and dropped. */
    private void meet() throws IOException
    {
        do
        {
            send(PROBE_PORT);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        while (SteadyFlow.drain(probes) == 0);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        SteadyFlow.drain(probes);
    }

    /** The queue keeps the order, so that frames sent before the probe have come when it has come, or never do. */
    private void awaitProbe() throws IOException
    {
        while (SteadyFlow.drain(probes) == 0)
        {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    private void send(final int port) throws IOException
    {
        sender.send(ByteBuffer.allocate(Integer.BYTES), new InetSocketAddress("10.0.1.2", port));
    }
}
