package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The live page and the metrics of an endpoint that writes to another one in a second namespace, and has a third peer
 * that does not exist. Chromium is in the namespace of the first.
 */
@NamespaceTest({"ping", "curl", "promtool", "chromium", "chromedriver"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class EndpointPageSystemTest
{
    private static final String IPNUMA = "org.fibnuma.ipnuma.command.IpnumaCommand";
    private static final String ORIGIN = "http://127.0.0.1:9474/";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final String name = "page-e-" + ProcessHandle.current().pid();

    private Path directory;
    private Host a;
    private Host b;
    private EndpointPair endpoints;
    private PageBrowser browser;

    @BeforeAll
    void openThePage(@TempDir final Path temporary) throws IOException
    {
        directory = temporary;
        a = Host.open("a");
        b = Host.open("b");
        endpoints = new EndpointPair(name, a, b, directory);
        browser = new PageBrowser(a, directory);
        browser.open(ORIGIN);
    }

    @AfterAll
    void close()
    {
        CloseHelper.closeAll(browser, endpoints, a, b);
    }

    @Test
    void shouldShowTrafficPeersAndDropsAsTheyHappen() throws Exception
    {
        browser.awaitLive();
        assertEquals(endpoints.nearName(), browser.text("#endpoint"));
        endpoints.startWrites();
        browser.await("traffic", () -> browser.number(cell("2", 4)) > 50 && browser.number(cell("2", 3)) > 10 &&
            browser.number("#sent-bits") > 1);
        assertEquals("up", browser.text(state("2")));
        assertEquals("down", browser.text(state("3")));
        assertEquals(1, browser.number("#peers-up"));
        // An endpoint answers no ping.
        b.run("sh", "-c", "ping -q -c 2 -w 1 10.9.0.1; true");
        browser.await("the drop", () -> browser.dropped("not-udp") > 0);
        assertTrue(browser.text("#drops").contains("The packet is IPv4, but not UDP."), browser.text("#drops"));
        assertTrue(browser.text("#regions").contains("64.0 KiB"), browser.text("#regions"));
        final String drawn = browser.line();
        browser.await("a longer line", () -> !browser.line().equals(drawn));
        browser.writeScreenshots("endpoint");
        endpoints.stopWrites();
        browser.await("an end of the traffic", () -> browser.number(cell("2", 4)) < 50);
        assertEquals(List.of(), browser.newErrors());
        browser.requests().forEach(url -> assertTrue(url.startsWith(ORIGIN), url));
        assertTrue(browser.requests().contains(ORIGIN + "events"), browser.requests()::toString);
    }

    @Test
    void shouldSayThatTheConnectionIsLostAndConnectAgain() throws IOException
    {
        browser.awaitLive();
        endpoints.stopNear();
        browser.await("the notice", () -> browser.text("#notice").startsWith("Connection to the endpoint lost at "));
        assertEquals("connection lost", browser.text("#status-text"));
        endpoints.startNear();
        browser.awaitLive();
        assertEquals("", browser.text("#notice"));
        browser.await("the peer", () -> browser.text(state("2")).equals("up"));
        final List<String> errors = browser.newErrors();
        assertTrue(errors.stream().allMatch(error -> error.contains("/events - Failed to load resource: net::ERR_")),
            errors::toString);
    }

    @Test
    void shouldShowPeersThatAReloadRemovesAndAdds() throws IOException
    {
        browser.awaitLive();
        final String third = "[[peer]]\nid = 3\naddress = \"10.9.0.3\"\n";
        final Path file = directory.resolve("a.toml");
        final String whole = Files.readString(file);
        Files.writeString(file, whole.replace(third, ""));
        assertEquals(List.of("peer 3 10.9.0.3 removed", "region box: allow changed", "region counters: allow changed"),
            reload(0));
        browser.await("a peer less", () -> browser.count("#peers tbody tr") == 1);
        Files.writeString(file, whole + "colour = 1\n");
        final String refusal = reload(1).get(0);
        assertTrue(refusal.startsWith("fibnuma: " + file + ":") && refusal.contains("colour"), refusal);
        Files.writeString(file, whole);
        assertEquals("peer 3 10.9.0.3 added", reload(0).get(0));
        browser.await("its row", () -> browser.count(state("3")) == 1);
        browser.await("the peer", () -> browser.text(state("3")).equals("down"));
        assertTrue(endpoints.near().isAlive());
    }

    /** Returns the lines that the command prints. */
    private List<String> reload(final int status)
    {
        try (ChildProcess command = ChildProcess.start(
            JavaProgram.command(IPNUMA, "reload", "--name", endpoints.nearName())))
        {
            assertEquals(status, command.awaitExit(PATIENCE), () -> command.errors().toString());
            return status == 0 ? command.output() : command.errors();
        }
    }

    @Test
    void shouldPleasePromtool()
    {
        final Path text = directory.resolve("metrics.txt");
        a.run("curl", "-sSf", "-o", text.toString(), ORIGIN + "metrics");
        assertEquals("", a.run("sh", "-c", "promtool check metrics < " + text + " 2>&1"));
        final String rules = a.run("promtool", "check", "rules", Require.projectDirectory()
            .resolve("packaging/prometheus/fibnuma-endpoint-alerts.yml").toAbsolutePath().toString());
        assertTrue(rules.contains("SUCCESS: 6 rules found"), rules);
        assertTrue(a.run("curl", "-s", ORIGIN + "health").startsWith("peers that are down: "));
    }

    private static String cell(final String peer, final int column)
    {
        return "#peers tr[data-peer='" + peer + "'] > :nth-child(" + column + ")";
    }

    private static String state(final String peer)
    {
        return "#peers tr[data-peer='" + peer + "'] .badge";
    }
}
