package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.kernel.AddressFamilies;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.MemoryHost;
import org.fibnuma.fibnic.control.Router;
import org.fibnuma.fibnic.flows.FlowRefusal;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.report.FollowedRestrictions;
import org.fibnuma.fibnic.report.RouterReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the commands print about a router in memory has the fields of {@code docs/json.md}. */
@Timeout(120)
class JsonOutputTest
{
    private static final String NAME = "test-" + ProcessHandle.current().pid() + "-json";
    private static final String ETHERNET = "020000000001" + "0200000000aa" + "0800";
    /** 10.0.0.2 to 192.0.2.9, UDP without payload. */
    private static final String FORWARDED =
        ETHERNET + "4500001c12340000" + "4011" + "9c92" + "0a000002c0000209" + "0400040000080000";
    private static final String EXPIRED = FORWARDED.replace("40119c92", "0111db92");
    /** A pause of one quantum for priority 5, which is not lossless. */
    private static final String IGNORED_PAUSE = "0180c2000001" + "0200000000aa" + "8808" + "0101" + "0020" +
        "0000".repeat(5) + "0001" + "0000".repeat(15);
    private static final long SEND_INTERVAL_MS = 20;
    private static final int SEND_LIMIT = 1000;
    private static final int BATCHES = 1000;
    private static final int BATCH_LIMIT = 20_000;

    @TempDir
    private static Path directory;

    private static Router router;
    private static MemoryHost left;
    private static MemoryHost right;

    @BeforeAll
    static void startRouter() throws Exception
    {
        router = Router.open(ConfigReader.read(Files.writeString(directory.resolve("router.toml"), config())), 1024);
        router.start();
        left = new MemoryHost(NAME + "-a", router.hostPool());
        right = new MemoryHost(NAME + "-b", router.hostPool());
        send();
        for (int sent = 0; json("show", "stages").get("times").isEmpty(); sent += BATCHES)
        {
            assertTrue(sent < BATCH_LIMIT, "no batch was timed");
            for (int i = 0; i < BATCHES; i++)
            {
                left.send(FORWARDED);
                right.receive(1);
            }
        }
    }

    @AfterAll
    static void stopRouter()
    {
        left.close();
        right.close();
        router.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "show ports", "show routes", "show flows", "show neighbors", "show drops", "show stages", "show pfc",
        "show acl", "show host", "verify"})
    void shouldPrintTheDocumentedFields(final String command) throws Exception
    {
        DocumentedJson.assertMatches(command, json(command.split(" ")));
    }

    @Test
    void shouldPrintTheDocumentedFieldsOfLookups() throws Exception
    {
        final JsonNode group = json("lookup", "192.0.2.9");
        final JsonNode member = json("lookup", "192.0.2.9", "--flow", "10.0.0.2,192.0.2.9,udp,1024,1024");
        assertEquals("group", group.get("kind").asText());
        assertTrue(member.has("bucket"), member::toString);
        DocumentedJson.assertMatches("lookup", group, member,
            json("lookup", "10.0.1.2"), json("lookup", "8.8.8.8"), json("lookup", "2001:db8:f::1"),
            json("lookup", "192.0.2.0/25"));
    }

    @Test
    void shouldPrintTheDocumentedFieldsOfAReload() throws Exception
    {
        final Path file = directory.resolve("router.toml");
        final String text = Files.readString(file);
        Files.writeString(file, text.replace("cores = []", "cores = []\nicmp-error-burst = 7"));
        DocumentedJson.assertMatches("reload", json("reload"));
        Files.writeString(file, text);
        json("reload");
    }

    @Test
    void shouldPrintTheDocumentedFieldsOfATrace() throws Exception
    {
        final JsonNode trace = whileFramesAreSent("trace", "--count", "20", "--port", "left");
        assertTrue(trace.get("frames").toString().contains("\"event\":\"dropped\""), trace::toString);
        assertTrue(trace.get("frames").toString().contains("\"event\":\"judged\""), trace::toString);
        DocumentedJson.assertMatches("trace", trace);
    }

    @Test
    void shouldPrintTheDocumentedFieldsOfACapture() throws Exception
    {
        DocumentedJson.assertMatches("capture", whileFramesAreSent(
            "capture", "--count", "2", "-w", directory.resolve("capture.pcapng").toString()));
    }

    @Test
    void shouldPrintTheDocumentedFieldsOfTop() throws Exception
    {
        DocumentedJson.assertMatches("top --batch", json("top", "--batch", "-n", "1", "-i", "0.1"));
    }

    @Test
    void shouldPrintTheDocumentedFieldsOfACheckOfAccessLists() throws Exception
    {
        final String rule = "[[acl.rule]]\naction = \"permit\"\nprotocol = \"udp\"\n";
        final Path file = Files.writeString(
            directory.resolve("lists.toml"), "[[acl]]\nname = \"a\"\n" + rule + rule);
        final JsonNode findings = jsonOf(FibnumaCommand.FAILED, "acl", "check", "--json", file.toString());
        final JsonNode decisions = jsonOf(FibnumaCommand.OK, "acl", "check", "--json", file.toString(),
            "--frame", "source=10.0.0.2,destination=192.0.2.1,protocol=udp");
        assertTrue(findings.get("findings").get(1).get("unreachable").asBoolean(), findings::toString);
        assertEquals(1, decisions.get("decisions").size());
        DocumentedJson.assertMatches("acl check", findings, decisions);
    }

    @Test
    void shouldReportTheDocumentedFieldsOfRestrictions() throws Exception
    {
        final HostRestriction rule = new HostRestriction(HostRestriction.Kind.RULE, "rule 100", "ip rule show");
        final HostRestriction chain =
            new HostRestriction(HostRestriction.Kind.NETFILTER, "table ip f, chain c", "nft list ruleset");
        final HostRestriction limit =
            new HostRestriction(HostRestriction.Kind.NETFILTER_PACKET, "table ip f, chain d", "nft list ruleset");
        final HostRestriction offload = limit.exceptOffloaded(new AddressFamilies(true, true));
        final FollowedRestrictions restrictions =
            new FollowedRestrictions(List.of(rule), List.of(chain, offload), List.of(rule, chain, limit));
        final FlowStatus flows = new FlowStatus(
            true, "the ruleset has changed", 0, 1, 0, 0, 0, Map.of(FlowRefusal.TABLE_FULL, 9L));
        final JsonNode host = new RouterReport(
            List.of(), Map.of(), null, null, null, null, null, () -> restrictions, () -> flows, null, null)
            .hostRestrictions();
        DocumentedJson.assertMatches("show host", host);
        assertFalse(host.get("restrictions").get(1).has("reason"), host::toString);
        assertEquals("netfilter-offload", host.get("restrictions").get(2).get("kind").asText());
        assertEquals("it judges each packet, therefore only connections in a flowtable (flow add) are followed",
            host.get("restrictions").get(2).get("reason").asText());
        assertFalse(host.get("restrictions").get(3).has("reason"), host::toString);
        assertEquals("the ruleset has changed", host.get("restrictions").get(4).get("reason").asText());
        assertEquals("it judges each packet of a connection", host.get("restrictions").get(5).get("reason").asText());
        assertEquals(9, host.get("refusals").get(0).get("connections").asInt());
    }

    private static void send() throws InterruptedException
    {
        left.send(FORWARDED);
        left.send(EXPIRED);
        left.send(IGNORED_PAUSE);
        left.receive(Integer.MAX_VALUE, SEND_INTERVAL_MS);
        right.receive(Integer.MAX_VALUE, 1);
    }

    private static JsonNode whileFramesAreSent(final String... command) throws Exception
    {
        final CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        final Thread thread = new Thread(() ->
        {
            try
            {
                answer.complete(json(command));
            }
            catch (final Exception | AssertionError ex)
            {
                answer.completeExceptionally(ex);
            }
        });
        thread.start();
        for (int i = 0; i < SEND_LIMIT && !answer.isDone(); i++)
        {
            send();
        }
        return answer.get();
    }

    private static JsonNode json(final String... command) throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--name", NAME, "--json"));
        return jsonOf(FibnumaCommand.OK, arguments.toArray(String[]::new));
    }

    private static JsonNode jsonOf(final int status, final String... arguments) throws Exception
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = FibnumaCommand.commandLine(arguments)
            .setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        assertEquals(status, commandLine.execute(arguments), err::toString);
        return new ObjectMapper().readTree(out.toString());
    }

    private static String config()
    {
        return String.join("\n",
            "[router]",
            "name = \"" + NAME + "\"",
            "control = \"static\"",
            "cores = []",
            "[[port]]",
            "name = \"left\"",
            "device = \"mem:" + NAME + "-a\"",
            "address = [\"10.0.0.1/24\", \"2001:db8::1/64\"]",
            "mac = \"02:00:00:00:00:01\"",
            "acl-in = \"edge\"",
            "[[port.vlan]]",
            "id = 100",
            "address = [\"10.100.0.1/24\"]",
            "[[port.vlan]]",
            "id = 20",
            "outer = 100",
            "address = [\"10.20.0.1/24\"]",
            "[[port]]",
            "name = \"right\"",
            "device = \"mem:" + NAME + "-b\"",
            "address = [\"10.0.1.1/24\"]",
            "mac = \"02:00:00:00:00:02\"",
            "[pfc]",
            "lossless = [3]",
            "speed = \"1G\"",
            "[[acl]]",
            "name = \"edge\"",
            "default = \"permit\"",
            "[[acl.rule]]",
            "action = \"permit\"",
            "protocol = \"udp\"",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "via = [\"10.0.1.2\", \"10.0.1.3\"]",
            "[[route]]",
            "prefix = \"198.51.100.0/24\"",
            "kind = \"blackhole\"",
            "[[neighbor]]",
            "address = \"10.0.1.2\"",
            "mac = \"02:00:00:00:01:02\"",
            "[[neighbor]]",
            "address = \"10.0.1.3\"",
            "mac = \"02:00:00:00:01:03\"",
            "");
    }
}
