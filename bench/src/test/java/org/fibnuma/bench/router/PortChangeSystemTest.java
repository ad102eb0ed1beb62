package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Signal;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A port is removed from a running router and added again, and new ports take a spare place, while two others forward.
 */
@NamespaceTest({"ping", "curl"})
class PortChangeSystemTest
{
    private static final int ROUNDS = 12;
    private static final int MTU = 1500;
    private static final Pattern RECEIVED =
        Pattern.compile("^fibnuma_port_received_packets_total\\{port=\"([^\"]+)\"}");
    private static final Pattern SEQUENCE = Pattern.compile("icmp_seq=(\\d+)");

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    @AutoClose
    private final Host third = Host.open("third");
    @AutoClose
    private final Host fourth = Host.open("fourth");
    private RouterProcess process;

    @Test
    void shouldComeAndGoWhileOtherPortsLoseNothing() throws IOException
    {
        lab.connect(third, "r2", "10.0.2.");
        process = lab.startConfigured(
            lab.config("rx-ring-size = 256", "tx-ring-size = 256", "frames-per-worker = 3200", "spare-ports = 1") +
            "[http]\n" + RouterLifeLab.port("third", "xdp:r2"));
        lab.assertPings(5);
        pingThird(5);
        refuse();
        remove();
        add();
        final long files = process.settledOpenFiles();
        final long rings = mappedRings();
        try (ChildProcess others = lab.left().start("ping", "-n", "-i", "0.005", "10.0.1.2");
            ChildProcess toThird = lab.right().start("ping", "-n", "-q", "-i", "0.005", "10.0.2.2"))
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                remove();
                assertFalse(lab.hasProgram("r2"));
                assertEquals(List.of("left", "right"), ports());
                refuseRemoved();
                assertTrue(mappedRings() < rings);
                // By the kernel.
                pingThird(2);
                add();
                assertTrue(lab.hasProgram("r2"));
                assertEquals(List.of("left", "right", "third"), ports());
                final long before = count("third", "txFrames");
                pingThird(3);
                awaitCount("third", "txFrames", before + 3);
            }
            assertTrue(toThird.isAlive());
            assertNothingLost(others);
        }
        assertEquals(files, process.settledOpenFiles());
        assertEquals(rings, mappedRings());
        lab.assertVerified();
        comeAndGoByReload();
        addNewPorts();
        refuseAMissingInterface();
        lab.assertPings(5);
        lab.terminate();
    }

    @Test
    void shouldRemoveAndAddAPortWithFaults()
    {
        final String device = "fault:dup=50,seed=7/xdp:r1";
        lab.startConfigured(lab.config().replace("xdp:r1", device));
        lab.assertPings(5);
        assertEquals(device, change("remove", "right").get("device").asText());
        assertFalse(lab.hasProgram("r1"));
        assertEquals(List.of("left"), ports());
        assertEquals(device, change("add", "right").get("device").asText());
        assertTrue(lab.hasProgram("r1"));
        assertEquals(List.of("left", "right"), ports());
        final long before = count("right", "txFrames");
        lab.assertPings(5);
        awaitCount("right", "txFrames", before + 5);
        lab.terminate();
    }

    /** Ports of kinds that stay as long as the router. */
    @Test
    void shouldKeepPortsThatAreMadeWithTheRouter()
    {
        final String link = "test-kept-" + ProcessHandle.current().pid();
        lab.startConfigured(lab.config() + RouterLifeLab.port("made", "tap:made0") +
            RouterLifeLab.port("memory", "shm:" + link, "exception = \"tap:e-memory\""));
        lab.assertPings(5);
        assertEquals("port made (tap:made0): cannot be removed while the router runs, because its interface in the " +
            "kernel is made with the port and deleted with it, addresses and routes included",
            refusal("remove", "made"));
        assertEquals("port memory (shm:" + link + "): cannot be removed while the router runs, because the " +
            "kernel has no interface of it, from which an added port has its addresses and routes and to which a " +
            "removed one leaves them", refusal("remove", "memory"));
        assertEquals(List.of("left", "right", "made", "memory"), ports());
        assertEquals("removed", change("remove", "right").get("change").asText());
        assertEquals(List.of("left", "made", "memory"), ports());
        assertEquals("added", change("add", "right").get("change").asText());
        final long before = count("right", "txFrames");
        lab.assertPings(5);
        awaitCount("right", "txFrames", before + 5);
        lab.terminate();
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
            lab.refusal(ControlProtocol.request("reload")));
        assertEquals(List.of("left", "right"), ports());
        lab.router().run("ip", "link", "set", "r2", "up");
        Files.writeString(file, all);
        assertEquals("port third added", changeIn(reload()));
        assertTrue(lab.hasProgram("r2"));
    }

    /** Interfaces that the router did not have at its start; the second one gets the place of the first. */
    private void addNewPorts() throws IOException
    {
        fourth.connect("h0", lab.router(), "r3", MTU);
        fourth.connect("h1", lab.router(), "r4", MTU);
        addressFourth("h0", "r3", "10.0.3.", "1");
        addressFourth("h1", "r4", "10.0.4.", "2");
        refuseNewPorts();
        try (ChildProcess others = lab.left().start("ping", "-n", "-i", "0.005", "10.0.1.2"))
        {
            addNew("fourth", "xdp:r3");
            assertEquals(List.of("left", "right", "third", "fourth"), ports());
            assertTrue(lab.hasProgram("r3"));
            assertForwards("fourth", "10.0.3.2");
            assertEquals(List.of("fourth", "left", "right", "third"), portsOfMetrics());
            assertEquals("fourth", lab.lookup("10.0.3.2").get("port").asText());
            lab.assertVerified();
            assertEquals("port fifth (xdp:r4): all 4 places have ports: remove one, or set spare-ports in " +
                reload().get("file").asText() + " to more than 1 and restart", refusalOfNew("fifth", "xdp:r4"));
            assertEquals("removed", change("remove", "fourth").get("change").asText());
            assertFalse(lab.hasProgram("r3"));
            addNew("fifth", "xdp:r4");
            assertEquals(List.of("left", "right", "third", "fifth"), ports());
            assertEquals(0, count("fifth", "txFrames"), "those of the port that had the place before");
            assertForwards("fifth", "10.0.4.2");
            assertEquals(List.of("fifth", "left", "right", "third"), portsOfMetrics());
            // By the kernel.
            pingFromLeft(3, "10.0.3.2");
            lab.assertVerified();
            assertEquals("removed", change("remove", "fifth").get("change").asText());
            assertNothingLost(others);
        }
        addNewByReload();
    }

    /** Answers leave by the interface that has their source. */
    private void addressFourth(
        final String device, final String routerDevice, final String network, final String table)
    {
        fourth.address(device, network + "2/24");
        lab.router().address(routerDevice, network + "1/24");
        fourth.run("ip", "route", "add", "default", "via", network + "1", "table", table);
        fourth.run("ip", "rule", "add", "from", network + "2", "lookup", table);
    }

    private void refuseNewPorts() throws IOException
    {
        final long files = process.settledOpenFiles();
        assertEquals("port missing (xdp:missing): there is no interface missing in this network namespace: " +
            "ip link shows them", refusal("add", "missing"));
        assertEquals("port other: \"xdp:r1\" is taken by port right; give another", refusalOfNew("other", "xdp:r1"));
        assertEquals("port other (tap:t0): cannot be added while the router runs, because its interface in the " +
            "kernel is made with the port and deleted with it, addresses and routes included; add a [[port]] to " +
            "its file and restart it", refusalOfNew("other", "tap:t0"));
        lab.router().run("ip", "link", "set", "r4", "mtu", "3000");
        assertEquals("port other (xdp:r4): its MTU needs frame-size = 4096, and the router runs with 2048; lower the " +
            "MTU, or set it in " + reload().get("file").asText() + " and restart", refusalOfNew("other", "xdp:r4"));
        lab.router().run("ip", "link", "set", "r4", "mtu", Integer.toString(MTU));
        assertEquals(List.of("left", "right", "third"), ports());
        assertEquals(files, process.settledOpenFiles());
        assertFalse(lab.hasProgram("r4"));
    }

    private void addNewByReload() throws IOException
    {
        final Path file = Path.of(reload().get("file").asText());
        final String before = Files.readString(file);
        Files.writeString(file, before + RouterLifeLab.port("fourth", "xdp:r3", "acl-in = \"closed\"") +
            "[[acl]]\nname = \"closed\"\n");
        lab.ask("reload");
        assertEquals(List.of("left", "right", "third", "fourth"), ports());
        assertEquals("closed", lab.ask("acl").get("ports").get(0).get("list").asText());
        assertFalse(HostPrograms.pings(lab.left(), "10.0.3.2", 1, 1), "the list denies the answer");
        Files.writeString(file, before + RouterLifeLab.port("fourth", "xdp:r3"));
        lab.ask("reload");
        assertForwards("fourth", "10.0.3.2");
        Files.writeString(file, before);
        assertEquals("port fourth removed", changeIn(reload()));
        assertFalse(lab.hasProgram("r3"));
        assertEquals(List.of("left", "right", "third"), ports());
    }

    private void assertForwards(final String port, final String host)
    {
        final long received = count(port, "rxFrames");
        final long sent = count(port, "txFrames");
        pingFromLeft(3, host);
        awaitCount(port, "rxFrames", received + 3);
        awaitCount(port, "txFrames", sent + 3);
    }

    /** Frames that the kernel forwards instead are not counted. */
    private void awaitCount(final String port, final String counter, final long least)
    {
        Await.atLeast(counter + " of " + port, least, () -> count(port, counter));
    }

    private void addNew(final String name, final String device)
    {
        assertEquals("added", lab.ask(newPort(name, device)).get("change").asText());
    }

    private String refusalOfNew(final String name, final String device)
    {
        return lab.refusal(newPort(name, device));
    }

    private static ObjectNode newPort(final String name, final String device)
    {
        return ControlProtocol.request("port-add").put("port", name).put("device", device);
    }

    private JsonNode reload()
    {
        return lab.ask("reload");
    }

    private static String changeIn(final JsonNode answer)
    {
        assertEquals(1, answer.get("changes").size(), answer::toString);
        return answer.get("changes").get(0).get("subject").asText() + " " +
            answer.get("changes").get(0).get("change").asText();
    }

    /** In the end, because the interface does not come back. */
    private void refuseAMissingInterface()
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
        return lab.refusal(request(what, port));
    }

    private void refuseRemoved()
    {
        assertEquals("there is no port \"fourth\"; the ports are left, right", refusal("remove", "fourth"));
        final ObjectNode capture = ControlProtocol.request("capture");
        capture.putArray("ports").add("third");
        assertEquals("no port \"third\"; the router has left, right",
            lab.refusal(capture));
    }

    private void remove()
    {
        assertEquals("removed", change("remove", "third").get("change").asText());
    }

    private void add()
    {
        assertEquals("added", change("add", "third").get("change").asText());
    }

    private JsonNode change(final String what, final String port)
    {
        return lab.ask(request(what, port));
    }

    private static ObjectNode request(final String what, final String port)
    {
        return ControlProtocol.request("port-" + what).put("port", port);
    }

    private List<String> ports()
    {
        return lab.ask("ports").get("ports").findValuesAsText("name");
    }

    private List<String> portsOfMetrics()
    {
        return lab.router().run("curl", "-sSf", "http://127.0.0.1:9473/metrics").lines()
            .map(RECEIVED::matcher).filter(Matcher::find).map(line -> line.group(1)).sorted()
            .toList();
    }

    private long count(final String port, final String counter)
    {
        return lab.port(ports().indexOf(port)).get(counter).asLong();
    }

    private void pingThird(final int count)
    {
        pingFromLeft(count, "10.0.2.2");
    }

    private void pingFromLeft(final int count, final String host)
    {
        assertTrue(HostPrograms.pings(lab.left(), host, count, 20), lab::log);
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
            .map(line -> Integer.parseInt(line.group(1))).sorted().toList();
        assertTrue(answered.size() > 100, () -> answered.size() + " answers");
        // The signal may come between the last requests and their answers.
        assertEquals(
            IntStream.rangeClosed(1, answered.get(answered.size() - 1)).boxed().toList(), answered);
    }
}
