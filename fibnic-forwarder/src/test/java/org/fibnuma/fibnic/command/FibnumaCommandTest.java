package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.service.command.ClosingWriter;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.Router;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.trace.TraceEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The commands as typed, against a router in this process with static tables and a routes file. */
class FibnumaCommandTest
{
    private static final String NAME = "test-" + ProcessHandle.current().pid() + "-command";
    private static final int FILE_ROUTES = 5000;
    /** Length of a record of a trace without steps. */
    private static final int TRACE_HEADER = 32;

    @TempDir
    private static Path directory;

    private static Router router;

    private String out;
    private String err;

    @BeforeAll
    static void startRouter() throws Exception
    {
        final List<String> routes = new ArrayList<>();
        for (int i = 0; i < FILE_ROUTES; i++)
        {
            routes.add("100." + (i >> 8) + "." + (i & 0xFF) + ".0/24 10.0.1.2");
        }
        routes.add("192.0.2.0/24 10.0.1.9");
        Files.write(directory.resolve("table.txt"), routes);
        final Path file = directory.resolve("router.toml");
        Files.writeString(file, config());
        router = Router.open(ConfigReader.read(file));
        router.start();
    }

    @AfterAll
    static void stopRouter()
    {
        router.close();
    }

    @Test
    void shouldShowPorts() throws Exception
    {
        final JsonNode left = json("show", "ports").get("ports").get(0);

        assertEquals("left", left.get("name").asText());
        assertEquals("mem:" + NAME + "-a", left.get("device").asText());
        assertEquals("memory", left.get("mode").asText());
        assertEquals("up", left.get("state").asText());
        assertEquals("02:00:00:00:00:01", left.get("mac").asText());
        assertEquals(1500, left.get("mtu").asInt());
        assertEquals("10.0.0.1/24", left.get("addresses").get(0).asText());
        assertEquals(0, left.get("rxFrames").asInt());
    }

    @Test
    void shouldShowPortsInATableAndOnePortByName() throws Exception
    {
        assertEquals(FibnumaCommand.OK, run("show", "ports", "--name", NAME), () -> err);
        assertTrue(out.contains("name   device"), out);
        assertTrue(out.lines().allMatch(line -> line.length() <= 120), out);
        assertEquals(FibnumaCommand.OK, run("show", "ports", "right", "--name", NAME), () -> err);
        assertTrue(out.lines().toList().containsAll(List.of(
            "name                right", "mac                 02:00:00:00:00:02", "rxPkt/s             0")), out);
        final JsonNode right = json("show", "ports", "right").get("ports");
        assertEquals(1, right.size());
        assertEquals("right", right.get(0).get("name").asText());
        assertEquals(FibnumaCommand.FAILED, run("show", "ports", "middle", "--name", NAME));
        assertEquals(List.of("fibnuma: there is no port \"middle\"; the ports are left, right"), err.lines().toList());
    }

    @Test
    void shouldShowRoutesInOrderUpToALimit() throws Exception
    {
        final JsonNode answer = json("show", "routes", "--limit", "3");

        assertEquals(3, answer.get("routes").size());
        assertEquals("10.0.0.0/24", answer.get("routes").get(0).get("prefix").asText());
        assertEquals("10.0.0.1/32", answer.get("routes").get(1).get("prefix").asText());
        assertFalse(answer.has("next"));
        assertEquals(FILE_ROUTES + 1 + 6, answer.get("prefixes").asInt());
    }

    @Test
    void shouldShowAllRoutesPageByPage() throws Exception
    {
        final JsonNode routes = json("show", "routes", "--all").get("routes");

        assertEquals(FILE_ROUTES + 1 + 6, routes.size());
        assertEquals("192.0.2.0/24", routes.get(routes.size() - 1).get("prefix").asText());
        assertEquals("prohibit", routes.get(routes.size() - 1).get("kind").asText(), "static wins over the file");
        assertEquals("100.19.135.0/24", routes.get(routes.size() - 2).get("prefix").asText());
        assertEquals("file", routes.get(routes.size() - 2).get("source").asText());
    }

    @Test
    void shouldShowNeighbors() throws Exception
    {
        final JsonNode neighbors = json("show", "neighbors").get("neighbors");

        assertEquals(1, neighbors.size());
        assertEquals("10.0.1.2", neighbors.get(0).get("address").asText());
        assertEquals("right", neighbors.get(0).get("port").asText());
        assertEquals("permanent", neighbors.get(0).get("state").asText());
    }

    @Test
    void shouldShowDropsWithTheBalance() throws Exception
    {
        final JsonNode answer = json("show", "drops");

        assertEquals(0, answer.get("received").asInt());
        assertTrue(answer.get("balanced").asBoolean());
    }

    @Test
    void shouldShowStagesInTheirOrder() throws Exception
    {
        final JsonNode stages = json("show", "stages").get("stages");

        assertEquals("FrameClassifier", stages.get(0).get("stage").asText());
        assertEquals("EthernetInput", stages.get(1).get("stage").asText());
        assertEquals("HostInput", stages.get(stages.size() - 1).get("stage").asText());
    }

    @Test
    void shouldShowWhatHeldUpItsThreads() throws Exception
    {
        final JsonNode answer = json("show", "stages");

        final JsonNode workers = answer.get("workers");
        assertEquals(1, workers.size());
        assertEquals(0, workers.get(0).get("worker").asInt());
        final JsonNode worker = workers.get(0);
        assertTrue(worker.get("longestPauseUs").asLong() >= 0);
        assertEquals(worker.get("longestPauseUs").asLong() == 0, worker.get("pauseReason").isNull(), worker.toString());
        assertEquals(answer.get("safepoints").isNull(), worker.get("jvmPausesAbove2Ms").isNull(), answer.toString());
        assertTrue(worker.get("pauses").asLong() >= worker.get("jvmPausesAbove2Ms").asLong(), worker.toString());
        assertTrue(answer.get("controlLongestCycleUs").asLong() > 0);
        assertTrue(answer.get("controlRoutesTouched").asLong() >= answer.get("controlDumps").asLong());
    }

    @Test
    void shouldLookUpAnAddress() throws Exception
    {
        final JsonNode answer = json("lookup", "100.1.2.3");

        assertEquals("100.1.2.0/24", answer.get("prefix").asText());
        assertEquals("forward", answer.get("kind").asText());
        assertEquals("right", answer.get("port").asText());
        assertEquals("10.0.1.2", answer.get("nextHop").asText());
        assertEquals("02:00:00:00:01:02", answer.get("destinationMac").asText());
        assertEquals("no-route", json("lookup", "8.8.8.8").get("kind").asText());
    }

    @Test
    void shouldLookUpAPrefix() throws Exception
    {
        assertRoute("exact", "100.1.2.0/24", "forward", "100.1.2.0/24");
        assertRoute("covering", "100.1.2.0/24", "forward", "100.1.2.128/25");
        assertRoute("covering", "192.0.2.0/24", "prohibit", "192.0.2.7/32");
        assertRoute("exact", "10.0.0.0/24", "glean", "10.0.0.0/24");
        assertRoute("none", null, "no-route", "100.1.0.0/16");
        assertEquals(FibnumaCommand.OK, run("lookup", "100.1.2.128/25", "--name", NAME));
        assertEquals(List.of("network         100.1.2.128/25", "match           covering",
            "prefix          100.1.2.0/24"), out.lines().limit(3).toList());
    }

    private void assertRoute(final String match, final String prefix, final String kind, final String asked)
        throws Exception
    {
        final JsonNode answer = json("lookup", asked);
        assertEquals(asked, answer.get("network").asText());
        assertEquals(match, answer.get("match").asText());
        assertEquals(prefix, answer.get("prefix").asText(null));
        assertEquals(kind, answer.get("kind").asText());
    }

    @Test
    void shouldRefuseAFlowToAPrefix()
    {
        assertEquals(FibnumaCommand.USAGE,
            run("lookup", "100.1.2.0/24", "--flow", "10.0.0.2,100.1.2.1,udp,1,1", "--name", NAME));
        assertEquals(List.of("--flow: give the address of its destination, not a prefix"), err.lines().toList());
        assertEquals(FibnumaCommand.USAGE, run("lookup", "100.1.2.1/24", "--name", NAME));
        assertTrue(err.contains("100.1.2.1/24 has bits set below its length"), err);
    }

    @Test
    void shouldShowOnlyTheRoutesUnderAPrefix() throws Exception
    {
        assertEquals(List.of("100.2.0.0/24", "100.2.1.0/24", "100.2.2.0/24", "100.2.3.0/24"),
            json("show", "routes", "--under", "100.2.0.0/22").get("routes").findValuesAsText("prefix"));
        assertEquals(3, json("show", "routes", "--under", "100.2.0.0/16", "--limit", "3").get("routes").size());
        final JsonNode all = json("show", "routes", "--under", "100.0.0.0/8", "--all").get("routes");
        assertEquals(FILE_ROUTES, all.size());
        assertEquals("100.19.135.0/24", all.get(FILE_ROUTES - 1).get("prefix").asText());
        assertEquals(0, json("show", "routes", "--under", "2001:db8::/32").get("routes").size());
        assertEquals(FibnumaCommand.USAGE, run("show", "routes", "--under", "100.2", "--name", NAME));
    }

    @Test
    void shouldFindNoDifferenceToTheConfiguration() throws Exception
    {
        final JsonNode answer = json("verify");

        assertTrue(answer.get("equal").asBoolean(), answer.toString());
        assertEquals(FILE_ROUTES + 1 + 6, answer.get("prefixes").asInt());
    }

    @Test
    void shouldPrintForPeopleUnlessToldOtherwise()
    {
        assertEquals(FibnumaCommand.OK, run("show", "neighbors", "--name", NAME));
        assertEquals(String.join(System.lineSeparator(),
            "address   port   mac                state",
            "10.0.1.2  right  02:00:00:00:01:02  permanent",
            ""), out);
    }

    @Test
    void shouldFailWhereNoRouterRuns()
    {
        assertEquals(FibnumaCommand.FAILED, run("show", "ports", "--name", NAME + "-none"));
        assertTrue(err.startsWith("fibnuma: no router \"" + NAME + "-none\" of this user runs"), err);
        assertEquals(1, err.lines().count());
    }

    @Test
    void shouldRefuseAnAddressThatIsNone()
    {
        assertEquals(FibnumaCommand.USAGE, run("lookup", "10.0.0", "--name", NAME));
        assertTrue(err.contains("not an IPv4 address: \"10.0.0\""), err);
    }

    @Test
    void shouldRefuseToShowNothing()
    {
        assertEquals(FibnumaCommand.USAGE, run("show"));
        assertTrue(err.startsWith(
            "missing topic; use ports, routes, rules, flows, neighbors, drops, stages, pfc, acl or host"), err);
    }

    @Test
    void shouldReportEveryProblemOfAConfiguration() throws Exception
    {
        final Path file = directory.resolve("wrong.toml");
        Files.writeString(file, "[router]\nworkers = 0\n");

        assertEquals(FibnumaCommand.USAGE, run("router", "-c", file.toString()));
        assertEquals(List.of(
            file + ":1: port: is missing; add a [[port]] with name and device",
            file + ":2: router.workers: 0 is out of range; give 1 to 16"), err.lines().toList());
        assertEquals("", out);
    }

    @Test
    void shouldCheckAConfigurationWithoutStartingIt()
    {
        final Path file = directory.resolve("router.toml");

        assertEquals(FibnumaCommand.OK, run("router", "--check", "-c", file.toString()));
        assertEquals(List.of(
            "router " + NAME + ": control static, workers 1, cores none, ipv6 true, pfc off, spare-ports 0",
            "port left: device mem:" + NAME + "-a, queues 1, exception none, acl-in none, acl-out none",
            "port right: device mem:" + NAME + "-b, queues 1, exception none, acl-in none, acl-out none",
            file + ": ok"), out.lines().toList());
    }

    @Test
    void shouldPrintWhatAConfigurationOfInterfacesAndListsDoes() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("lists.toml"), String.join("\n",
            "[router]", "workers = 2", "cores = [0, 1]", "zero-copy = false",
            "[[port]]", "name = \"left\"", "device = \"xdp:lo\"", "queues = \"auto\"", "acl-in = \"edge\"",
            "[[acl]]", "name = \"edge\"", "default = \"permit\"", "[[acl.rule]]", "action = \"deny\"", "dscp = 3"));

        assertEquals(FibnumaCommand.OK, run("router", "--check", "-c", file.toString()));
        assertEquals(List.of(
            "router fibnuma: control netlink, workers 2, cores [0, 1], ipv6 true, pfc off, spare-ports 4",
            "port left: device xdp:lo, queues 2 (set on the interface), mode copy, exception none, acl-in edge, " +
            "acl-out none",
            "acl edge: rules 1, default permit",
            file + ": ok"), out.lines().toList());
    }

    @Test
    void shouldFailTheCheckOfAWrongFileWithTheLineOfAStart() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("wrong-check.toml"),
            "[[port]]\nname = \"left\"\ndevice = \"eth1\"\n");
        final String line = file + ":3: port.device: \"eth1\" is not a device; write KIND:NAME, such as \"xdp:eth1\"";

        assertEquals(FibnumaCommand.USAGE, run("router", "--check", "-c", file.toString()));
        assertEquals(List.of(line), err.lines().toList());
        assertEquals("", out);
        run("router", "-c", file.toString());
        assertEquals(List.of(line), err.lines().toList());
    }

    @Test
    void shouldMakeAPortOfEachInterface() throws Exception
    {
        assertEquals(FibnumaCommand.OK, run("router", "--check", "lo", "--name", "edge"));
        final List<String> lines = out.lines().toList();
        assertTrue(lines.get(0).startsWith("router edge: control netlink, workers 1, cores "), out);
        final String rest =
            ", queues 1, mode zero-copy if the driver has it, else copy, exception none, acl-in none, acl-out none";
        assertEquals(List.of("port lo: device xdp:lo" + rest, "lo: ok"), lines.subList(1, 3));
    }

    @Test
    void shouldFailTheCheckOfMissingInterfacesWithTheLinesOfAStart()
    {
        final String line = "fibnuma: port no-if-1 (xdp:no-if-1): there is no interface no-if-1 in this network " +
            "namespace: ip link shows them";

        assertEquals(FibnumaCommand.FAILED, run("router", "--check", "no-if-1", "lo", "no-if.2", "--name", "edge"));
        assertEquals(List.of(line, line.replace("no-if-1", "no-if.2")), err.lines().toList());
        assertEquals("", out);
    }

    @Test
    void shouldRefuseDevicesThatNoRouterCanOpen() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("devices.toml"), String.join("\n",
            "[router]", "control = \"static\"", "cores = []",
            "[[port]]", "name = \"a\"", "device = \"xpd:r0\"",
            "[[port]]", "name = \"b\"", "device = \"fault:lss=1/xdp:lo\"",
            "[[port]]", "name = \"c\"", "device = \"fault:loss=1/xpd:r0\"",
            "[[port]]", "name = \"d\"", "device = \"fault:loss=1/xdp:lo\""));
        final String kinds = "; known kinds: dpdk: fault: mem: pcap: shm: tap: tun: xdp:";
        final List<String> lines = List.of(
            file + ":6: port.device: port a: unknown device \"xpd:r0\"" + kinds,
            file + ":9: port.device: port b: fault: unknown fault \"lss\"; known: ",
            file + ":12: port.device: port c: unknown device \"xpd:r0\"" + kinds);

        for (final String[] command : new String[][]{{"--check"}, {}})
        {
            final List<String> arguments = new ArrayList<>(List.of("router", "-c", file.toString()));
            arguments.addAll(List.of(command));
            assertEquals(FibnumaCommand.USAGE, run(arguments.toArray(String[]::new)));
            final List<String> said = err.lines().toList();
            assertEquals(lines.size(), said.size(), err);
            for (int i = 0; i < lines.size(); i++)
            {
                assertTrue(said.get(i).startsWith(lines.get(i)), err);
            }
            assertEquals("", out);
        }
    }

    @Test
    void shouldWarnOfRulesThatNoPacketReaches() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("shadowed.toml"), String.join("\n",
            Files.readString(directory.resolve("router.toml")),
            "[[acl]]", "name = \"edge\"",
            "[[acl.rule]]", "action = \"deny\"", "source = \"10.0.0.0/8\"",
            "[[acl.rule]]", "action = \"permit\"", "source = \"10.1.0.0/16\"",
            "[[acl.rule]]", "action = \"permit\"", "source = \"11.1.0.0/16\""));
        final List<String> lines = Files.readAllLines(file);
        final int shadowed = lines.indexOf("source = \"10.1.0.0/16\"");

        assertEquals(FibnumaCommand.OK, run("router", "--check", "-c", file.toString()));
        assertEquals(List.of(file + ":" + shadowed + ": acl.rule: warning: list edge: rule 2 is unreachable: rule 1 " +
            "matches all its packets"), err.lines().toList());
        assertTrue(out.endsWith(file + ": ok" + System.lineSeparator()), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "router", "router --check", "router -c FILE eth1", "router -c FILE --name r", "router eth1 eth1",
        "router eth1:1", "router interface-too-long", "router eth1 --name ?",
        "router a b c d e f g h i j k l m n o p q"})
    void shouldRefuseWrongUsageOfTheRouter(final String command)
    {
        assertEquals(FibnumaCommand.USAGE,
            run(command.replace("FILE", directory.resolve("router.toml").toString()).split(" ")));
        assertEquals(1, err.lines().count(), err);
        assertEquals("", out);
    }

    @Test
    void shouldReloadByNameAndByOption() throws Exception
    {
        final String unchanged = directory.resolve("router.toml") + ": nothing has changed";
        assertEquals(FibnumaCommand.OK, run("reload", NAME));
        assertEquals(List.of(unchanged), out.lines().toList());
        assertEquals(0, json("reload").get("changes").size());
    }

    @Test
    void shouldPrintOneLineForAReloadThatIsRefused() throws Exception
    {
        final Path file = directory.resolve("router.toml");
        final String text = Files.readString(file);
        try
        {
            Files.writeString(file, text.replace("cores = []", "cores = []\nhold-ms = 7"));
            assertEquals(FibnumaCommand.FAILED, run("reload", NAME));
            assertEquals(List.of("fibnuma: " + file + ":5: router.hold-ms: 3000 -> 7 needs a restart"),
                err.lines().toList());
            assertEquals("", out);
            Files.writeString(file, text + "[[acl]]\nname = \"a\"\n");
            assertEquals(FibnumaCommand.OK, run("reload", "--name", NAME));
            assertEquals(List.of("acl a: added with 0 rules"), out.lines().toList());
        }
        finally
        {
            Files.writeString(file, text);
            assertEquals(FibnumaCommand.OK, run("reload", NAME));
            assertEquals(List.of("acl a: removed"), out.lines().toList());
        }
    }

    @Test
    void shouldSayInOneLineWhichPortsCannotBeRemoved()
    {
        assertEquals(FibnumaCommand.FAILED, run("port", "remove", "middle", "--name", NAME));
        assertEquals(List.of("fibnuma: there is no port \"middle\"; the ports are left, right"), err.lines().toList());
        assertEquals(FibnumaCommand.FAILED, run("port", "remove", "left", "--name", NAME));
        assertEquals(List.of("fibnuma: port left (mem:" + NAME + "-a): cannot be removed while the router runs, " +
            "because the kernel has no interface of it, from which an added port has its addresses and routes and to " +
            "which a removed one leaves them"), err.lines().toList());
        assertEquals(FibnumaCommand.USAGE, run("port", "add", "--name", NAME));
        assertEquals(FibnumaCommand.USAGE, run("port"));
    }

    @Test
    void shouldPrintAScreenForAPipe()
    {
        assertEquals(FibnumaCommand.OK, run("top", "--batch", "-n", "2", "--interval", "0.1", "--name", NAME));
        assertEquals(2, out.lines().filter(line -> line.startsWith("router " + NAME + "  over ")).count(), out);
        assertEquals(2, out.lines().filter(line -> line.startsWith("left ")).count(), out);
        assertEquals(2, out.lines().filter(line -> line.startsWith("0 ")).count(), out);
    }

    @Test
    void shouldPrintALineOfJsonForEachScreen() throws Exception
    {
        assertEquals(FibnumaCommand.OK, run("top", "--batch", "-n", "1", "-i", "0.1", "--json", "--name", NAME));
        final JsonNode figures = new ObjectMapper().readTree(out);
        assertEquals(2, figures.get("ports").size());
        assertEquals(0, figures.get("workers").get(0).get("frames").asInt());
        assertTrue(figures.get("seconds").asDouble() >= 0.1, out);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "show ports", "show routes", "show flows", "show neighbors", "show drops", "show stages", "show pfc",
        "show acl", "show host"})
    void shouldPrintALineOfJsonEverySecondUntilTheReaderCloses(final String command) throws Exception
    {
        final ClosingWriter reader = new ClosingWriter(2);
        assertEquals(FibnumaCommand.OK, watch(reader, command + " --watch --json --name " + NAME));
        assertEquals("", err);
        final List<String> lines = reader.text().lines().toList();
        assertEquals(2, lines.size());
        assertEquals(json(command.split(" ")).getNodeType(), new ObjectMapper().readTree(lines.get(1)).getNodeType());
    }

    @Test
    void shouldPrintTheTimeBeforeEachAnswer() throws Exception
    {
        final ClosingWriter reader = new ClosingWriter(2);
        assertEquals(FibnumaCommand.OK, watch(reader, "show neighbors --watch=1 --name " + NAME));
        final String answer =
            "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\naddress .*\n10\\.0\\.1\\.2 .*\n";
        assertTrue(reader.text().matches(answer + "\n" + answer), reader.text());
    }

    @Test
    void shouldEndAWatchWithOneLineWhenTheRouterEnds() throws Exception
    {
        final String name = NAME + "-ending";
        final Path file = Files.writeString(directory.resolve("ending.toml"), config().replace(NAME, name));
        final Router ending = Router.open(ConfigReader.read(file));
        ending.start();
        final ClosingWriter reader = new ClosingWriter(Integer.MAX_VALUE);
        final Thread closing = new Thread(() ->
        {
            while (reader.text().isEmpty())
            {
                Thread.onSpinWait();
            }
            ending.close();
        });
        closing.start();
        assertEquals(FibnumaCommand.FAILED, watch(reader, "show drops --watch --json --name " + name));
        closing.join();
        assertEquals(List.of("fibnuma: router \"" + name + "\" ended before it answered"), err.lines().toList());
    }

    private int watch(final ClosingWriter reader, final String arguments)
    {
        final StringWriter errText = new StringWriter();
        final int status = FibnumaCommand.commandLine().setOut(new PrintWriter(reader))
            .setErr(new PrintWriter(errText, true)).execute(arguments.split(" "));
        err = errText.toString();
        return status;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--watch=0", "--watch 3601", "--watch=x"})
    void shouldRefuseAWrongIntervalOfAWatch(final String option)
    {
        assertEquals(FibnumaCommand.USAGE, run(("show ports --name " + NAME + ' ' + option).split(" ")));
        assertTrue(err.contains("--watch"), err);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--interval 0", "--interval NaN", "--batch -n 0", "--json"})
    void shouldRefuseWrongUsageOfTop(final String options)
    {
        assertEquals(FibnumaCommand.USAGE, run(("top --name " + NAME + " " + options).split(" ")));
    }

    @Test
    void shouldSayThatTheNameIsTaken()
    {
        assertEquals(FibnumaCommand.FAILED, run("router", "-c", directory.resolve("router.toml").toString()));
        assertTrue(err.contains("belongs to a running process"), err);
        assertEquals(1, err.lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "router", "show", "show ports", "show routes", "show flows", "show neighbors", "show drops", "show stages",
        "lookup", "verify", "reload", "top", "port add", "port remove"
    })
    void shouldHelp(final String command)
    {
        assertEquals(FibnumaCommand.OK, run((command + " --help").split(" ")));
        assertTrue(out.startsWith("Usage: fibnuma " + command), out);
    }

    private JsonNode json(final String... command) throws Exception
    {
        final List<String> args = new ArrayList<>(List.of(command));
        args.addAll(List.of("--name", NAME, "--json"));
        assertEquals(FibnumaCommand.OK, run(args.toArray(String[]::new)), () -> err);
        return new ObjectMapper().readTree(out);
    }

    @Test
    void shouldRefuseDamagedRecordsOfATraceWithOneLine() throws Exception
    {
        final String end = "; router and command may be of different versions" + System.lineSeparator();
        final String begin = "fibnuma: the router has sent an invalid record: ";
        assertEquals(begin + "length -5" + end, errorOfTrace(message(-5, 1, new byte[0])));
        assertEquals(begin + "length 1073741824" + end, errorOfTrace(message(1 << 30, 1, new byte[0])));
        assertEquals(begin + "kind 77" + end, errorOfTrace(message(0, 77, new byte[0])));
        assertEquals(begin + "length 31" + end, errorOfTrace(message(31, 1, new byte[31])));
        final byte[] manySteps = new byte[TRACE_HEADER];
        ByteBuffer.wrap(manySteps).order(ByteOrder.nativeOrder()).putInt(24, 1);
        assertEquals(begin + "number of steps 1" + end, errorOfTrace(message(TRACE_HEADER, 1, manySteps)));
        final byte[] otherPort = new byte[TRACE_HEADER];
        ByteBuffer.wrap(otherPort).order(ByteOrder.nativeOrder()).putInt(12, 63);
        assertEquals(begin + "port 63" + end, errorOfTrace(message(TRACE_HEADER, 1, otherPort)));
    }

    private String errorOfTrace(final byte[] stream) throws Exception
    {
        assertEquals(FibnumaCommand.FAILED, traceOf(stream));
        assertTrue(err.startsWith("fibnuma: tracing at left; Ctrl-C ends it"), err);
        return err.substring(err.indexOf('\n') + 1);
    }

    @Test
    void shouldPrintAnyRecordOfATraceThatIsWithinItsBounds() throws Exception
    {
        final Random random = new Random(1);
        final int count = 500;
        final ByteBuffer stream = ByteBuffer.allocate(1 << 20).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++)
        {
            putRandomFrame(stream, random);
        }
        stream.put(message(0, 5, new byte[0]));
        final byte[] bytes = Arrays.copyOf(stream.array(), stream.position());
        assertEquals(FibnumaCommand.OK, traceOf(bytes, "--count", "10000"));
        assertTrue(err.contains("frames traced: " + count + ", lost: 0"), err);
        assertTrue(out.chars().allMatch(c -> c == '\n' || c == '\r' || c >= ' ' && c < 127), "only printable text");
        assertEquals(FibnumaCommand.OK, traceOf(bytes, "--count", "10000", "--json"));
        assertEquals(count, new ObjectMapper().readTree(out).path("frames").size());
    }

    /** A record in the layout of the router: random bytes of a frame, and steps whose values exist. */
    private static void putRandomFrame(final ByteBuffer stream, final Random random)
    {
        final int start = stream.position();
        final int steps = random.nextInt(8);
        final int headLength = random.nextInt(129);
        stream.putInt(0).putInt(1).putLong(random.nextLong()).putInt(0).putInt(0).putInt(random.nextInt())
            .putInt(headLength).putInt(steps).putInt(random.nextInt(2));
        putPadded(stream, random, headLength);
        for (int step = 0; step < steps; step++)
        {
            final int length = random.nextInt(129);
            stream.put((byte)random.nextInt(Stage.values().length)).put((byte)random.nextInt(5))
                .put((byte)random.nextInt(Disposition.SETTLED + 1)).put((byte)0)
                .put((byte)random.nextInt(TraceEvent.values().length))
                .put((byte)(random.nextInt(AdjacencyKind.values().length + 1) - 1)).putShort((short)length)
                .putInt(random.nextInt()).putInt(0).putInt(random.nextInt()).putInt(random.nextInt(2) - 1)
                .putInt(random.nextInt()).putInt(random.nextInt()).putLong(random.nextLong())
                .putLong(random.nextLong()).putLong(random.nextLong()).putLong(random.nextLong());
            putPadded(stream, random, length);
        }
        stream.putInt(start, stream.position() - start - 2 * Integer.BYTES);
    }

    private static void putPadded(final ByteBuffer stream, final Random random, final int length)
    {
        final byte[] bytes = new byte[length + 7 & -8];
        random.nextBytes(bytes);
        stream.put(bytes);
    }

    private static byte[] message(final int length, final int kind, final byte[] body)
    {
        return ByteBuffer.allocate(2 * Integer.BYTES + body.length).order(ByteOrder.nativeOrder())
            .putInt(length).putInt(kind).put(body).array();
    }

    /** Runs a trace of a process that answers like a router with one port and then sends some bytes. */
    private int traceOf(final byte[] stream, final String... options) throws Exception
    {
        final Path socket = RunDirectory.controlSocketOf(NAME + "-other");
        RunDirectory.make(socket.getParent());
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(socket));
            final Thread other = new Thread(() -> answerTrace(server, stream));
            other.start();
            final List<String> arguments = new ArrayList<>(List.of("trace", "--name", NAME + "-other"));
            arguments.addAll(List.of(options));
            final int status = run(arguments.toArray(new String[0]));
            other.join();
            return status;
        }
        finally
        {
            Files.deleteIfExists(socket);
        }
    }

    private static void answerTrace(final ServerSocketChannel server, final byte[] stream)
    {
        try (SocketChannel client = server.accept())
        {
            final InputStream requests = Channels.newInputStream(client);
            while (requests.read() != '\n')
            {
                continue;
            }
            final OutputStream answers = Channels.newOutputStream(client);
            answers.write(("{\"ports\":[{\"index\":0,\"port\":\"left\"}],\"allPorts\":[\"left\"]," +
                "\"reasons\":[\"a reason\"]}\n").getBytes(StandardCharsets.US_ASCII));
            answers.write(stream);
            // Until the command has ended or asks for the end.
            requests.read();
        }
        catch (final IOException ignore)
        {
            // The command has closed the connection.
        }
    }

    private int run(final String... args)
    {
        final StringWriter outText = new StringWriter();
        final StringWriter errText = new StringWriter();
        final CommandLine commandLine = FibnumaCommand.commandLine(args)
            .setOut(new PrintWriter(outText, true))
            .setErr(new PrintWriter(errText, true));
        final int status = commandLine.execute(args);
        out = outText.toString();
        err = errText.toString();
        return status;
    }

    private static String config()
    {
        return String.join("\n",
            "[router]",
            "name = \"" + NAME + "\"",
            "control = \"static\"",
            "cores = []",
            "routes-file = \"table.txt\"",
            "[[port]]",
            "name = \"left\"",
            "device = \"mem:" + NAME + "-a\"",
            "address = [\"10.0.0.1/24\"]",
            "[[port]]",
            "name = \"right\"",
            "device = \"mem:" + NAME + "-b\"",
            "address = [\"10.0.1.1/24\"]",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "kind = \"prohibit\"",
            "[[neighbor]]",
            "address = \"10.0.1.2\"",
            "mac = \"02:00:00:00:01:02\"",
            "");
    }
}
