package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterMemory;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Signal;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A router between two hosts whose configuration is read again while traffic runs, and one without a file. */
@Timeout(900)
@NamespaceTest
class ReloadSystemTest
{
    /** A multiple of 6, so that the last version is like the first one. */
    private static final int RELOADS = Integer.getInteger("fibnuma.reloads", 198);
    /** Reloads after which nothing grows any more but code of the JIT. */
    private static final int WARM_UP = 48;
    private static final long MEBIBYTE = 1 << 20;
    /** Rules that match nothing here, so that the tables of a list have a size. */
    private static final int OTHER_RULES = 200;
    private static final String REFUSAL = "reload refused, nothing has changed";
    private static final int EVEN_PORT = 6001;
    private static final int ODD_PORT = 6002;
    private static final int PROBE_PORT = 6003;

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    private final String name = lab.name();
    private final Host a = lab.left();
    private final Host b = lab.right();
    private DatagramChannel sender;
    private DatagramChannel probes;

    @BeforeEach
    void connect()
    {
        b.connect("h1", lab.router(), "r2", 1500);
        lab.router().address("r2", "10.0.2.1/24");
        sender = SteadyFlow.open(a, "10.0.0.2", 0);
        probes = SteadyFlow.open(b, "10.0.1.2", PROBE_PORT);
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(sender, probes);
    }

    @Test
    void shouldLoseNothingThatBothConfigurationsForward(final TestReporter reporter) throws Exception
    {
        final RouterProcess process = lab.startConfigured(config(0));
        try (DatagramChannel even = SteadyFlow.open(b, "10.0.1.2", EVEN_PORT);
            DatagramChannel odd = SteadyFlow.open(b, "10.0.1.2", ODD_PORT);
            DatagramChannel steady = SteadyFlow.open(b, "10.0.1.2", SteadyFlow.PORT))
        {
            final Path file = Path.of(lab.ask("reload").get("file").asText());
            meet();
            final long objects = RouterMemory.liveBytes(process);
            long files = 0;
            long anonymous = 0;
            try (SteadyFlow flow = new SteadyFlow(lab, SteadyFlow.open(a, "10.0.0.2", 0), steady))
            {
                for (int version = 1; version <= RELOADS; version++)
                {
                    replace(file, config(version));
                    assertTrue(lab.ask("reload").get("changes").size() >= 3);
                    send(version % 2 == 0 ? EVEN_PORT : ODD_PORT);
                    send(version % 2 == 0 ? ODD_PORT : EVEN_PORT);
                    send(PROBE_PORT);
                    awaitProbe();
                    assertEquals(0, SteadyFlow.drain(version % 2 == 0 ? even : odd), "denied by version " + version);
                    assertEquals(1, SteadyFlow.drain(version % 2 == 0 ? odd : even), "permitted by version " + version);
                    if (version == WARM_UP)
                    {
                        files = process.settledOpenFiles();
                        anonymous = RouterMemory.trimmedBytes(process);
                    }
                }
                flow.assertNothingLost();
            }
            // Sockets, XDP programs and their maps among them.
            assertEquals(files, process.settledOpenFiles());
            reporter.publishEntry("after " + RELOADS + " reloads " +
                lab.awaitMemory(objects + 4 * MEBIBYTE, anonymous + 32 * MEBIBYTE) + ", outside the heap " + anonymous +
                " after " + WARM_UP);
            lab.assertBalanced();
            refuseAWrongFile(file);
            followASignal(file);
        }
    }

    private void refuseAWrongFile(final Path file) throws IOException
    {
        replace(file, config(1).replace("cores = []", "cores = []\nworkers = 2"));
        final long warnings = lab.count(REFUSAL);
        assertEquals(file + ":5: router.workers: 1 -> 2 needs a restart",
            lab.refusal(ControlProtocol.request("reload")));
        replace(file, config(1).replace("action = \"deny\"", "action = \"refuse\""));
        assertTrue(lab.refusal(ControlProtocol.request("reload")).startsWith(file + ":"));
        assertEquals(List.of("left in edge0"), uses());
        lab.await("two refusals", () -> lab.count(REFUSAL) >= warnings + 2);
        assertEquals(warnings + 2, lab.count(REFUSAL));
    }

    private void followASignal(final Path file) throws IOException
    {
        replace(file, config(1));
        Signal.send("HUP", lab.process().pid());
        lab.await("the other list", () -> uses().equals(List.of("left in edge1")));
        replace(file, config(1).replace("acl-in = \"edge1\"", ""));
        lab.ask("reload");
        assertEquals(List.of(), uses());
        assertTrue(lab.process().isAlive());
    }

    @Test
    void shouldStartWithTheLogLevelOfItsFileAndFollowIt() throws Exception
    {
        final String quiet = config(0).replace("[router]", "[router]\nlog-level = \"error\"");
        lab.startConfigured(quiet);
        meet();
        assertEquals(List.of(), lab.process().errors());
        replace(Path.of(lab.ask("reload").get("file").asText()), quiet.replace("\"error\"", "\"info\""));
        lab.ask("reload");
        lab.awaitLog(" INFO ");
    }

    @Test
    void shouldForwardBetweenInterfacesWithoutAFile() throws Exception
    {
        try (ChildProcess process = lab.router().start(
            JavaProgram.command("org.fibnuma.fibnic.command.FibnumaCommand", "router", "r0", "r1", "--name", name)))
        {
            process.awaitLine("ready"::equals, RouterLifeLab.PATIENCE);
            meet();
            try (SteadyFlow flow = new SteadyFlow(lab,
                    SteadyFlow.open(a, "10.0.0.2", 0), SteadyFlow.open(b, "10.0.1.2", SteadyFlow.PORT)))
            {
                final JsonNode ports = lab.ask("ports").get("ports");
                assertEquals(List.of("r0", "r1"), ports.findValuesAsText("name"));
                assertEquals(List.of("xdp:r0", "xdp:r1"), ports.findValuesAsText("device"));
                Await.atLeast("forwarded frames", 100, lab::forwarded);
                assertEquals("the router was started without a file; restart it with -c FILE",
                    lab.refusal(ControlProtocol.request("reload")));
                flow.assertNothingLost();
            }
            process.terminate();
            assertEquals(0, process.awaitExit(RouterLifeLab.PATIENCE));
        }
    }

    /**
     * Even versions deny one UDP port, odd ones another; every version has a list of another name for the left port;
     * two of three versions have a third port.
     */
    private String config(final int version)
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

    private List<String> uses()
    {
        final List<String> uses = new ArrayList<>();
        lab.ask("acl").get("ports").forEach(use -> uses.add(String.join(" ",
            use.get("port").asText(), use.get("direction").asText(), use.get("list").asText())));
        return uses;
    }

    private static void replace(final Path file, final String text) throws IOException
    {
        final Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
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
