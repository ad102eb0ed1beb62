package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.fibnuma.core.Signal;
import org.fibnuma.core.netns.ChildProcess;
import org.fibnuma.core.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A port is removed from a running router and added again while two others forward. */
class PortChangeSystemTest
{
    private static final int ROUNDS = 12;
    private static final int MTU = 1500;
    private static final Pattern SEQUENCE = Pattern.compile("icmp_seq=(\\d+)");

    private final RouterLifeLab lab = RouterLifeLab.open();
    private final Host third = Host.open("third");
    private RouterProcess process;
    private ControlClient client;

    @BeforeAll
    static void require()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ping", "iputils-ping");
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(client, process, third, lab);
    }

    @Test
    void shouldComeAndGoWhileOtherPortsLoseNothing() throws IOException
    {
        third.connect("h0", lab.router(), "r2", MTU);
        third.address("h0", "10.0.2.2/24");
        lab.router().address("r2", "10.0.2.1/24");
        third.run("ip", "route", "add", "default", "via", "10.0.2.1");
        process = RouterProcess.start(lab.router(),
            lab.config("rx-ring-size = 256", "tx-ring-size = 256", "frames-per-worker = 2400") +
            "[[port]]\nname = \"third\"\ndevice = \"xdp:r2\"\n", RouterLifeLab.PATIENCE);
        client = lab.client();
        assertTrue(lab.pings(5), this::errors);
        pingThird(5);
        refuse();
        remove();
        add();
        final long files = openFiles();
        final long rings = mappedRings();
        try (ChildProcess others = lab.left().start("ping", "-n", "-i", "0.005", "10.0.1.2");
            ChildProcess toThird = lab.right().start("ping", "-n", "-q", "-i", "0.005", "10.0.2.2"))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                remove();
                assertFalse(lab.hasProgram("r2"));
                assertEquals(List.of("left", "right"), ports());
                assertTrue(mappedRings() < rings);
                // By the kernel.
                pingThird(2);
                add();
                assertTrue(lab.hasProgram("r2"));
                assertEquals(List.of("left", "right", "third"), ports());
                final long before = sentByThird();
                pingThird(3);
                assertTrue(sentByThird() >= before + 3, "by the kernel, not the router");
            }
            assertTrue(toThird.isAlive());
            assertNothingLost(others);
        }
        assertEquals(files, openFiles());
        assertEquals(rings, mappedRings());
        assertTrue(client.ask(ControlProtocol.request("verify")).get("equal").asBoolean());
        comeAndGoByReload();
        refuseAMissingInterface();
        assertTrue(lab.pings(5), this::errors);
        assertEquals(0, process.terminate(), this::errors);
    }

    private void refuse()
    {
        assertEquals("there is no port \"fourth\"; the ports are left, right, third", refusal("remove", "fourth"));
        assertEquals("port third is not removed; show ports lists the ports", refusal("add", "third"));
    }

    private void comeAndGoByReload() throws IOException
    {
        final Path file = Path.of(reload().get("file").asText());
        final String all = Files.readString(file);
        Files.writeString(file, all.substring(0, all.indexOf("[[port]]\nname = \"third\"")));
        assertEquals("port third removed", changeIn(reload()));
        assertEquals(List.of("left", "right"), ports());
        assertFalse(lab.hasProgram("r2"));
        Files.writeString(file, all.replace("[router]", "[router]\npunts-per-second = 777"));
        lab.router().run("ip", "link", "set", "r2", "down");
        assertEquals("port third (xdp:r2): the interface is down: ip link set r2 up",
            assertThrows(IOException.class, this::reload).getMessage());
        assertEquals(List.of("left", "right"), ports());
        lab.router().run("ip", "link", "set", "r2", "up");
        Files.writeString(file, all);
        assertEquals("port third added", changeIn(reload()));
        assertTrue(lab.hasProgram("r2"));
    }

    private JsonNode reload() throws IOException
    {
        return client.ask(ControlProtocol.request("reload"));
    }

    private static String changeIn(final JsonNode answer)
    {
        assertEquals(1, answer.get("changes").size(), answer::toString);
        return answer.get("changes").get(0).get("subject").asText() + " " +
            answer.get("changes").get(0).get("change").asText();
    }

    /** In the end, because the interface does not come back. */
    private void refuseAMissingInterface() throws IOException
    {
        remove();
        lab.router().run("ip", "link", "set", "r2", "down");
        assertEquals("port third (xdp:r2): the interface is down: ip link set r2 up", refusal("add", "third"));
        lab.router().run("ip", "link", "delete", "r2");
        assertEquals("port third (xdp:r2): there is no interface r2 in this network namespace: ip link shows them",
            refusal("add", "third"));
        assertEquals(List.of("left", "right"), ports());
    }

    private String refusal(final String what, final String port)
    {
        return assertThrows(IOException.class, () -> change(what, port)).getMessage();
    }

    private void remove() throws IOException
    {
        assertEquals("removed", change("remove", "third").get("change").asText());
    }

    private void add() throws IOException
    {
        assertEquals("added", change("add", "third").get("change").asText());
    }

    private JsonNode change(final String what, final String port) throws IOException
    {
        return client.ask(ControlProtocol.request("port-" + what).put("port", port));
    }

    private List<String> ports() throws IOException
    {
        final List<String> names = new ArrayList<>();
        client.ask(ControlProtocol.request("ports")).get("ports").forEach(port -> names.add(port.get("name").asText()));
        return names;
    }

    private long sentByThird() throws IOException
    {
        return client.ask(ControlProtocol.request("ports")).get("ports").get(2).get("txFrames").asLong();
    }

    private void pingThird(final int count)
    {
        lab.left().run("ping", "-n", "-q", "-c", Integer.toString(count), "-i", "0.05", "-W", "20", "10.0.2.2");
    }

    private long openFiles() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd")))
        {
            return files.count();
        }
    }

    /** Rings of AF_XDP sockets in the router's memory. */
    private long mappedRings() throws IOException
    {
        try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(process.pid()), "maps")))
        {
            return maps.filter(line -> line.contains("socket:[")).count();
        }
    }

    private static void assertNothingLost(final ChildProcess ping)
    {
        Signal.send("INT", ping.pid());
        ping.awaitExit(RouterLifeLab.PATIENCE);
        final List<Integer> answered = ping.output().stream().map(SEQUENCE::matcher).filter(Matcher::find)
            .map(line -> Integer.parseInt(line.group(1))).sorted().collect(Collectors.toList());
        assertTrue(answered.size() > 100, () -> answered.size() + " answers");
        // The signal may come between the last requests and their answers.
        assertEquals(
            IntStream.rangeClosed(1, answered.get(answered.size() - 1)).boxed().collect(Collectors.toList()), answered);
    }

    private String errors()
    {
        return String.join("\n", process.errors());
    }
}
