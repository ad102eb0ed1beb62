package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The live page of a router that forwards between namespaces, in Chromium in the router's namespace. */
@NamespaceTest({"curl", "chromium", "chromedriver"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class PageSystemTest
{
    private static final String ORIGIN = "http://127.0.0.1:9473/";
    private static final String HTTP = "[http]\n";

    /** Nanoseconds that the classifier takes for a packet; its name may be broken at the second capital letter. */
    private static final String TIME = "//table[@id='times']//tr[th[starts-with(., 'Frame')]]/*[2]";

    private static final String BAD_CHECKSUM = "#drops tr[data-reason='ipv4-bad-checksum']:not([data-port])";

    private RouterLab lab;
    private PageBrowser browser;

    @BeforeAll
    void openThePage(@TempDir final Path directory)
    {
        LabDevice.chosen().requireHost();
        lab = RouterLab.open("page");
        lab.startRouter("", HTTP, Map.of());
        lab.router().run("ip", "link", "set", "lo", "up");
        browser = new PageBrowser(lab.router().host(), directory);
        browser.open(ORIGIN);
    }

    @AfterAll
    void close()
    {
        CloseHelper.closeAll(browser, lab);
    }

    @Test
    void shouldShowTrafficAndDropsAsTheyHappen() throws IOException
    {
        browser.awaitLive();
        assertEquals(lab.name(), browser.text("#router"));
        final long dropped = browser.dropped("ipv4-bad-checksum");
        final long droppedByLeft = browser.dropped("ipv4-bad-checksum", "left");
        final long droppedByRight = browser.dropped("ipv4-bad-checksum", "right");
        try (ChildProcess ping = lab.a().host().start("ping", "-q", "-i", "0.01", "10.0.1.2"))
        {
            // A hundred echo requests a second and as many answers.
            browser.await("traffic", () -> browser.number("#forwarded") > 50 && browser.number(cell("left", 3)) > 25 &&
                browser.number(cell("right", 4)) > 25 && browser.number("#received-bits") > 1);
            lab.a().send(
                ip("10.0.0.2", BEYOND_B + "1", "chksum=1") + UDP + "/b'x'");
            browser.await("the drop", () -> browser.dropped("ipv4-bad-checksum") == dropped + 1 &&
                browser.dropped("ipv4-bad-checksum", "left") == droppedByLeft + 1);
            lab.b().send(
                ip("10.0.1.2", "10.0.0.2", "chksum=1") + UDP + "/b'x'");
            browser.await("the drop of another port", () -> browser.dropped("ipv4-bad-checksum") == dropped + 2 &&
                browser.dropped("ipv4-bad-checksum", "right") == droppedByRight + 1);
            assertEquals(droppedByLeft + 1, browser.dropped("ipv4-bad-checksum", "left"));
            assertTrue(browser.text(BAD_CHECKSUM + " th").contains("The IPv4 header checksum is wrong."));
            assertFalse(browser.text(BAD_CHECKSUM + " th").contains("fibnuma capture"));
            browser.run("document.querySelector(\"" + BAD_CHECKSUM + " details\").open = true");
            assertTrue(browser.text(BAD_CHECKSUM + " th").contains("fibnuma capture"));
            browser.await("the line of drops", () -> browser.has("#drops-chart .line.drop[d^='M']"));
            assertTrue(browser.text("//tr[th[starts-with(., 'left')]]/th").contains("10.0.0.1/24"));
            assertEquals(3, browser.count("#ports tbody tr .badge[data-state='up']"));
            final String drawn = browser.line();
            browser.await("a longer line", () -> !browser.line().equals(drawn));
            search("198.51.100.7");
            browser.run("document.getElementById('details').open = true");
            browser.await("a time of a stage", () -> browser.has(TIME) && browser.number(TIME) > 0);
            browser.writeScreenshots("router");
            ping.kill();
        }
        browser.await("an end of the traffic", () -> browser.number(cell("left", 3)) < 25);
        assertEquals(List.of(), browser.newErrors());
    }

    @Test
    void shouldShowTheTimeBeforeItWasOpened() throws InterruptedException
    {
        while (lab.router().run("curl", "-sSf", ORIGIN + "history").split(",\"drops\"")[0].split(",").length < 4)
        {
            TimeUnit.SECONDS.sleep(1);
        }
        browser.open(ORIGIN);
        browser.awaitLive();
        // A page that began with its first event would have a point every five seconds.
        browser.await("three points", () -> browser.line().split("L").length >= 3);
        assertTrue(browser.requests().contains(ORIGIN + "history"), browser.requests()::toString);
        assertEquals(List.of(), browser.newErrors());
    }

    @Test
    void shouldShowTheValuesUnderThePointerInPacketsOrBits()
    {
        browser.awaitLive();
        final String time = "\\d\\d:\\d\\d:\\d\\d: ";
        final String value = "(–|[0-9.]+( [kMG])?)";
        for (final String unit : List.of("bit/s", "pkt/s"))
        {
            final String quantity = unit.equals("bit/s") ? "bits" : "packets";
            browser.run("document.querySelector(\"#quantities input[value='" + quantity + "']\").click()");
            assertEquals(unit, browser.text("#traffic-chart .of-values"));
            final String text = browser.valuesAtPointer("#traffic-chart");
            assertTrue(text.matches(
                time + "received " + value + " " + unit + ", transmitted " + value + " " + unit), text);
            final String ofPort = browser.valuesAtPointer("#ports td.time");
            assertTrue(ofPort.endsWith(" " + unit), ofPort);
        }
        assertEquals("pkt/s", browser.text("#drops-chart .of-values"));
        final String drops = browser.valuesAtPointer("#drops-chart");
        assertTrue(drops.matches(time + "dropped " + value + " pkt/s.*"), drops);
        assertEquals(List.of(), browser.newErrors());
    }

    @Test
    void shouldShowTheSpeedAndTheLastLogLines()
    {
        browser.awaitLive();
        final String link = browser.text(cell("left", 2));
        assertTrue(LabDevice.chosen() != LabDevice.XDP || link.contains("10G"), link);
        lab.b().host().run("ip", "link", "set", "b0", "down");
        try
        {
            browser.await("the loss of carrier", () -> browser.text("#log").contains("port right: link down"));
        }
        finally
        {
            lab.b().host().run("ip", "link", "set", "b0", "up");
        }
        browser.await("the return of carrier", () -> browser.text("#log").contains("port right: link up"));
        assertEquals(List.of(), browser.newErrors());
    }

    private static String cell(final String port, final int column)
    {
        return "//tr[th[starts-with(., '" + port + "')]]/*[" + column + "]";
    }

    private void search(final String address)
    {
        browser.search(address);
        browser.await("an answer about " + address, () -> browser.text("#search-result").contains(address));
    }

    @Test
    void shouldSearchForRoutesAsLookupDoes()
    {
        browser.awaitLive();
        search(BEYOND_B + "1");
        final String result = browser.text("#search-result");
        assertTrue(result.contains(lab.lookup(BEYOND_B + "1").get("nextHop").asText()), result);
        assertTrue(result.contains(BEYOND_B + "0/24") && result.contains("right"), result);
        search(RouterLab.BEYOND_B6 + "1");
        assertTrue(browser.text("#search-result").contains(RouterLab.B6), browser.text("#search-result"));
        search(RouterLab.BLACKHOLE + "1");
        assertTrue(browser.text("#search-result").contains("blackhole"), browser.text("#search-result"));
        assertEquals(List.of(), browser.newErrors());

        browser.search("198.51.100.300");
        browser.await("the refusal", () -> browser.text("#search-error").equals(
            "\"198.51.100.300\" is not an IP address; give one such as 192.0.2.1 or 2001:db8::1"));
        assertEquals("", browser.text("#search-result"));
        // Chromium itself reports each answer of status 400.
        final List<String> errors = browser.newErrors();
        assertTrue(errors.size() == 1 && errors.get(0).contains("status of 400"), errors::toString);
    }

    @Test
    void shouldSayThatTheConnectionIsLostAndConnectAgain()
    {
        assumeTrue(LabDevice.chosen() == LabDevice.XDP, "other interfaces of the hosts end with the router");
        browser.awaitLive();
        lab.stopRouter();
        browser.await("the notice", () -> browser.text("#notice").startsWith("Connection to the router lost at "));
        assertEquals("connection lost", browser.text("#status-text"));
        lab.startRouter("", HTTP, Map.of());
        browser.awaitLive();
        assertEquals("", browser.text("#notice"));
        final String uptime = browser.text("#uptime");
        browser.await("a further event", () -> !browser.text("#uptime").equals(uptime));
        final List<String> errors = browser.newErrors();
        assertTrue(errors.stream().allMatch(error -> error.contains("/events - Failed to load resource: net::ERR_")),
            errors::toString);
    }

    @Test
    void shouldLoadNothingFromElsewhere()
    {
        browser.awaitLive();
        search(BEYOND_B + "1");
        assertTrue(browser.requests().contains(ORIGIN + "events"), browser.requests()::toString);
        assertTrue(browser.requests().stream().allMatch(url -> url.startsWith(ORIGIN)), browser.requests()::toString);
    }

    @Test
    void shouldAnswerOnlyToReadersOfItsOwnSite()
    {
        assertEquals("421", status("-H", "Host: evil.example:9473"));
        assertEquals("403", status("-H", "Sec-Fetch-Site: cross-site"));
        assertEquals("405", status("-X", "POST"));
        assertEquals("200", status("-I"));
    }

    private String status(final String... options)
    {
        final List<String> command = new ArrayList<>(
            List.of("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", ORIGIN));
        command.addAll(List.of(options));
        return lab.router().run(command.toArray(new String[0]));
    }
}
