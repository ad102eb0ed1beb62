package org.fibnuma.fabric.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.fabric.sonic.SonicRing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the commands on files and checks output and exit status. */
class FabricCommandTest
{
    private static final String RING = "0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n";

    @TempDir
    private Path folder;

    private String error;

    @ParameterizedTest
    @ValueSource(strings = {"updown", "tp", "turn-addition"})
    void shouldPlanAndPassItsOwnCheck(final String method) throws IOException
    {
        final Path ring = write("ring.edges", RING);
        final JsonNode plan = run(0, "plan", "--topology", ring.toString(), "--method", method,
            "--traffic", "uniform", "--out", folder.resolve("out").toString(), "--json");
        assertEquals(6, plan.path("turns").asInt());
        assertEquals(1, plan.path("forbiddenTurns").asInt());
        assertTrue(plan.path("acyclic").asBoolean());
        assertEquals(30, plan.path("pairs").asInt());
        assertEquals(30, plan.path("reachablePairs").asInt());
        assertTrue(plan.path("averageHops").asDouble() >= 1.8);
        assertTrue(plan.path("maxLinkLoad").asDouble() > 0);
        assertTrue(plan.path("throughput").asDouble() > 0);
        assertTrue(plan.path("seconds").asDouble() > 0);
        DocumentedJson.assertMatches("fabric plan", plan);
        final JsonNode check = run(0, "check", "--topology", ring.toString(),
            "--routes", folder.resolve("out/routes").toString(), "--json");
        assertTrue(check.path("acyclic").asBoolean());
        DocumentedJson.assertMatches("fabric check", check);
        assertEquals(0, check.path("unreachablePairs").asInt());
        assertEquals(0, check.path("cycle").size());
        assertEquals(plan.path("averageHops").asDouble(), check.path("averageHops").asDouble());
        assertEquals(plan.path("maxLinkLoad").asDouble(), check.path("maxLinkLoad").asDouble());
        assertEquals(1, new ObjectMapper().readTree(folder.resolve("out/turns.json").toFile())
            .path("forbidden").size());
        assertTrue(Files.readString(folder.resolve("out/ip-route/0.sh"))
            .contains("ip route replace 10.0.0.2/32 via 172.16.0.1 dev p2\n"));
    }

    @Test
    void shouldPrintWhatIsLeftOutAndPlanTheRest() throws IOException
    {
        final Path edges = Files.writeString(folder.resolve("loop.edges"), "0 1\n1 2\n2 2\n");
        assertEquals(3, run(0, "plan", "--topology", edges.toString(), "--method", "tp", "--json")
            .path("servers").asInt());
        assertEquals("fibnuma fabric: " + edges + ":3: a cable from switch \"2\" to itself is left out\n", error);
    }

    /** Every method has k^3/4 - k/2 on the most loaded link, as OpenSM's ftree; the busiest server has k^3/4 - 1. */
    @ParameterizedTest
    @CsvSource({"net, updown, 0", "net, auto, 0", "lldp, tp, 0", "lldp, auto, 0", "net, auto, 4", "lldp, auto, 4"})
    void shouldRecogniseAFatTreeInFiles(final String format, final String method, final int failed) throws IOException
    {
        final ShuffledFatTree tree = new ShuffledFatTree(6, failed, 7);
        final Path file = folder.resolve("tree." + format);
        if (format.equals("net"))
        {
            tree.writeNet(file);
        }
        else
        {
            tree.writeLldp(file);
        }
        final JsonNode plan = run(0, "plan", "--topology", file.toString(), "--method", method, "--json");
        assertEquals(54 * 53, plan.path("tablesReachablePairs").asInt());
        assertEquals(failed == 0, 51.0 / 53 == plan.path("maxLinkLoad").asDouble(), plan.toString());
        if (failed == 0)
        {
            assertTrue(plan.path("fatTree").asBoolean());
        }
        for (final JsonNode other : plan.path("throughputs"))
        {
            assertTrue(plan.path("throughput").asDouble() >= other.path("throughput").asDouble(), plan.toString());
            assertTrue(other.path("seconds").asDouble() > 0);
        }
        assertEquals(method.equals("auto") ? 3 : 0, plan.path("throughputs").size());
        assertTrue(plan.path("allSeconds").asDouble() >= plan.path("seconds").asDouble());
    }

    @Test
    void shouldPlanTablesOfALargeNetwork() throws IOException
    {
        final Path out = folder.resolve("out");
        final JsonNode plan = run(0, "plan", "--topology", "random:switches=460,ports=4,servers=1,seed=1",
            "--method", "tp", "--out", out.toString(), "--json");
        assertEquals(460 * 459, plan.path("tablesReachablePairs").asInt());
        assertTrue(plan.path("tablesAcyclic").asBoolean());
        assertTrue(plan.path("pathsThroughput").asDouble() > 0);
        assertEquals(460, plan.path("servers").asInt());
        try (Stream<Path> files = Files.list(out.resolve("routes")))
        {
            assertEquals(460, files.count());
        }
    }

    @Test
    void shouldPlanAndCheckLanes() throws IOException
    {
        final StringBuilder torus = new StringBuilder();
        for (int node = 0; node < 16; node++)
        {
            torus.append(node).append(' ').append(node / 4 * 4 + (node + 1) % 4).append('\n')
                .append(node).append(' ').append((node + 4) % 16).append('\n');
        }
        final String file = write("torus.edges", torus.toString()).toString();
        final Path out = folder.resolve("out");
        final JsonNode plan = run(0, "plan", "--topology", file, "--lanes", "2", "--out", out.toString(), "--json");
        assertEquals(2, plan.path("lanes").asInt());
        assertEquals(3, plan.path("throughputs").size());
        final JsonNode first = plan.path("throughputs").path(0);
        assertEquals("turn-addition", first.path("method").asText());
        assertEquals(plan.path("throughput").asDouble(), first.path("throughput").asDouble());
        assertTrue(plan.path("tablesAcyclic").asBoolean());
        DocumentedJson.assertMatches("fabric plan", plan);
        final String[] check = {"check", "--topology", file, "--routes", out.resolve("routes").toString(), "--json"};
        final JsonNode refuted = run(1, check);
        assertFalse(refuted.path("acyclic").asBoolean(), "the tables of this plan need two lanes");
        final String lanes = out.resolve("lanes.txt").toString();
        final JsonNode proved = run(0, Stream.concat(Stream.of(check), Stream.of("--lanes", lanes))
            .toArray(String[]::new));
        assertEquals(2, proved.path("lanes").asInt());
        assertTrue(proved.path("acyclic").asBoolean());
        DocumentedJson.assertMatches("fabric check", refuted, proved);
        assertEquals(plan.path("throughput").asDouble(), proved.path("throughput").asDouble());
        for (final String[] bad : new String[][]{{"0 8\n", ":1: \"0 8\" is not a switch and a lane from 0 to 7"},
            {"0 0\n0 1\n", ":2: switch \"0\" is there twice"}, {"# none\n", "switch \"0\" has no lane"},
            {"x 0\n", "switch \"x\" is unknown"}})
        {
            final String given = write("bad.txt", bad[0]).toString();
            fail(2, bad[1], "check", "--topology", file, "--routes", out.resolve("routes").toString(),
                "--lanes", given);
        }
        fail(2, "--lanes: updown needs one lane", "plan", "--topology", file, "--method", "updown", "--lanes", "2");
        fail(2, "--lanes: 9 is not in 1 to 8", "plan", "--topology", file, "--lanes", "9");
    }

    @Test
    void shouldTellHostsTheirLane() throws IOException
    {
        final Path site = folder.resolve("site");
        SonicRing.write(site);
        final Path out = folder.resolve("out");
        run(0, "plan", "--topology", site.toString(), "--method", "turn-addition", "--lanes", "2", "--out",
            out.toString(), "--json");
        assertEquals(List.of("leaf0 0", "leaf1 0", "leaf2 1"),
            Files.readAllLines(out.resolve("lanes.txt")).stream().skip(1).toList());
        assertTrue(Files.readString(out.resolve("hosts/host0.sh")).contains("DSCP 3, priority 3"));
        final String host = Files.readString(out.resolve("hosts/host2.sh"));
        assertTrue(host.contains("# Lane 1: all lossless traffic of this host has DSCP 4, priority 4."), host);
        assertTrue(host.endsWith("""
            for rdma in $(ls /sys/class/net/eth0/device/infiniband 2>/dev/null)
            do
                modprobe rdma_cm
                mkdir -p /sys/kernel/config/rdma_cm/$rdma
                echo 16 > /sys/kernel/config/rdma_cm/$rdma/ports/$(($(cat /sys/class/net/eth0/dev_port) + 1))\
            /default_roce_tos
            done
            """), host);
    }

    @Test
    void shouldPrintACycleLinkByLink() throws IOException
    {
        final Path ring = write("ring.edges", "0 1\n1 2\n2 0\n");
        final Path routes = Files.createDirectory(folder.resolve("clockwise"));
        // Cables 0-1, 1-2, 2-0 have 172.16.0.0/31, .2/31 (which is 0-2: channels count) and .4/31.
        Files.writeString(routes.resolve("0.toml"),
            "switch = \"0\"\n" + route(2, "172.16.0.1") + route(3, "172.16.0.1"));
        Files.writeString(routes.resolve("1.toml"),
            "switch = \"1\"\n" + route(3, "172.16.0.5") + route(1, "172.16.0.5"));
        Files.writeString(routes.resolve("2.toml"),
            "switch = \"2\"\n" + route(1, "172.16.0.2") + route(2, "172.16.0.2"));
        final JsonNode check = run(1, "check", "--topology", ring.toString(), "--routes", routes.toString(), "--json");
        assertFalse(check.path("acyclic").asBoolean());
        assertEquals(3, check.path("cycle").size());
        assertEquals("[\"0 port 2 -> 1\",\"1 port 3 -> 2\",\"2 port 3 -> 0\"]", check.path("cycle").toString());
        assertEquals(0, check.path("unreachablePairs").asInt());
    }

    @Test
    void shouldCountWhoIsNotReached() throws IOException
    {
        final Path pair = write("pair.edges", "0 1\n");
        final Path routes = Files.createDirectory(folder.resolve("half"));
        Files.writeString(routes.resolve("0.toml"), "switch = \"0\"\n" + route(2, "172.16.0.1"));
        final JsonNode check = run(1, "check", "--topology", pair.toString(), "--routes", routes.toString(), "--json");
        assertTrue(check.path("acyclic").asBoolean());
        assertEquals(1, check.path("unreachablePairs").asInt());
    }

    @Test
    void shouldWriteNothingThatIsNotProved() throws IOException
    {
        final Path file = write("seven.edges", "0 1\n1 2\n0 2\n4 5\n5 6\n4 6\n0 3\n3 4\n");
        boolean cyclic = false;
        for (int seed = 0; seed < 400 && !cyclic; seed++)
        {
            final Path out = folder.resolve("out" + seed);
            final StringWriter printed = new StringWriter();
            final int status = execute(printed, "plan", "--topology", file.toString(), "--method",
                "turn-addition-paper", "--seed", String.valueOf(seed), "--traffic",
                write("traffic", "H0 H1 0\nH1 H2 1\n").toString(), "--out", out.toString(), "--json");
            cyclic = new ObjectMapper().readTree(printed.toString()).path("cycle").size() > 0;
            assertTrue(!cyclic || status == 1);
            assertEquals(status == 1, !Files.exists(out));
        }
        assertTrue(cyclic, "no order of ties made the paper's form cyclic");
    }

    @Test
    void shouldTakeTrafficOfGroupsAndOfAMatrix() throws IOException
    {
        final Path ring = write("ring.edges", RING);
        final Path groups = write("groups", "group left H0 H1 H2\ngroup right H3 H4 H5\ninside 100\nbetween 1\n");
        run(0, "plan", "--topology", ring.toString(), "--traffic", groups.toString(), "--json");
        final Path matrix = write("matrix", "H0 H1 5\nH1 H0 5 # both\n");
        final JsonNode plan = run(0, "plan", "--topology", ring.toString(), "--traffic", matrix.toString(), "--json");
        assertEquals(1.0, plan.path("maxLinkLoad").asDouble());
        assertEquals(1.0, plan.path("averageHops").asDouble());
        fail(2, "matrix:1: unknown server \"H9\"", "plan", "--topology", ring.toString(),
            "--traffic", write("matrix", "H9 H1 5\n").toString());
    }

    @Test
    void shouldPlanTheSmallestNetworks() throws IOException
    {
        final Path one = write("one.json", "{\"switches\": [\"a\"], \"links\": []}");
        final Path pair = write("pair.json", "{\"switches\": [{\"name\": \"a\", \"servers\": 0}, \"b\"], " +
            "\"links\": [{\"a\": \"a\", \"b\": \"b\"}]}");
        for (final String method : new String[]{"updown", "tp", "turn-addition", "turn-addition-paper"})
        {
            assertEquals(0, run(0, "plan", "--topology", one.toString(), "--method", method, "--json")
                .path("turns").asInt());
            run(0, "plan", "--topology", pair.toString(), "--method", method, "--json");
        }
    }

    @Test
    void shouldPlanGeneratedFatTrees() throws IOException
    {
        final JsonNode plan = run(0, "plan", "--topology", "joined-fat-trees:k=4,join=middle", "--json");
        assertEquals(192, plan.path("turns").asInt());
        assertEquals(992, plan.path("reachablePairs").asInt());
        assertEquals(992, plan.path("tablesReachablePairs").asInt());
        assertEquals(100, plan.path("demandInside").asInt());
        final JsonNode prohibition =
            run(0, "plan", "--topology", "joined-fat-trees:k=4,join=top-but-one", "--method", "tp", "--json");
        assertEquals(1_000_000, prohibition.path("demandInside").asInt());
        fail(2, "unknown join \"side\"; use top, middle, bottom or top-but-one",
            "plan", "--topology", "joined-fat-trees:k=4,join=side");
    }

    @Test
    void shouldTakeRoots() throws IOException
    {
        final Path ring = write("ring.edges", RING);
        final JsonNode plan = run(0, "plan", "--topology", ring.toString(), "--method", "updown",
            "--roots", write("roots", "4\n").toString(), "--json");
        assertTrue(plan.path("order").asText().startsWith("root 4"), plan.toString());
        fail(2, "roots:1: unknown switch \"9\"", "plan", "--topology", ring.toString(), "--method", "updown",
            "--roots", write("roots", "9\n").toString());
    }

    @Test
    void shouldRefuseWhatCannotBeUsed() throws IOException
    {
        fail(2, "bad:2: duplicate link 1 0", "plan", "--topology", write("bad", "0 1\n1 0\n").toString());
        fail(2, "bad:2: not connected", "plan", "--topology", write("bad", "0 1\n2 3\n").toString());
        fail(2, "nowhere: cannot be read (no such file)", "plan", "--topology", folder + "/nowhere");
        fail(2, "routes:1: no routes", "check", "--topology", write("ok", "0 1\n").toString(),
            "--routes", write("routes", "nothing\n").toString());
        assertEquals(2, execute(new StringWriter(), "plan", "--topology", folder + "/ok", "--method", "best"));
        assertEquals(2, execute(new StringWriter(), "plan"));
        assertEquals(2, execute(new StringWriter()));
    }

    @Test
    void shouldShowADeadlockAndNone() throws IOException
    {
        final JsonNode shown = run(0, "deadlock", "--json");
        assertFalse(shown.path("shortestPathsDone").asBoolean());
        assertEquals(4, shown.path("shortestPathsWaiting").size());
        assertTrue(shown.path("plannedDone").asBoolean());
    }

    @Test
    void shouldReportOnSonicSwitches() throws IOException
    {
        final Path site = folder.resolve("site");
        SonicRing.write(site);
        SonicRing.writeFrrRoutes(site, false);
        final JsonNode good = run(0, "check", "--sonic", site.toString(), "--json");
        assertTrue(good.path("acyclic").asBoolean());
        assertEquals(0, good.path("findings").size());
        assertEquals(3, good.path("switches").asInt());
        assertEquals(3, good.path("links").asInt());
        assertEquals(6, good.path("destinations").asInt());
        SonicRing.writeFrrRoutes(site, true);
        SonicRing.edit(site, 0, "\"Ethernet8\": \"40m\"", "\"Ethernet8\": \"300m\"");
        final JsonNode bad = run(1, "check", "--sonic", site.toString(), "--json");
        assertEquals(3, bad.path("cycle").size());
        assertEquals("error", bad.path("findings").get(1).path("level").asText());
        assertEquals("leaf0 Ethernet8", bad.path("findings").get(1).path("place").asText());
        DocumentedJson.assertMatches("fabric check", good, bad);
        final StringWriter text = new StringWriter();
        assertEquals(1, execute(text, "check", "--sonic", site.toString()));
        assertTrue(text.toString().contains("deadlock      possible, in this cycle\n" +
            "    leaf0 Ethernet0 -> leaf1 Ethernet4\n"), text.toString());
        assertTrue(text.toString().contains("\nlevel    check     place            finding\n"), text.toString());
        assertTrue(text.toString().contains("\nerror    headroom  leaf0 Ethernet8  xoff of 80896 "), text.toString());
        fail(2, "contains no NAME/config_db.json", "check", "--sonic", folder.toString());
        fail(2, "--headroom: ", "check", "--sonic", site.toString(), "--headroom", "best");
        assertEquals(2, execute(new StringWriter(), "check", "--sonic", site.toString(), "--routes", "x"));
    }

    @Test
    void shouldWritePatchesForSonicSwitches() throws IOException
    {
        final Path site = folder.resolve("site");
        SonicRing.write(site);
        final Path out = folder.resolve("out");
        run(0, "plan", "--topology", site.toString(), "--out", out.toString(), "--json");
        for (int node = 0; node < SonicRing.SWITCHES; node++)
        {
            assertEquals("/STATIC_ROUTE", new ObjectMapper()
                .readTree(out.resolve("sonic/leaf" + node + ".patch.json").toFile()).get(0).path("path").asText());
        }
        assertTrue(Files.readString(out.resolve("frr/leaf0.conf"))
            .contains("ip route 192.168.1.0/24 10.0.0.1 Ethernet0\n"));
        assertEquals("""
            #!/bin/sh
            set -e
            # eth0: leaf1 Ethernet8
            ip route replace 192.168.0.0/24 via 192.168.1.1 dev eth0
            ip -6 route replace fd00:168::/64 via fd00:168:1::1 dev eth0
            ip route replace 192.168.2.0/24 via 192.168.1.1 dev eth0
            ip -6 route replace fd00:168:2::/64 via fd00:168:1::1 dev eth0
            if [ "$1" = mlnx_qos ]
            then
                mlnx_qos -i eth0 --trust dscp --pfc 0,0,0,1,1,0,0,0 --cable_len 40
                mlnx_qos -i eth0 --dscp2prio set,3,3
                mlnx_qos -i eth0 --dscp2prio set,26,3
                mlnx_qos -i eth0 --dscp2prio set,4,4
            else
                dcb pfc set dev eth0 prio-pfc all:off 3:on 4:on
                dcb app replace dev eth0 dscp-prio 3:3
                dcb app replace dev eth0 dscp-prio 26:3
                dcb app replace dev eth0 dscp-prio 4:4
            fi
            """, Files.readString(out.resolve("hosts/host1.sh")));
        assertTrue(run(0, "check", "--topology", site.toString(), "--routes", out.resolve("routes").toString(),
            "--json").path("acyclic").asBoolean());
        SonicRing.edit(site, 0, "\"Ethernet8\": \"40m\"", "\"Ethernet8\": \"None\"");
        SonicRing.edit(site, 0, "\"xoff\": \"80896\"", "\"xoff\": \"1\"");
        final Path none = folder.resolve("none");
        fail(2, "PORT|Ethernet8: CABLE_LENGTH has no length", "plan", "--topology", site.toString(),
            "--out", none.toString());
        assertFalse(Files.exists(none));
    }

    private static String route(final int server, final String via)
    {
        return "[[route]]\nprefix = \"10.0.0." + server + "/32\"\nvia = \"" + via + "\"\n";
    }

    private void fail(final int status, final String message, final String... arguments)
    {
        assertEquals(status, execute(new StringWriter(), arguments), error);
        assertTrue(error.startsWith("fibnuma fabric: ") && error.contains(message), error);
        assertEquals(1, error.lines().count(), error);
    }

    private JsonNode run(final int status, final String... arguments) throws IOException
    {
        final StringWriter out = new StringWriter();
        assertEquals(status, execute(out, arguments), error);
        return new ObjectMapper().readTree(out.toString());
    }

    private int execute(final StringWriter out, final String... arguments)
    {
        final StringWriter err = new StringWriter();
        final int status = FabricCommand.commandLine()
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
        error = err.toString();
        return status;
    }

    private Path write(final String name, final String text) throws IOException
    {
        final Path file = folder.resolve(name);
        Files.writeString(file, text);
        return file;
    }
}
