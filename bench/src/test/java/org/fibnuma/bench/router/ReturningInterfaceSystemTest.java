package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.Signal;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Interfaces that are deleted under a running router and made again, and one that is given another address. */
@NamespaceTest("ping")
class ReturningInterfaceSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 4;
    private static final String BACK = "xdp:r0): the device is back: taken up as interface index ";
    private static final String DOWN = "port left (xdp:r0): the interface is down";
    private static final Pattern SUMMARY = Pattern.compile("(\\d+) packets transmitted, (\\d+) received.*");
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    @AutoClose
    private final Host third = Host.open("third");

    /** With so few frames that the rings of two deletions, if they were lost, would leave none to forward. */
    @Test
    void shouldTakeItUpAgainAndAgainWhileOtherPortsLoseNothing(final TestReporter reporter)
    {
        lab.connect(third, "r2", "10.0.2.");
        lab.startConfigured(
            lab.config("rx-ring-size = 256", "tx-ring-size = 256", "frames-per-worker = 2400") +
            RouterLifeLab.port("third", "xdp:r2"));
        lab.assertPings(5);
        lab.right().run("ping", "-n", "-q", "-c", "5", "-i", "0.05", "-W", "20", "10.0.2.2");
        try (ChildProcess others = lab.right().start("ping", "-n", "-q", "-i", "0.005", "10.0.2.2");
            ChildProcess toLeft = lab.right().start("ping", "-n", "-q", "-i", "0.005", "10.0.0.2"))
        {
            for (int round = 1; round <= ROUNDS; round++)
            {
                deleteAndMakeAgain(round);
                lab.assertPings(20);
                lab.assertVerified();
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
        lab.assertBalanced();
        reporter.publishEntry("us of the control thread's longest duty cycle",
            lab.ask("stages").findPath("controlLongestCycleUs").asText());
        lab.terminate();
    }

    @Test
    void shouldPollTheNewInterfaceAndLeaveItAsItWas()
    {
        lab.start("busy-poll-us = 20");
        assertEquals("2", lab.value("r0", DEFER_IRQS), lab::log);
        deleteAndMakeAgain(1);
        assertEquals("2", lab.value("r0", DEFER_IRQS), lab::log);
        lab.assertPings(10);
        lab.terminate();
        assertEquals("0", lab.value("r0", DEFER_IRQS));
    }

    /** Behind faults, too. */
    @Test
    void shouldTakeItUpWhereTheConfigurationHasTheTables()
    {
        lab.startConfigured(staticConfig());
        lab.assertPings(5);
        deleteAndMakeAgain(1);
        lab.left().run("ip", "link", "set", "h0", "address", "02:00:00:00:00:10");
        assertForwardsFor(lab.router().macAddress("r0"));
        giveAddress("02:00:00:00:12:34");
        assertForwardsFor("02:00:00:00:12:34");
    }

    @Test
    void shouldFollowTheAddressOfAnInterface()
    {
        lab.start();
        lab.assertPings(5);
        giveAddress("02:00:00:00:12:34");
        assertForwardsFor("02:00:00:00:12:34");
        lab.assertVerified();
    }

    /** Each port keeps its interface, so that its network is forwarded, as by the kernel without a router. */
    @Test
    void shouldForwardAfterInterfacesHaveSwappedTheirNames()
    {
        lab.start();
        lab.assertPings(5);
        lab.router().run("ip", "link", "set", "r0", "name", "x");
        lab.router().run("ip", "link", "set", "r1", "name", "r0");
        lab.router().run("ip", "link", "set", "x", "name", "r1");
        lab.awaitLog("port left (xdp:r0): its interface of index ");
        lab.awaitLog("port right (xdp:r1): its interface of index ");
        final long before = lab.forwarded();
        lab.assertPings(20);
        Await.atLeast("frames forwarded by the router", before + 40, lab::forwarded);
        final JsonNode ports = lab.ask("ports").get("ports");
        assertEquals("left r1 10.0.0.1/24 up, right r0 10.0.1.1/24 up",
            StreamSupport.stream(ports.spliterator(), false).map(port -> port.get("name").asText() + " " +
                port.get("interface").asText() + " " + port.get("addresses").get(0).asText() + " " +
                port.get("state").asText()).collect(Collectors.joining(", ")));
        lab.assertVerified();
        assertEquals(0, lab.count("the device is gone"), lab::log);
        lab.terminate();
        assertFalse(lab.hasProgram("r0") || lab.hasProgram("r1"));
    }

    private void giveAddress(final String mac)
    {
        lab.router().run("ip", "link", "set", "r0", "address", mac);
        lab.awaitLog("xdp:r0): MAC " + mac);
    }

    private void assertForwardsFor(final String mac)
    {
        lab.left().run("ip", "neigh", "replace", "10.0.0.1", "lladdr", mac, "dev", "h0");
        final long before = lab.forwarded();
        lab.assertPings(10);
        Await.atLeast("frames forwarded by the router", before + 20, lab::forwarded);
    }

    /** The interface is down at first, as it is when it is made, and gets its address last. */
    private void deleteAndMakeAgain(final int round)
    {
        final long down = lab.count(DOWN);
        lab.router().run("ip", "link", "delete", "r0");
        lab.await("a line that it is gone", () -> lab.count("xdp:r0): the device is gone") == round);
        lab.left().run("ip", "link", "add", "h0", "numrxqueues", "1", "numtxqueues", "1", "type", "veth", "peer",
            "name", "h1", "numrxqueues", "1", "numtxqueues", "1");
        lab.left().run("ip", "link", "set", "h0", "up");
        final String namespace = lab.router().namespaceFile().replaceAll("\\D", "");
        lab.left().run("ip", "link", "set", "h1", "netns", namespace, "name", "r0");
        lab.await("a line that it is down", () -> lab.count(DOWN) == down + 1);
        lab.router().run("ip", "link", "set", "r0", "up");
        lab.await("a line that it is back", () -> lab.count(BACK) == round);
        assertEquals(down + 1, lab.count(DOWN), "said once");
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
}
