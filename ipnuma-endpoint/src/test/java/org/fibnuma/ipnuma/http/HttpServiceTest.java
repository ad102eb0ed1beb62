package org.fibnuma.ipnuma.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.metrics.Scrape;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.session.SessionCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What an endpoint serves over HTTP. The test runs two endpoints, one after the other, on its own thread. */
@Timeout(120)
class HttpServiceTest
{
    private static final String HTTP = "[http]\nlisten = \"127.0.0.1:0\"\n";

    @TempDir
    private Path directory;

    private final String prefix = "test-http-" + ProcessHandle.current().pid() + "-";
    private Endpoint a;
    private Endpoint b;
    private HttpService http;

    @AfterEach
    void closeAll()
    {
        CloseHelper.closeAll(http, a, b);
    }

    private void start() throws Exception
    {
        a = Endpoint.open(EndpointConfigReader.read(file("a", 1, 2, HTTP)), ChannelListener.NONE);
        b = Endpoint.open(EndpointConfigReader.read(file("b", 2, 1, "")), ChannelListener.NONE);
        a.start();
        b.start();
        http = HttpService.open(a.config());
        http.start(a);
    }

    private void runUntilUp()
    {
        while (value(a.counters(), "peer 2 10.9.0.2 fibnuma") == 0 ||
            value(b.counters(), "peer 1 10.9.0.1 fibnuma") == 0)
        {
            cycle(a.agent());
            cycle(b.agent());
        }
    }

    private static void cycle(final Agent agent)
    {
        try
        {
            agent.doWork();
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static long value(final CountersReader counters, final String wanted)
    {
        final long[] found = {-1};
        counters.forEach((id, typeId, key, label) ->
            found[0] = label.equals(wanted) ? counters.getCounterValue(id) : found[0]);
        assertTrue(found[0] >= 0, wanted);
        return found[0];
    }

    @Test
    void shouldServeThePublishedCounters() throws Exception
    {
        start();
        assertEquals("peers that are down: 1 of 1\n", Scrape.get(http.address(), "/health", "*/*").body());
        runUntilUp();
        // The server samples again after a while; the endpoints stand still meanwhile.
        Scrape scrape = Scrape.of(http.address());
        while (scrape.get("fibnuma_endpoint_peer_up{peer=\"2\"}") == 0)
        {
            scrape = Scrape.of(http.address());
        }
        final CountersReader counters = a.counters();
        assertEquals(1, scrape.get("fibnuma_endpoint_peers{state=\"up\"}"));
        assertEquals(0, scrape.get("fibnuma_endpoint_peers{state=\"down\"}"));
        assertEquals(value(counters, "received"), scrape.get("fibnuma_endpoint_received_packets_total"));
        assertEquals(value(counters, "sent-bytes"), scrape.get("fibnuma_endpoint_sent_bytes_total"));
        assertEquals(value(counters, "arp"), scrape.get("fibnuma_endpoint_received_arp_packets_total"));
        assertEquals(value(counters, "peer 2 sent"),
            scrape.get("fibnuma_endpoint_peer_sent_datagrams_total{peer=\"2\"}"));
        assertEquals(value(counters, "peer 2 connections"),
            scrape.get("fibnuma_endpoint_peer_connections_total{peer=\"2\"}"));
        assertEquals(0, scrape.get("fibnuma_endpoint_dropped_packets_total{reason=\"other-host\"}"));
        assertEquals(65_536, scrape.get("fibnuma_endpoint_region_bytes{region=\"box\"}"));
        assertTrue(scrape.get("fibnuma_endpoint_received_packets_total") > 0);
        assertEquals("every peer is up\n", Scrape.get(http.address(), "/health", "*/*").body());
    }

    /** Each counter of the endpoint is in a scrape, also those of a session that are 0 and not in the file. */
    @Test
    void shouldHaveASeriesForEachCounter() throws Exception
    {
        start();
        final Scrape scrape = Scrape.of(http.address());
        final int[] counters = new int[1];
        a.counters().forEach((id, typeId, key, label) ->
            counters[0] += typeId >= EndpointCounters.ENDPOINT_TYPE &&
                typeId < PeerCounters.PEER_TYPE + PeerCounters.SESSION ? 1 : 0);
        final long series = scrape.values().keySet().stream()
            .filter(name -> name.startsWith("fibnuma_endpoint_")).count();
        // Beside them are peers by two states, two of regions and the address of a peer; the MAC address is none.
        assertEquals(counters[0] + SessionCounter.values().length - 1 + 2 + 2 + 1, series);
    }

    @Test
    void shouldServeThePageAndItsFiles() throws Exception
    {
        start();
        final HttpResponse<String> page = Scrape.get(http.address(), "/", "*/*");
        assertEquals(200, page.statusCode());
        final Set<String> files = new TreeSet<>();
        Pattern.compile("(?:src|href)=\"([a-z.]+)\"").matcher(page.body()).results()
            .forEach(result -> files.add(result.group(1)));
        final String script = Scrape.get(http.address(), "/page.js", "*/*").body();
        Pattern.compile("from \"\\./([a-z.]+)\"").matcher(script).results()
            .forEach(result -> files.add(result.group(1)));
        assertTrue(files.containsAll(Set.of("page.css", "icon.svg", "status.js", "health")), files::toString);
        for (final String file : files)
        {
            assertTrue(Set.of(200, 503).contains(Scrape.get(http.address(), "/" + file, "*/*").statusCode()), file);
        }
    }

    /** Every name in the dashboard and in the alert rules is one of a scrape. */
    @Test
    void shouldHaveEveryMetricOfTheDashboardAndTheAlerts() throws Exception
    {
        final Path packaging = Require.projectDirectory().resolve("packaging");
        final List<String> expressions = new ArrayList<>();
        for (final JsonNode expression : new ObjectMapper()
            .readTree(packaging.resolve("grafana/fibnuma-endpoint.json").toFile()).findValues("expr"))
        {
            expressions.add(expression.asText());
        }
        assertTrue(expressions.size() > 10, expressions::toString);
        Pattern.compile("(?m)^ *expr: (.*)$")
            .matcher(Files.readString(packaging.resolve("prometheus/fibnuma-endpoint-alerts.yml"))).results()
            .forEach(result -> expressions.add(result.group(1)));
        start();
        final Scrape scrape = Scrape.of(http.address());
        final Set<String> unknown = new TreeSet<>();
        for (final String expression : expressions)
        {
            final List<String> used = Pattern.compile("\\b(fibnuma|jvm|process)_[a-z0-9_]+")
                .matcher(expression).results().map(result -> result.group()).toList();
            assertTrue(!used.isEmpty() || expression.startsWith("up{"), expression);
            unknown.addAll(used);
        }
        unknown.removeAll(scrape.names());
        assertEquals(Set.of(), unknown);
    }

    @Test
    void shouldRefuseAnAddressThatIsTakenOrOfEveryone() throws Exception
    {
        start();
        final String taken = "[http]\nlisten = \"127.0.0.1:" + http.address().getPort() + "\"\n";
        final Path file = file("c", 1, 2, taken);
        final String message = assertThrows(UserException.class,
            () -> HttpService.open(EndpointConfigReader.read(file))).getMessage();
        assertTrue(message.startsWith(file + ":") && message.contains(": http.listen: cannot listen on 127.0.0.1:"),
            message);
        final ConfigException open = assertThrows(ConfigException.class,
            () -> EndpointConfigReader.read(file("d", 1, 2, "[http]\nlisten = \"0.0.0.0:9474\"\n")));
        assertTrue(open.getMessage().contains("is not a loopback address"), open.getMessage());
    }

    @Test
    void shouldListenOnLoopbackByDefault() throws Exception
    {
        assertEquals("127.0.0.1:9474",
            EndpointConfigReader.read(file("e", 1, 2, "[http]\n")).http().listenText());
        assertNull(EndpointConfigReader.read(file("f", 1, 2, "")).http());
    }

    private Path file(final String name, final int id, final int peer, final String table) throws IOException
    {
        return Files.writeString(directory.resolve(name + ".toml"), """
            [endpoint]
            name = "%s"
            device = "shm:%slink%s"
            address = "10.9.0.%d/24"
            [[peer]]
            id = %d
            address = "10.9.0.%d"
            [[region]]
            name = "box"
            size-kib = 64
            key = "none"
            %s
            """.formatted(prefix + name, prefix, name.equals("b") ? "@far" : "", id, peer, peer, table));
    }
}
