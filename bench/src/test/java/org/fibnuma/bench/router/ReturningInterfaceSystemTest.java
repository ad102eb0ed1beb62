package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.Signal;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Interfaces that are deleted under a running router and made again, and one that is given another address. */
class ReturningInterfaceSystemTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 4;
    private static final int MTU = 1500;
    private static final String BACK = "xdp:r0): the device is back: taken up as interface index ";
    private static final String DOWN = "port left (xdp:r0): the interface is down";
    private static final Pattern SUMMARY = Pattern.compile("(\\d+) packets transmitted, (\\d+) received.*");
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";

    private final RouterLifeLab lab = RouterLifeLab.open();
    private final Host third = Host.open("third");
    private RouterProcess process;

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
        CloseHelper.closeAll(process, third, lab);
    }

    /** With so few frames that the rings of two deletions, if they were lost, would leave none to forward. */
    @Test
    void shouldTakeItUpAgainAndAgainWhileOtherPortsLoseNothing(final TestReporter reporter) throws IOException
    {
        third.connect("h0", lab.router(), "r2", MTU);
        third.address("h0", "10.0.2.2/24");
        lab.router().address("r2", "10.0.2.1/24");
        third.run("ip", "route", "add", "default", "via", "10.0.2.1");
        start(lab.config("rx-ring-size = 256", "tx-ring-size = 256", "frames-per-worker = 2400") +
            "[[port]]\nname = \"third\"\ndevice = \"xdp:r2\"\n");
        assertTrue(lab.pings(5), this::errors);
        lab.right().run("ping", "-n", "-q", "-c", "5", "-i", "0.05", "-W", "20", "10.0.2.2");
        try (ChildProcess others = lab.right().start("ping", "-n", "-q", "-i", "0.005", "10.0.2.2");
            ChildProcess toLeft = lab.right().start("ping", "-n", "-q", "-i", "0.005", "10.0.0.2"))
        {
            for (int round = 1; round <= ROUNDS; round++)
            {
                deleteAndMakeAgain(round);
                assertTrue(lab.pings(20), this::errors);
                final JsonNode answer = lab.ask("verify");
                assertTrue(answer.get("equal").asBoolean(), () -> answer + errors());
            }
            assertTrue(toLeft.isAlive());
            Signal.send("INT", others.pid());
            others.awaitExit(PATIENCE);
            final Matcher summary = SUMMARY.matcher(others.output().stream()
                .filter(line -> SUMMARY.matcher(line).matches()).findFirst().orElseThrow());
            assertTrue(summary.matches());
            // The signal may come between a request and its answer.
            assertTrue(Integer.parseInt(summary.group(1)) - Integer.parseInt(summary.group(2)) <= 1, summary.group());
        }
        lab.left().run("ping", "-n", "-q", "-f", "-c", "3000", "10.0.1.2");
        final JsonNode drops = lab.ask("drops");
        assertTrue(drops.get("balanced").asBoolean(), drops.toString());
        reporter.publishEntry("us of the control thread's longest duty cycle",
            lab.ask("stages").findPath("controlLongestCycleUs").asText());
        assertEquals(0, process.terminate(), this::errors);
    }

    @Test
    void shouldPollTheNewInterfaceAndLeaveItAsItWas() throws IOException
    {
        start(lab.config("busy-poll-us = 20"));
        assertEquals("2", value(DEFER_IRQS), this::errors);
        deleteAndMakeAgain(1);
        assertEquals("2", value(DEFER_IRQS), this::errors);
        assertTrue(lab.pings(10), this::errors);
        assertEquals(0, process.terminate(), this::errors);
        assertEquals("0", value(DEFER_IRQS));
    }

    /** Behind faults, too. */
    @Test
    void shouldTakeItUpWhereTheConfigurationHasTheTables() throws IOException
    {
        start(staticConfig());
        assertTrue(lab.pings(5), this::errors);
        deleteAndMakeAgain(1);
        lab.left().run("ip", "link", "set", "h0", "address", "02:00:00:00:00:10");
        assertForwardsFor(lab.router().macAddress("r0"));
        giveAddress("02:00:00:00:12:34");
        assertForwardsFor("02:00:00:00:12:34");
    }

    @Test
    void shouldFollowTheAddressOfAnInterface() throws IOException
    {
        start(lab.config());
        assertTrue(lab.pings(5), this::errors);
        giveAddress("02:00:00:00:12:34");
        assertForwardsFor("02:00:00:00:12:34");
        assertTrue(lab.ask("verify").get("equal").asBoolean());
    }

    /** Each port keeps its interface, so that its network is forwarded, as by the kernel without a router. */
    @Test
    void shouldForwardAfterInterfacesHaveSwappedTheirNames() throws IOException
    {
        start(lab.config());
        assertTrue(lab.pings(5), this::errors);
        lab.router().run("ip", "link", "set", "r0", "name", "x");
        lab.router().run("ip", "link", "set", "r1", "name", "r0");
        lab.router().run("ip", "link", "set", "x", "name", "r1");
        await(() -> errors().contains("port left (xdp:r0): its interface of index ") &&
            errors().contains("port right (xdp:r1): its interface of index "), "was renamed");
        final long before = forwarded();
        assertTrue(lab.pings(20), this::errors);
        Await.atLeast("frames forwarded by the router", before + 40, this::forwarded);
        final JsonNode ports = lab.ask("ports").get("ports");
        assertEquals("left r1 10.0.0.1/24 up, right r0 10.0.1.1/24 up",
            StreamSupport.stream(ports.spliterator(), false).map(port -> port.get("name").asText() + " " +
                port.get("interface").asText() + " " + port.get("addresses").get(0).asText() + " " +
                port.get("state").asText()).collect(Collectors.joining(", ")));
        final JsonNode answer = lab.ask("verify");
        assertTrue(answer.get("equal").asBoolean(), () -> answer + errors());
        assertFalse(errors().contains("the device is gone"), this::errors);
        assertEquals(0, process.terminate(), this::errors);
        assertFalse(lab.hasProgram("r0") || lab.hasProgram("r1"));
    }

    private void giveAddress(final String mac)
    {
        lab.router().run("ip", "link", "set", "r0", "address", mac);
        await(() -> errors().contains("xdp:r0): MAC " + mac), "has another MAC");
    }

    private void assertForwardsFor(final String mac) throws IOException
    {
        lab.left().run("ip", "neigh", "replace", "10.0.0.1", "lladdr", mac, "dev", "h0");
        final long before = forwarded();
        assertTrue(lab.pings(10), this::errors);
        Await.atLeast("frames forwarded by the router", before + 20, this::forwarded);
    }

    private void start(final String config)
    {
        process = RouterProcess.start(lab.router(), config, RouterLifeLab.PATIENCE);
    }

    /** The interface is down at first, as it is when it is made, and gets its address last. */
    private void deleteAndMakeAgain(final int round)
    {
        final long down = count(DOWN);
        lab.router().run("ip", "link", "delete", "r0");
        await(() -> count("xdp:r0): the device is gone") == round, "is gone");
        lab.left().run("ip", "link", "add", "h0", "numrxqueues", "1", "numtxqueues", "1", "type", "veth", "peer",
            "name", "h1", "numrxqueues", "1", "numtxqueues", "1");
        lab.left().run("ip", "link", "set", "h0", "up");
        final String namespace = lab.router().namespaceFile().replaceAll("\\D", "");
        lab.left().run("ip", "link", "set", "h1", "netns", namespace, "name", "r0");
        await(() -> count(DOWN) == down + 1, "is down");
        lab.router().run("ip", "link", "set", "r0", "up");
        await(() -> count(BACK) == round, "is back");
        assertEquals(down + 1, count(DOWN), "said once");
        lab.left().run("ip", "address", "add", "10.0.0.2/24", "dev", "h0");
        lab.left().run("ip", "route", "add", "default", "via", "10.0.0.1");
        lab.router().run("ip", "address", "add", "10.0.0.1/24", "dev", "r0");
    }

    private String staticConfig()
    {
        lab.left().run("ip", "link", "set", "h0", "address", "02:00:00:00:00:10");
        final String right = lab.right().macAddress("h0");
        return lab.config("control = \"static\"")
            .replace("device = \"xdp:r0\"", "device = \"fault:delay-us=20/xdp:r0\"\naddress = [\"10.0.0.1/24\"]")
            .replace("device = \"xdp:r1\"", "device = \"xdp:r1\"\naddress = [\"10.0.1.1/24\"]") +
            "[[neighbor]]\naddress = \"10.0.0.2\"\nmac = \"02:00:00:00:00:10\"\n" +
            "[[neighbor]]\naddress = \"10.0.1.2\"\nmac = \"" + right + "\"\n";
    }

    private long forwarded() throws IOException
    {
        return lab.ask("drops").get("forwarded").asLong();
    }

    private String value(final String file)
    {
        return lab.router().run("cat", "/sys/class/net/r0/" + file).strip();
    }

    private long count(final String text)
    {
        return process.errors().stream().filter(line -> line.contains(text)).count();
    }

    private String errors()
    {
        return String.join("\n", process.errors());
    }

    private void await(final BooleanSupplier condition, final String what)
    {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            assertTrue(process.isAlive() && System.nanoTime() - start < PATIENCE_NS,
                () -> "no line that it " + what + ":\n" + errors());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
