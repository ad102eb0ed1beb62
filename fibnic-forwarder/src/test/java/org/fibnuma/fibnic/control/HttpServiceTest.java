package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.sun.management.ThreadMXBean;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.metrics.Scrape;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fate.DropReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a router serves over HTTP, beside what its control socket answers at the same moment. */
@Timeout(120)
class HttpServiceTest
{
    private static final String MACS = "0200000000010200000000aa";
    private static final String GOOD = MACS + "0800" + "4500001c12340000" + "40119c92" + "0a000002c0000209" +
        "0400040000080000";
    private static final String BAD_CHECKSUM = GOOD.replace("40119c92", "40119c93");
    private static final String NO_ROUTE = GOOD.replace("40119c92", "4011a092").replace("c0000209", "bc000209");
    private static final String HTTP = "[http]\nlisten = \"127.0.0.1:0\"\n";

    @TempDir
    private Path directory;

    private final String name = "http-" + ProcessHandle.current().pid() + "-" + System.nanoTime();

    @Test
    void shouldServeTheNumbersOfTheControlSocket() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            try (MemoryHost left = new MemoryHost(name + "-a", router.hostPool());
                MemoryHost right = new MemoryHost(name + "-b", router.hostPool());
                ControlClient client = ControlClient.connect(name))
            {
                for (int i = 0; i < 3; i++)
                {
                    left.send(GOOD);
                }
                left.send(BAD_CHECKSUM);
                left.send(NO_ROUTE);
                assertEquals(3, right.receive(3).size());
                assertEquals(1, left.receive(1).size(), "the ICMP error");
                JsonNode drops = ask(client, "drops");
                while (!drops.get("balanced").asBoolean() || drops.get("received").asLong() < 5)
                {
                    drops = ask(client, "drops");
                }
                assertEquals("[{\"port\":\"left\",\"reason\":\"ipv4-bad-checksum\",\"frames\":1}," +
                    "{\"port\":\"left\",\"reason\":\"ipv4-no-route\",\"frames\":1}]",
                    drops.get("portDrops").toString());
                final Scrape scrape = Scrape.of(router.httpAddress());

                assertEquals(3, scrape.get("fibnuma_forwarded_packets_total{family=\"ipv4\"}"));
                assertEquals(1, scrape.get("fibnuma_dropped_packets_total{reason=\"ipv4-bad-checksum\"}"));
                assertEquals(1, scrape.get("fibnuma_dropped_packets_total{reason=\"ipv4-no-route\"}"));
                assertEquals(0, scrape.get("fibnuma_dropped_packets_total{reason=\"ipv6-no-route\"}"));
                final String droppedBy = "fibnuma_port_dropped_packets_total{port=\"";
                assertEquals(1, scrape.get(droppedBy + "left\",reason=\"ipv4-bad-checksum\"}"));
                assertEquals(0, scrape.get(droppedBy + "right\",reason=\"ipv4-bad-checksum\"}"));
                assertEquals(1, scrape.get(droppedBy + "left\",reason=\"ipv4-no-route\"}"));
                assertEquals(5, scrape.get("fibnuma_port_received_packets_total{port=\"left\"}"));
                assertEquals(5 * 42, scrape.get("fibnuma_port_received_bytes_total{port=\"left\"}"));
                assertEquals(3, scrape.get("fibnuma_port_transmitted_packets_total{port=\"right\"}"));
                assertEquals(3, scrape.get("fibnuma_acl_matched_packets_total{list=\"web\",rule=\"default\"}") -
                    1, "with the frame without a route");
                assertEqualToShow(client, scrape);
            }
        }
    }

    private static void assertEqualToShow(final ControlClient client, final Scrape scrape) throws IOException
    {
        final JsonNode drops = ask(client, "drops");
        assertEquals(drops.get("received").asLong(), scrape.get("fibnuma_received_packets_total"));
        assertEquals(drops.get("punted").asLong(), scrape.get("fibnuma_punted_packets_total"));
        assertEquals(drops.get("held").asLong(), scrape.get("fibnuma_held_packets"));
        assertEquals(drops.get("originated").asLong(), scrape.get("fibnuma_originated_packets_total"));
        for (final JsonNode drop : drops.get("drops"))
        {
            assertEquals(drop.get("frames").asLong(), scrape.get(
                "fibnuma_dropped_packets_total{reason=\"" + drop.get("reason").asText() + "\"}"));
        }
        for (final JsonNode drop : drops.get("portDrops"))
        {
            assertEquals(drop.get("frames").asLong(), scrape.get(
                "fibnuma_port_dropped_packets_total{port=\"" + drop.get("port").asText() + "\",reason=\"" +
                    drop.get("reason").asText() + "\"}"));
        }
        for (final JsonNode port : ask(client, "ports").get("ports"))
        {
            final String label = "{port=\"" + port.get("name").asText() + "\"}";
            assertEquals(port.get("rxFrames").asLong(), scrape.get("fibnuma_port_received_packets_total" + label));
            assertEquals(port.get("rxBytes").asLong(), scrape.get("fibnuma_port_received_bytes_total" + label));
            assertEquals(port.get("txFrames").asLong(), scrape.get("fibnuma_port_transmitted_packets_total" + label));
            assertEquals(port.get("txBytes").asLong(), scrape.get("fibnuma_port_transmitted_bytes_total" + label));
            assertEquals(port.get("mtu").asLong(), scrape.get("fibnuma_port_mtu_bytes" + label));
        }
        for (final JsonNode stage : ask(client, "stages").get("stages"))
        {
            final String label = "{stage=\"" + stage.get("stage").asText() + "\"}";
            assertEquals(stage.get("frames").asLong(), scrape.get("fibnuma_stage_packets_total" + label));
            assertEquals(stage.get("dropped").asLong(), scrape.get("fibnuma_stage_dropped_packets_total" + label));
        }
        for (final JsonNode rule : ask(client, "acl").get("rules"))
        {
            final String number = rule.get("text").asText().endsWith("(default)") ? "default" :
                rule.get("rule").asText();
            assertEquals(rule.get("frames").asLong(), scrape.get("fibnuma_acl_matched_packets_total{list=\"" +
                rule.get("list").asText() + "\",rule=\"" + number + "\"}"));
        }
        final JsonNode flows = ask(client, "flows");
        assertEquals(flows.get("count").asLong(), scrape.get("fibnuma_flows"));
        assertEquals(flows.get("capacity").asLong(), scrape.get("fibnuma_flows_capacity"));
        assertEquals(flows.get("learned").asLong(), scrape.get("fibnuma_flows_learned_total"));
        assertEquals(flows.get("ended").asLong(), scrape.get("fibnuma_flows_ended_total"));
        assertEquals(drops.get("flows").asLong(), scrape.get("fibnuma_flow_packets_total"));
        final JsonNode routes = ask(client, "routes");
        assertEquals(routes.get("fibRoutes").asLong(), scrape.get("fibnuma_fib_routes{family=\"ipv4\"}"));
        assertEquals(routes.get("ipv6FibRoutes").asLong(), scrape.get("fibnuma_fib_routes{family=\"ipv6\"}"));
        assertEquals(routes.get("prefixes").asLong(), scrape.get("fibnuma_rib_prefixes{family=\"ipv4\"}"));
        assertEquals(ask(client, "neighbors").get("neighbors").size(), scrape.values().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("fibnuma_neighbors{"))
            .mapToDouble(entry -> entry.getValue()).sum());
    }

    @Test
    void shouldChooseTheFormatByTheHeader() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            final HttpResponse<String> text = Scrape.get(router.httpAddress(), "/metrics", "*/*");
            assertEquals("text/plain; version=0.0.4; charset=utf-8",
                text.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(text.body().contains("# TYPE fibnuma_polls_total counter\n"), text::body);

            final HttpResponse<String> open = Scrape.get(router.httpAddress(), "/metrics",
                "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
            assertEquals("application/openmetrics-text; version=1.0.0; charset=utf-8",
                open.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(open.body().contains("# TYPE fibnuma_polls counter\n"), open::body);
            assertTrue(open.body().endsWith("\n# EOF\n"), open::body);

            final HttpResponse<String> health = Scrape.get(router.httpAddress(), "/health", "*/*");
            assertEquals("200 every port forwards\n", health.statusCode() + " " + health.body());
            assertEquals(404, Scrape.get(router.httpAddress(), "/nothing", "*/*").statusCode());
        }
    }

    /** Every file that the page names is served, and nothing else is named. */
    @Test
    void shouldServeThePageAndItsFiles() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            final HttpResponse<String> page = Scrape.get(router.httpAddress(), "/", "text/html");
            assertEquals("text/html; charset=utf-8", page.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(page.headers().firstValue("Content-Security-Policy").orElseThrow()
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; "));
            final Set<String> waiting = new TreeSet<>(links(page.body()));
            final Set<String> served = new TreeSet<>();
            while (!waiting.isEmpty())
            {
                final String file = waiting.iterator().next();
                waiting.remove(file);
                served.add(file);
                final HttpResponse<String> answer = Scrape.get(router.httpAddress(), "/" + file, "*/*");
                assertEquals(200, answer.statusCode(), file);
                waiting.addAll(imports(answer.body()));
                waiting.removeAll(served);
            }
            assertTrue(served.containsAll(
                Set.of("page.css", "page.js", "icon.svg", "chart.js", "rates.js", "metrics")), served::toString);
        }
    }

    private static List<String> links(final String html)
    {
        return Pattern.compile("(?:src|href)=\"([^\"#]*)\"").matcher(html).results()
            .map(result -> result.group(1)).toList();
    }

    private static List<String> imports(final String script)
    {
        return Pattern.compile("(?m)^import .* from \"\\./([^\"]*)\";$").matcher(script).results()
            .map(result -> result.group(1)).toList();
    }

    @Test
    void shouldSendTheNumbersOfTheMetricsToThePage() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            try (MemoryHost left = new MemoryHost(name + "-a", router.hostPool());
                MemoryHost right = new MemoryHost(name + "-b", router.hostPool()))
            {
                left.send(BAD_CHECKSUM);
                left.send(GOOD);
                assertEquals(1, right.receive(1).size());
                JsonNode state = event(router.httpAddress());
                while (state.get("frames").get("received").asLong() < 2)
                {
                    state = event(router.httpAddress());
                }
                assertEquals(name, state.get("router").asText());
                assertFalse(state.has("flows"), "the host has no packet filters");
                assertEquals(1, state.get("frames").get("ipv4-forwarded").asLong());
                assertEquals(1, state.get("frames").get("dropped").asLong());
                assertEquals("[{\"reason\":\"ipv4-bad-checksum\",\"frames\":1,\"meaning\":\"The IPv4 header " +
                    "checksum is wrong.\",\"remedy\":" + new TextNode(DropReason.IPV4_BAD_CHECKSUM.remedy()) +
                    ",\"ports\":[{\"port\":\"left\",\"frames\":1}]}]", state.get("drops").toString());
                final JsonNode port = state.get("ports").get(0);
                assertEquals("left up 2 84", port.get("name").asText() + " " + port.get("link").asText() + " " +
                    port.get("rx-frames") + " " + port.get("rx-bytes"));
                final Scrape scrape = Scrape.of(router.httpAddress());
                assertEquals(scrape.get("fibnuma_fib_routes{family=\"ipv4\"}"),
                    state.get("tables").get(0).get("fibRoutes").asLong());
                assertEquals(scrape.get("fibnuma_fib_writes_total"), state.get("control").get("fibWrites").asLong());
            }
        }
    }

    /** The first sample is that of the start, the second one follows after the interval. */
    @Test
    void shouldRememberTheTrafficWithoutAPage() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            JsonNode history = history(router.httpAddress());
            while (history.get("times").isEmpty())
            {
                history = history(router.httpAddress());
            }
            assertEquals("{\"rx-frames\":[0],\"rx-bytes\":[0],\"tx-frames\":[0],\"tx-bytes\":[0]}",
                history.get("ports").get("left").toString());
            assertEquals("{}", history.get("drops").toString());
            try (MemoryHost left = new MemoryHost(name + "-a", router.hostPool());
                MemoryHost right = new MemoryHost(name + "-b", router.hostPool()))
            {
                left.send(BAD_CHECKSUM);
                left.send(GOOD);
                assertEquals(1, right.receive(1).size());
                int last = history.get("times").size() - 1;
                while (history.get("ports").get("left").get("rx-frames").get(last).asLong() < 2)
                {
                    TimeUnit.MILLISECONDS.sleep(100);
                    history = history(router.httpAddress());
                    last = history.get("times").size() - 1;
                }
                assertEquals(42, history.get("ports").get("right").get("tx-bytes").get(last).asLong());
                assertEquals(0, history.get("drops").get("ipv4-bad-checksum").get(0).asLong());
                assertEquals(1, history.get("drops").get("ipv4-bad-checksum").get(last).asLong());
                assertEquals(1, history.get("drops").size());
                assertEquals(5000 * last, history.get("times").get(last).asLong(), 2000);
            }
        }
    }

    private static JsonNode history(final InetSocketAddress address) throws Exception
    {
        final HttpResponse<String> answer = Scrape.get(address, "/history", "*/*");
        assertEquals("200 application/json",
            answer.statusCode() + " " + answer.headers().firstValue("Content-Type").orElseThrow());
        return new ObjectMapper().readTree(answer.body());
    }

    /** Returns the state in the first event of a new stream. */
    private static JsonNode event(final InetSocketAddress address) throws Exception
    {
        try (Socket client = new Socket("127.0.0.1", address.getPort()))
        {
            client.getOutputStream().write(
                "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            final String data = new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8)).lines()
                .filter(line -> line.startsWith("data: ")).findFirst().orElseThrow();
            return new ObjectMapper().readTree(data.substring("data: ".length()));
        }
    }

    @Test
    void shouldAnswerTheSearchForARouteAsLookupDoes() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            try (ControlClient client = ControlClient.connect(name))
            {
                final HttpResponse<String> answer =
                    Scrape.get(router.httpAddress(), "/lookup?address=192.0.2.9", "*/*");
                assertEquals("application/json", answer.headers().firstValue("Content-Type").orElseThrow());
                assertEquals(client.ask(ControlProtocol.request("lookup").put("address", "192.0.2.9")),
                    new ObjectMapper().readTree(answer.body()));
                assertTrue(answer.body().contains("\"nextHop\":\"10.0.1.2\""), answer::body);
            }
            assertEquals(200, Scrape.get(router.httpAddress(), "/lookup?address=2001:db8::1", "*/*").statusCode());
            final HttpResponse<String> wrong = Scrape.get(router.httpAddress(), "/lookup?address=left", "*/*");
            assertEquals("400 \"left\" is not an IP address; give one such as 192.0.2.1 or 2001:db8::1\n",
                wrong.statusCode() + " " + wrong.body());
        }
    }

    @Test
    void shouldAnswerManyScrapesAtOnce() throws Exception
    {
        try (Router router = open(HTTP))
        {
            router.start();
            final InetSocketAddress address = router.httpAddress();
            final List<CompletableFuture<Scrape>> scrapes = new ArrayList<>();
            for (int i = 0; i < 16; i++)
            {
                scrapes.add(CompletableFuture.supplyAsync(() -> Scrape.of(address)));
            }
            for (final CompletableFuture<Scrape> scrape : scrapes)
            {
                assertEquals(1, scrape.get().get("fibnuma_port_up{port=\"right\"}"));
            }
        }
    }

    /** Samples are taken by the control thread; a worker allocates nothing for them. */
    @Test
    void shouldTellWhatSamplesCost() throws Exception
    {
        try (Router router = open(HTTP); ControlClient client = connect(router))
        {
            final JsonNode none = ask(client, "stages");
            assertEquals(0, none.get("controlSamples").asLong());
            assertTrue(none.get("controlSampleUs").isNull() && none.get("controlSampleBytes").isNull());
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long[] workers = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("worker"))
                .mapToLong(ThreadInfo::getThreadId).toArray();
            assertEquals(1, workers.length);
            long allocated = Long.MAX_VALUE;
            int samples = 0;
            // Classes load and the JIT deoptimizes at first, which allocates a little.
            for (int attempt = 0; attempt < 6 && allocated != 0; attempt++)
            {
                final long before = threads.getThreadAllocatedBytes(workers[0]);
                for (int i = 0; i < 20; i++)
                {
                    Scrape.of(router.httpAddress());
                    samples++;
                }
                allocated = threads.getThreadAllocatedBytes(workers[0]) - before;
            }
            assertEquals(0, allocated, "bytes allocated by the worker");
            final JsonNode stages = ask(client, "stages");
            assertEquals(samples, stages.get("controlSamples").asLong());
            assertTrue(stages.get("controlSampleBytes").asLong() > 0, stages::toString);
            assertTrue(stages.get("controlLongestSampleUs").asLong() >= stages.get("controlSampleUs").asLong());
        }
    }

    private ControlClient connect(final Router router) throws Exception
    {
        router.start();
        return ControlClient.connect(name);
    }

    @Test
    void shouldHaveNoServerUnlessTold() throws Exception
    {
        try (Router router = open(""))
        {
            router.start();
            assertNull(router.httpAddress());
        }
    }

    @Test
    void shouldRefuseAnAddressThatItCannotHave() throws Exception
    {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final UserException taken = assertThrows(UserException.class,
                () -> open("[http]\nlisten = \"127.0.0.1:" + other.getLocalPort() + "\"\n"));
            assertEquals(directory.resolve("router.toml") + ":35: http.listen: cannot listen on 127.0.0.1:" +
                other.getLocalPort() + ": Address already in use; give a port that no other process has",
                taken.getMessage());
        }
        final UserException foreign = assertThrows(UserException.class,
            () -> open("[http]\nlisten = \"192.0.2.77:9473\"\nallow-other-hosts = true\n"));
        assertEquals(directory.resolve("router.toml") + ":35: http.listen: 192.0.2.77 is not an address of this " +
            "host; give one that \"ip address\" shows, or 127.0.0.1:9473", foreign.getMessage());
        try (Router again = open(HTTP))
        {
            again.start();
        }
    }

    /** Every name and reason in the dashboard and in the alert rules is one of a scrape. */
    @Test
    void shouldHaveEveryMetricOfTheDashboardAndTheAlerts() throws Exception
    {
        final Path packaging = Require.projectDirectory().resolve("packaging");
        final List<String> expressions = new ArrayList<>();
        new ObjectMapper().readTree(packaging.resolve("grafana/fibnuma-router.json").toFile())
            .findValues("expr").forEach(expression -> expressions.add(expression.asText()));
        assertTrue(expressions.size() > 10, expressions::toString);
        Pattern.compile("(?m)^ *expr: (.*)$")
            .matcher(Files.readString(packaging.resolve("prometheus/fibnuma-alerts.yml"))).results()
            .forEach(result -> expressions.add(result.group(1)));
        final Set<String> unknown = new TreeSet<>();
        final Set<String> reasons = new TreeSet<>();
        int names = 0;
        try (Router router = open(HTTP))
        {
            router.start();
            final Scrape scrape = Scrape.of(router.httpAddress());
            for (final String expression : expressions)
            {
                final List<String> used = Pattern.compile("\\b(fibnuma|jvm|process)_[a-z0-9_]+")
                    .matcher(expression).results().map(result -> result.group()).toList();
                assertTrue(!used.isEmpty() || expression.startsWith("up{"), expression);
                names += used.size();
                unknown.addAll(used);
                Pattern.compile("reason[!=]?[=~]\"([^\"]*)\"").matcher(expression).results()
                    .flatMap(result -> Stream.of(result.group(1).split("\\|"))).forEach(reasons::add);
            }
            unknown.removeAll(scrape.names());
            assertTrue(reasons.size() > 4, reasons::toString);
            reasons.removeIf(reason -> Pattern.compile("reason=\"" + reason + "\"").matcher(scrape.text()).find());
            unknown.addAll(reasons);
        }
        assertTrue(names > 20, names + " names");
        assertEquals(Set.of(), unknown);
    }

    private static JsonNode ask(final ControlClient client, final String what) throws IOException
    {
        return client.ask(ControlProtocol.request(what));
    }

    private Router open(final String http) throws Exception
    {
        return Router.open(ConfigReader.read(Files.writeString(directory.resolve("router.toml"), String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "control = \"static\"",
            "cores = []",
            "[[port]]",
            "name = \"left\"",
            "device = \"mem:" + name + "-a\"",
            "address = [\"10.0.0.1/24\"]",
            "mac = \"02:00:00:00:00:01\"",
            "acl-in = \"web\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"mem:" + name + "-b\"",
            "address = [\"10.0.1.1/24\"]",
            "mac = \"02:00:00:00:00:02\"",
            "mtu = 1400",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "via = \"10.0.1.2\"",
            "[[neighbor]]",
            "address = \"10.0.1.2\"",
            "mac = \"02:00:00:00:01:02\"",
            "[[neighbor]]",
            "address = \"10.0.0.2\"",
            "mac = \"02:00:00:00:00:aa\"",
            "[[acl]]",
            "name = \"web\"",
            "default = \"permit\"",
            "[[acl.rule]]",
            "action = \"deny\"",
            "protocol = \"tcp\"",
            "destination-port = \"22\"",
            "",
            http))), 1024);
    }
}
