package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.fibnuma.bench.system.Frames.UDP;
import static org.fibnuma.bench.system.Frames.ip;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Metrics of a router that forwards between namespaces, read by curl, promtool and Prometheus in its namespace, where
 * Prometheus also reads those of an endpoint that writes to another one.
 */
@NamespaceTest({"curl", "promtool"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class MetricsSystemTest
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String URL = "http://127.0.0.1:9473";
    private static final int FRAMES = 20;

    @TempDir
    private Path directory;

    @AutoClose
    private RouterLab lab;

    @BeforeAll
    void startTheRouter()
    {
        LabDevice.chosen().requireHost();
        lab = RouterLab.open("metrics");
        lab.startRouter("", "[http]\n", Map.of());
        lab.router().run("ip", "link", "set", "lo", "up");
    }

    @Test
    void shouldCountTheFramesThatWereSent()
    {
        final String received = "fibnuma_port_received_packets_total{port=\"left\"}";
        final String transmitted = "fibnuma_port_transmitted_packets_total{port=\"right\"}";
        final String forwarded = "fibnuma_forwarded_packets_total{family=\"ipv4\"}";
        final String dropped = "fibnuma_dropped_packets_total{reason=\"ipv4-bad-checksum\"}";
        final String droppedByLeft = "fibnuma_port_dropped_packets_total{port=\"left\",reason=\"ipv4-bad-checksum\"}";
        final Map<String, Long> before = scrape();
        final long sentinelsBefore = lab.fates().count("received");
        final String[] frames = new String[FRAMES + 1];
        Arrays.fill(frames, Frames.ipv4(BEYOND_B + "1") + "/b'x'");
        frames[FRAMES] = ip("10.0.0.2", BEYOND_B + "1", "chksum=1") + UDP + "/b'x'";
        final Observation seen = Observation.of(lab, lab.a(), frames);
        assertEquals(FRAMES, seen.atB().size());
        final Map<String, Long> after = scrape();

        // The observation adds frames of its own, which tell it that all earlier ones have passed.
        final long own = lab.fates().count("received") - sentinelsBefore - FRAMES - 1;
        assertEquals(1, after.get(dropped) - before.get(dropped));
        assertEquals(1, after.get(droppedByLeft) - before.get(droppedByLeft));
        assertEquals(FRAMES + 1 + own, after.get(received) - before.get(received));
        assertEquals(FRAMES, after.get(transmitted) - before.get(transmitted) - own(own, before, after, forwarded));
        assertEquals(lab.fates().count("received"), after.get("fibnuma_received_packets_total"));
    }

    /** Frames forwarded beside those of the test. */
    private static long own(
        final long most, final Map<String, Long> before, final Map<String, Long> after, final String forwarded)
    {
        final long own = after.get(forwarded) - before.get(forwarded) - FRAMES;
        assertTrue(own >= 0 && own <= most, own + " of " + most);
        return own;
    }

    @Test
    void shouldPleasePromtool() throws IOException
    {
        final Path text = directory.resolve("metrics.txt");
        lab.router().run("curl", "-sSf", "-o", text.toString(), URL + "/metrics");
        assertEquals("", lab.router().run("sh", "-c", "promtool check metrics < " + text + " 2>&1"));
        final String rules = lab.router().run("promtool", "check", "rules", alerts().toString());
        assertTrue(rules.contains("SUCCESS: 13 rules found"), rules);
        assertEquals("every port forwards", lab.router().run("curl", "-sSf", URL + "/health").strip());
    }

    @Test
    void shouldGivePrometheusDataForEveryPanel() throws IOException
    {
        final Path config = Files.writeString(directory.resolve("prometheus.yml"), String.join("\n",
            "global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }",
            "rule_files: [ \"" + alerts() + "\" ]",
            "scrape_configs:",
            "- job_name: fibnuma",
            "  static_configs: [ { targets: [ \"127.0.0.1:9473\", \"127.0.0.1:9474\" ] } ]",
            ""));
        try (Host far = Host.open("far");
            EndpointPair endpoints = new EndpointPair(
                "metrics-e-" + ProcessHandle.current().pid(), lab.router().host(), far, directory);
            ChildProcess ping = lab.a().host().start("ping", "-q", "-i", "0.002", "10.0.1.2");
            ChildProcess prometheus = lab.router().host().start(
                "prometheus", "--config.file=" + config, "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:9090"))
        {
            endpoints.startWrites();
            awaitDataOfPanels(prometheus, "router", "127.0.0.1:9473");
            awaitDataOfPanels(prometheus, "endpoint", "127.0.0.1:9474");
            awaitData(prometheus, "sum(up{job=\"fibnuma\"}) == 2");
            assertTrue(ping.isAlive(), () -> ping.errors().toString());
        }
    }

    private void awaitDataOfPanels(final ChildProcess prometheus, final String dashboard, final String instance)
        throws IOException
    {
        final JsonNode panels = JSON.readTree(Require.projectDirectory()
            .resolve("packaging/grafana/fibnuma-" + dashboard + ".json").toFile()).get("panels");
        assertTrue(panels.size() >= 20, panels::toString);
        for (final JsonNode panel : panels)
        {
            assertFalse(panel.path("targets").isEmpty(), panel::toString);
            for (final JsonNode target : panel.get("targets"))
            {
                awaitData(prometheus, target.get("expr").asText().replace("$__rate_interval", "10s")
                    .replace("$job", "fibnuma").replace("$instance", instance));
            }
        }
    }

    private void awaitData(final ChildProcess prometheus, final String expression) throws IOException
    {
        final String query = "http://127.0.0.1:9090/api/v1/query?query=" +
            URLEncoder.encode(expression, StandardCharsets.UTF_8);
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String answer = "";
        while (System.nanoTime() - deadline < 0)
        {
            assertTrue(prometheus.isAlive(), () -> String.join("\n", prometheus.errors()));
            answer = tryGet(query);
            if (!answer.isEmpty() && hasNumber(JSON.readTree(answer).path("data").path("result")))
            {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        throw new AssertionError(expression + " has no data: " + answer);
    }

    /** The mean of no sample is not a number. */
    private static boolean hasNumber(final JsonNode series)
    {
        for (final JsonNode each : series)
        {
            if (!each.path("value").path(1).asText("NaN").equals("NaN"))
            {
                return true;
            }
        }
        return false;
    }

    /** Returns nothing while Prometheus does not listen yet, or answers that it is not ready (status 503). */
    private String tryGet(final String url)
    {
        try
        {
            return lab.router().run("curl", "-sf", url);
        }
        catch (final UserException ignore)
        {
            return "";
        }
    }

    private static Path alerts()
    {
        return Require.projectDirectory().resolve("packaging/prometheus/fibnuma-alerts.yml").toAbsolutePath();
    }

    private Map<String, Long> scrape()
    {
        final Map<String, Long> values = new HashMap<>();
        lab.router().run("curl", "-sSf", URL + "/metrics").lines().filter(line -> !line.startsWith("#"))
            .forEach(line -> values.put(
                line.substring(0, line.lastIndexOf(' ')),
                (long)Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1).replace("+Inf", "Infinity"))));
        return values;
    }
}
