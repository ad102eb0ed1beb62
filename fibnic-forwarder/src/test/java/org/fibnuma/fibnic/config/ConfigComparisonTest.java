package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.fibnic.config.ConfigComparison.Change;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ConfigComparisonTest
{
    private static final String ROUTER = "[router]\nname = \"r\"\ncontrol = \"static\"\ncores = []\n";
    private static final String LEFT =
        "[[port]]\nname = \"left\"\ndevice = \"tap:l\"\naddress = [\"10.0.0.1/24\"]\nmac = \"02:00:00:00:00:01\"\n";
    private static final String VLANS =
        "[[port.vlan]]\nid = 10\nprotocol = \"802.1ad\"\n[[port.vlan]]\nid = 20\nouter = 10\n" +
        "address = [\"10.20.0.1/24\"]\n";
    private static final String RIGHT = "[[port]]\nname = \"right\"\ndevice = \"tap:r\"\naddress = [\"10.0.1.1/24\"]\n";
    private static final String ROUTES =
        "[[route]]\nprefix = \"192.0.2.0/24\"\nvia = \"10.0.1.2\"\n" +
        "[[route]]\nprefix = \"198.51.100.0/24\"\nvia = \"10.20.0.2\"\n" +
        "[[route]]\nprefix = \"203.0.113.0/24\"\nkind = \"blackhole\"\n";
    private static final String NEIGHBORS =
        "[[neighbor]]\naddress = \"10.0.1.2\"\nmac = \"02:00:00:00:01:02\"\n" +
        "[[neighbor]]\naddress = \"10.20.0.2\"\nmac = \"02:00:00:00:02:02\"\n";
    private static final String EDGE =
        "[[acl]]\nname = \"edge\"\n[[acl.rule]]\naction = \"permit\"\nprotocol = \"tcp\"\n" +
        "[[acl.rule]]\naction = \"deny\"\ndscp = 3\n";
    private static final String CORE = "[[acl]]\nname = \"core\"\ndefault = \"permit\"\n";
    private static final String PFC =
        "[pfc]\nlossless = [3]\nspeed = \"10G\"\n[[pfc.port]]\nname = \"left\"\nmru = 600\n";
    private static final String BASE = ROUTER + LEFT + VLANS + RIGHT + ROUTES + NEIGHBORS + EDGE + CORE + PFC;

    @TempDir
    private Path directory;

    private ConfigFile read(final String text)
    {
        try
        {
            return ConfigReader.readWithLines(Files.writeString(directory.resolve("r.toml"), text));
        }
        catch (final ConfigException ex)
        {
            throw new AssertionError(ex.getMessage(), ex);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private ConfigComparison compare(final String before, final String after)
    {
        final RouterConfig config = read(before).config();
        return ConfigComparison.of(config, config, read(after));
    }

    private void assertChanges(final String after, final String... changes)
    {
        final ConfigComparison comparison = compare(BASE, after);
        assertEquals(List.of(), comparison.refusals());
        assertEquals(List.of(changes), comparison.changes().stream().map(Change::text).toList());
    }

    private void assertRefused(final String before, final String after, final String... lines)
    {
        final Path file = directory.resolve("r.toml");
        assertEquals(
            List.of(lines).stream().map(line -> file + ":" + line + " needs a restart").toList(),
            compare(before, after).refusals());
    }

    @Test
    void shouldFindNoDifferenceInTheOrderOfTablesAndKeysInDefaultsAndComments()
    {
        assertChanges(BASE);
        assertChanges("# a comment\n" + NEIGHBORS + CORE + EDGE + ROUTES + RIGHT + LEFT + VLANS + PFC +
            "[router]\ncores = []\nworkers = 1\nicmp-error-burst = 50\ncontrol = \"static\"\nname = \"r\"\n");
        final String[] routes = ROUTES.split("(?=\\[\\[route)");
        final String[] neighbors = NEIGHBORS.split("(?=\\[\\[neighbor)");
        assertChanges(ROUTER + LEFT + VLANS + RIGHT + routes[2] + routes[0] + routes[1] + neighbors[1] + neighbors[0] +
            EDGE + CORE + PFC);
    }

    @ParameterizedTest
    @CsvSource({
        "icmp-errors-per-second, 1000, 500, limits", "icmp-error-burst, 50, 7, limits",
        "flow-refreshes-per-second, 20000, 9, limits",
        "punts-per-second, 100000, 9, limits", "neighbor-refresh-seconds, 30, 20, control",
        "ignore-rules, false, true, control"})
    void shouldApplyALimit(final String key, final String old, final String now, final String subject)
    {
        assertChanges(
            BASE.replace("cores = []\n", "cores = []\n" + key + " = " + now + "\n"),
            subject + ": " + key + " " + old + " -> " + now);
    }

    @Test
    void shouldApplyTheFirewall()
    {
        assertChanges(
            BASE.replace("cores = []\n", "cores = []\nfirewall = \"bypass\"\n"),
            "control: firewall follow -> bypass");
    }

    @Test
    void shouldApplyTheLogLevel()
    {
        assertChanges(BASE.replace("cores = []\n", "cores = []\nlog-level = \"warn\"\n"),
            "router: log-level info -> warn");
    }

    @Test
    void shouldApplyTheStaleTimeOfADaemon()
    {
        final String fpm = "[router]\ncontrol = \"fpm\"\n[[port]]\nname = \"left\"\ndevice = \"xdp:l\"\n";
        assertEquals(List.of("control: fpm-stale-seconds 60 -> 5"),
            compare(fpm, fpm.replace("\"fpm\"\n", "\"fpm\"\nfpm-stale-seconds = 5\n"))
                .changes().stream().map(Change::text).toList());
        assertRefused(fpm, fpm.replace("\"fpm\"\n", "\"fpm\"\nfpm-listen = \"127.0.0.1:2621\"\n"),
            "3: router.fpm-listen: 127.0.0.1:2620 -> 127.0.0.1:2621");
    }

    @Test
    void shouldApplyAccessLists()
    {
        assertChanges(BASE + "[[acl]]\nname = \"new\"\n", "acl new: added with 0 rules");
        assertChanges(BASE.replace(CORE, ""), "acl core: removed");
        assertChanges(BASE.replace("dscp = 3", "dscp = 4"), "acl edge: 2 rules replaced by 2, counters of 1 kept");
        assertChanges(BASE.replace("action = \"permit\"\nprotocol = \"tcp\"\n", "action = \"deny\"\ndscp = 3\n")
            .replace("dscp = 3\n[[acl]]", "protocol = \"tcp\"\n[[acl]]"),
            "acl edge: 2 rules replaced by 2, counters of 1 kept");
        assertChanges(BASE.replace("default = \"permit\"", "default = \"prohibit\""),
            "acl core: 0 rules replaced by 0, counters of 0 kept, default permit -> prohibit");
    }

    @Test
    void shouldApplyTheListsOfPorts()
    {
        final String in = LEFT + "acl-in = \"edge\"\nacl-out = \"core\"\n";
        assertChanges(BASE.replace(LEFT, in), "port left: acl-in none -> edge", "port left: acl-out none -> core");
        final ConfigComparison back =
            compare(BASE.replace(LEFT, in), BASE.replace(LEFT, LEFT + "acl-out = \"edge\"\n"));
        assertEquals(List.of("port left: acl-in edge -> none", "port left: acl-out core -> edge"),
            back.changes().stream().map(Change::text).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "workers | 2 | 1 -> 2", "cores | [0] | none -> [0]", "idle | \"yield\" | backoff -> yield",
        "frame-size | 4096 | default -> 4096", "frames-per-worker | 4096 | default -> 4096",
        "egress-fifo-depth | 128 | 64 -> 128", "hold-frames-per-neighbor | 3 | 8 -> 3", "hold-frames | 9 | 256 -> 9",
        "hold-ms | 9 | 3000 -> 9", "max-flows | 9 | 65536 -> 9", "forward-loose-source-routes | true | false -> true",
        "forward-old-broadcasts | true | default -> true", "martians | \"kernel\" | default -> kernel",
        "ipv6 | false | true -> false",
        "send-redirects | false | true -> false", "rx-ring-size | 512 | 2048 -> 512",
        "tx-ring-size | 512 | 2048 -> 512", "busy-poll-us | 5 | 0 -> 5", "busy-poll-budget | 5 | 64 -> 5",
        "zero-copy | false | true -> false", "routes-file | \"r.toml\" | none -> DIRECTORY/r.toml"})
    void shouldRefuseAKeyOfTheRouter(final String key, final String value, final String change)
    {
        final String after =
            (key.equals("cores") ? BASE.replace("cores = []\n", "") : BASE).replace("control = \"static\"\n",
                "control = \"static\"\n" + key + " = " + value + "\n");
        assertRefused(
            BASE, after, "4: router." + key + ": " + change.replace("DIRECTORY", directory.toString()));
    }

    @Test
    void shouldRefuseTheNameAndTheControl()
    {
        assertRefused(BASE, BASE.replace("name = \"r\"", "name = \"s\""), "2: router.name: r -> s");
        final String without = "[router]\n[[port]]\nname = \"left\"\ndevice = \"xdp:l\"\n";
        assertRefused(without, without.replace("[router]\n", "[router]\ncontrol = \"static\"\n"),
            "2: router.control: netlink -> static");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "device = \"tap:l\" | device = \"tap:m\" | device: tap:l -> tap:m | 7",
        "address = [\"10.0.0.1/24\"] | address = [\"10.0.0.9/24\"] | address: [10.0.0.1/24] -> [10.0.0.9/24] | 8",
        "mac = \"02:00:00:00:00:01\" | mac = \"02:00:00:00:00:03\" | " +
            "mac: 02:00:00:00:00:01 -> 02:00:00:00:00:03 | 9",
        "mac = \"02:00:00:00:00:01\" | mac = \"02:00:00:00:00:01\";mtu = 1400 | mtu: default -> 1400 | 10",
        "mac = \"02:00:00:00:00:01\" | mac = \"02:00:00:00:00:01\";exception = \"tap:x\" | " +
            "exception: none -> tap:x | 10"})
    void shouldRefuseAKeyOfAPort(final String old, final String now, final String change, final int line)
    {
        assertRefused(BASE, BASE.replace(old, now.replace(';', '\n')), line + ": port." + change);
    }

    @Test
    void shouldRefuseQueuesAndPcp()
    {
        final String xdp = "[router]\n[[port]]\nname = \"left\"\ndevice = \"xdp:l\"\n";
        assertRefused(xdp, xdp + "queues = \"auto\"\n", "5: port.queues: none -> auto");
        assertRefused(xdp, xdp + "vlan-pcp = 3\n", "5: port.vlan-pcp: 0 -> 3");
    }

    @Test
    void shouldRefusePortsVlansRoutesNeighborsAndPfc()
    {
        assertRefused(BASE, BASE + "[[port]]\nname = \"new\"\ndevice = \"tap:n\"\n",
            lines(BASE) + 2 + ": port.name: none -> new",
            lines(BASE.substring(0, BASE.indexOf("[pfc]"))) + 1 + ": pfc: the running settings -> other settings");
        final String noPfc = BASE.replace(PFC, "");
        assertRefused(noPfc, noPfc.replace(RIGHT, "").replace(ROUTES, "").replace(NEIGHBORS, ""),
            "5: port.name: right -> none",
            "1: route: 192.0.2.0/24 via 10.0.1.2 of right weight 1 -> none",
            "1: neighbor: 10.0.1.2 of right 02:00:00:00:01:02 -> none");
        assertRefused(noPfc, noPfc.replace("outer = 10\n", "outer = 10\npcp = 3\n"),
            "10: port.vlan: left.10.20 id 20 protocol 0x8100 outer 10 pcp 0 address [10.20.0.1/24] mac none mtu " +
            "default -> left.10.20 id 20 protocol 0x8100 outer 10 pcp 3 address [10.20.0.1/24] mac none mtu default");
        assertRefused(BASE, BASE.replace("blackhole", "unreachable"),
            "21: route: 203.0.113.0/24 blackhole -> 203.0.113.0/24 unreachable");
        assertRefused(noPfc, BASE, lines(noPfc) + 1 + ": pfc: none -> other settings");
        assertRefused(BASE, noPfc, "1: pfc: the running settings -> none");
        assertRefused(BASE, BASE.replace("mru = 600", "mru = 700"),
            lines(noPfc) + 1 + ": pfc: the running settings -> other settings");
    }

    @Test
    void shouldRemoveAnXdpPortAndAddTheSameAgain() throws Exception
    {
        final String left = "[router]\n[[port]]\nname = \"left\"\ndevice = \"xdp:l\"\n";
        final String both = left + "[[port]]\nname = \"right\"\ndevice = \"xdp:r\"\n";
        final RouterConfig started = read(both).config();
        final ConfigComparison removal = ConfigComparison.of(started, started, read(left));
        assertEquals(List.of("port right: removed"), removal.changes().stream().map(Change::text).toList());
        assertEquals(List.of("right"), removal.removedPorts());
        assertEquals(List.of(), removal.refusals());

        final RouterConfig running = read(left).config();
        final ConfigComparison addition = ConfigComparison.of(started, running, read(both));
        assertEquals(List.of("port right: added"), addition.changes().stream().map(Change::text).toList());
        assertEquals(List.of("right"), addition.addedPorts().stream().map(PortConfig::name).toList());
        assertEquals(List.of(), addition.refusals());
    }

    @Test
    void shouldAddNewXdpPortsWhereTheRouterTakesThem() throws Exception
    {
        final String left = "[router]\n[[port]]\nname = \"left\"\ndevice = \"xdp:l\"\n";
        final String both = left + "[[port]]\nname = \"new\"\ndevice = \"xdp:n\"\nvlan-pcp = 2\n";
        final ConfigComparison addition = compare(left, both);
        assertEquals(List.of(), addition.refusals());
        assertEquals(List.of("port new: added"), addition.changes().stream().map(Change::text).toList());
        assertEquals(read(both).config().ports().subList(1, 2), addition.addedPorts());

        assertRefused(left, both.replace("xdp:n", "tap:n"), "7: port.device: none -> tap:n");
        final String fixed =
            left.replace("[router]", "[router]\ncontrol = \"static\"") + "mac = \"02:00:00:00:00:01\"\n";
        assertRefused(fixed, fixed + both.substring(left.length()), "8: port.name: none -> new");
        final String lossless = left + "[pfc]\nlossless = [3]\nspeed = \"10G\"\n";
        assertRefused(lossless, both + lossless.substring(left.length()), "6: port.name: none -> new",
            "9: pfc: the running settings -> other settings");
    }

    /** The usual number depends on the ports, which a reload may change. */
    @Test
    void shouldCompareSparePortsAsTheyAreGiven() throws Exception
    {
        final String left = "[router]\n[[port]]\nname = \"left\"\ndevice = \"xdp:l\"\n";
        final StringBuilder most = new StringBuilder(left);
        for (int i = 1; i < RouterConfig.MAX_PORTS; i++)
        {
            most.append("[[port]]\nname = \"p").append(i).append("\"\ndevice = \"xdp:p").append(i).append("\"\n");
        }
        assertEquals(4, read(left).config().sparePlaces());
        assertEquals(0, read(most.toString()).config().sparePlaces());
        assertEquals(List.of(), compare(most.toString(), left).refusals());
        final String given = left.replace("[router]\n", "[router]\nspare-ports = 16\n");
        assertEquals(RouterConfig.MAX_PORTS - 1, read(given).config().sparePlaces());
        assertRefused(left, given, "2: router.spare-ports: default -> 16");
    }

    @Test
    void shouldRefuseAnotherHttpServer()
    {
        final String http = BASE + "[http]\n";
        final int line = lines(http);
        assertRefused(BASE, http, line + ": http.listen: none -> 127.0.0.1:9473");
        assertRefused(http, BASE, "1: http.listen: 127.0.0.1:9473 -> none");
        assertRefused(http, http + "listen = \"0.0.0.0:80\"\nallow-other-hosts = true\n",
            line + 1 + ": http.listen: 127.0.0.1:9473 -> 0.0.0.0:80",
            line + 2 + ": http.allow-other-hosts: false -> true");
        assertRefused(http, http + "allow-other-users = true\n",
            line + 1 + ": http.allow-other-users: false -> true");
        assertRefused(http, http + "host-names = [\"Router1.example.net\"]\n",
            line + 1 + ": http.host-names: none -> [router1.example.net]");
    }

    private static int lines(final String text)
    {
        return (int)text.lines().count();
    }
}
