package org.fibnuma.fibnic.config;

import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.pfc.config.MacFlowControl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ConfigReaderTest
{
    private static final String ONE_PORT = "[[port]]\nname = \"left\"\ndevice = \"xdp:r0\"\n";
    private static final String STATIC = String.join("\n",
        "[router]",
        "control = \"static\"",
        "[[port]]",
        "name = \"left\"",
        "device = \"mem:a\"",
        "address = [\"10.0.0.1/24\", \"10.9.0.1/31\"]",
        "mac = \"02:00:00:00:00:01\"",
        "mtu = 1400",
        "[[port]]",
        "name = \"right\"",
        "device = \"mem:b\"",
        "address = [\"10.0.1.1/24\"]",
        "");

    @TempDir
    private Path directory;

    @Test
    void shouldFillInDefaults() throws Exception
    {
        final RouterConfig config = read(ONE_PORT);

        assertEquals("fibnuma", config.name());
        assertEquals(ControlMode.NETLINK, config.control().mode());
        assertNull(config.control().routesFile());
        assertEquals(1, config.workers().count());
        assertEquals("backoff", config.workers().idle());
        assertEquals(LogLevel.INFO, config.logLevel());
        assertEquals(WorkerConfig.FRAME_SIZE_OF_PORTS, config.workers().frameSize());
        assertEquals(PortSettings.DEFAULT, config.rings());
        assertEquals(
            List.of(new PortConfig("left", "xdp:r0", List.of(), 0, 0, null, false, null, null, List.of(), 0, 3)),
            config.ports());
    }

    private static final String STATIC_VLANS = String.join("\n",
        "[router]", "control = \"static\"", "[[port]]", "name = \"left\"", "device = \"mem:a\"",
        "[[port.vlan]]", "id = 100", "pcp = 3", "mac = \"02:00:00:00:00:07\"", "address = [\"10.100.0.1/24\"]", "");

    @Test
    void shouldReadStaticTables() throws Exception
    {
        final RouterConfig config = read(STATIC + String.join("\n",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "via = \"10.0.1.2\"",
            "[[route]]",
            "prefix = \"0.0.0.0/0\"",
            "kind = \"unreachable\"",
            "[[neighbor]]",
            "address = \"10.9.0.0\"",
            "mac = \"02:00:00:00:00:09\"",
            ""));

        assertEquals(
            List.of(
                new PortConfig(
                    "left",
                    "mem:a",
                    List.of(
                        new InterfaceAddress(IpAddress.parse("10.0.0.1"), 24),
                        new InterfaceAddress(IpAddress.parse("10.9.0.1"), 31)),
                    0x0200_0000_0001L,
                    1400,
                    null,
                    false,
                    null,
                    null,
                    List.of(),
                    0,
                    5),
                new PortConfig(
                    "right", "mem:b", List.of(new InterfaceAddress(IpAddress.parse("10.0.1.1"), 24)), 0, 0,
                    null, false, null, null, List.of(), 0, 11)),
            config.ports());
        assertEquals(
            List.of(
                new ControlConfig.Route(
                    IpPrefix.parse("192.0.2.0/24"), KernelRoute.Kind.UNICAST,
                    List.of(new ControlConfig.Hop(IpAddress.parse("10.0.1.2"), 1, 1))),
                new ControlConfig.Route(IpPrefix.parse("0.0.0.0/0"), KernelRoute.Kind.UNREACHABLE, List.of())),
            config.control().routes());
        assertEquals(
            List.of(new ControlConfig.Neighbor(0, IpAddress.parse("10.9.0.0"), 0x0200_0000_0009L)),
            config.control().neighbors());
    }

    @Test
    void shouldLetPortsSetTheNumberOfQueues() throws Exception
    {
        final String ports = "[[port]]\nname = \"left\"\ndevice = \"%s\"\nqueues = \"%s\"\n";

        assertTrue(read(String.format(ports, "xdp:r0", "auto")).ports().get(0).setsQueues());
        assertTrue(assertThrows(ConfigException.class, () -> read(String.format(ports, "xdp:r0", "2"))).getMessage()
            .contains("port.queues: \"2\" is not known; give \"auto\", or remove it"));
        assertTrue(assertThrows(ConfigException.class, () -> read(String.format(ports, "shm:a", "auto"))).getMessage()
            .contains("port.queues: is only for xdp: ports; remove it"));
    }

    @Test
    void shouldGivePortsThatTheKernelDoesNotSeeAnInterface() throws Exception
    {
        assertEquals("tap:left", exception("dpdk:net_null0", ""));
        assertEquals("tap:fib0", exception("dpdk:0000:00:04.0", "exception = \"tap:fib0\""));
        assertNull(exception("dpdk:net_null0", "exception = \"none\""));
        assertNull(exception("mem:a", ""));
        assertEquals("tap:left", exception("mem:a", "exception = \"tap\""));
    }

    @Test
    void shouldRefuseInterfacesThatCannotStandForAPort()
    {
        assertOneProblem("[[port]]\nname = \"left\"\ndevice = \"xdp:eth1\"\nexception = \"tap\"\n",
            "4: port.exception: is not for xdp:eth1, which the kernel sees itself; remove it");
        assertOneProblem("[[port]]\nname = \"left\"\ndevice = \"mem:a\"\nexception = \"tun\"\n",
            "4: port.exception: \"tun\" is not known; give \"tap\", \"tap:INTERFACE\" or \"none\"");
        assertOneProblem("[[port]]\nname = \"sixteen-letters-\"\ndevice = \"dpdk:net_null0\"\n",
            "1: port.exception: \"sixteen-letters-\" is longer than the 15 characters of an interface's name; " +
            "give exception = \"tap:SHORTER\"");
        assertOneProblem("[[port]]\nname = \"left\"\ndevice = \"mem:a\"\nexception = \"tap:x\"\n" +
            "[[port]]\nname = \"right\"\ndevice = \"mem:b\"\nexception = \"tap:x\"\n",
            "8: port.exception: \"tap:x\" is taken by the port of line 4; give another");
    }

    private String exception(final String device, final String line) throws Exception
    {
        return read("[[port]]\nname = \"left\"\ndevice = \"" + device + "\"\n" + line + "\n")
            .ports().get(0).exception();
    }

    @Test
    void shouldReadEverySettingOfTheRouter() throws Exception
    {
        Files.writeString(directory.resolve("table.txt"), "");

        final RouterConfig config = read(String.join("\n",
            "[router]",
            "name = \"r\"",
            "workers = 2",
            "cores = [1, 0]",
            "idle = \"yield\"",
            "log-level = \"debug\"",
            "routes-file = \"table.txt\"",
            "neighbor-refresh-seconds = 7",
            "firewall = \"bypass\"",
            "ignore-rules = true",
            "frames-per-worker = 5000",
            "frame-size = 4096",
            "egress-fifo-depth = 64",
            "hold-frames-per-neighbor = 3",
            "hold-frames = 30",
            "hold-ms = 500",
            "icmp-errors-per-second = 10",
            "icmp-error-burst = 5",
            "punts-per-second = 700",
            "forward-loose-source-routes = true",
            "forward-old-broadcasts = true",
            "rx-ring-size = 512",
            "tx-ring-size = 1024",
            "busy-poll-us = 20",
            "busy-poll-budget = 32",
            "zero-copy = false",
            ONE_PORT));

        assertEquals("r", config.name());
        assertEquals(LogLevel.DEBUG, config.logLevel());
        assertEquals(new WorkerConfig(2, List.of(1, 0), "yield", 5000, 4096, 4), config.workers());
        assertEquals(0, config.workers().core(1));
        assertEquals(directory.resolve("table.txt"), config.control().routesFile());
        assertEquals(7, config.control().neighborRefreshSeconds());
        assertEquals(Firewall.BYPASS, config.control().firewall());
        assertTrue(config.control().ignoreRules());
        assertEquals(new LimitConfig(64, 3, 30, 500, 10, 5, 700, 65_536, 20_000), config.limits());
        assertEquals(new ForwardingConfig(true, true, true, true, true), config.forwarding());
        assertEquals(new PortSettings(512, 1024, 20, 32, false), config.rings());
    }

    @Test
    void shouldLeaveRedirectsToTheKernelWhereItDecides() throws Exception
    {
        assertEquals(
            new ForwardingConfig(false, false, false, true, false),
            read("[router]\ncontrol = \"static\"\nsend-redirects = false\n" + ONE_PORT).forwarding());
        assertEquals(new ForwardingConfig(false, true, true, true, true), read(ONE_PORT).forwarding());
        assertOneProblem("[router]\nsend-redirects = true\n" + ONE_PORT,
            "2: router.send-redirects: is only for control = \"static\"; remove it, " +
            "net.ipv4.conf.INTERFACE.send_redirects is used");
    }

    @Test
    void shouldReadWhereARoutingDaemonConnects() throws Exception
    {
        final RouterConfig config = read("[router]\ncontrol = \"fpm\"\n" + ONE_PORT);
        assertEquals(ControlMode.FPM, config.control().mode());
        assertEquals("127.0.0.1:2620", config.control().fpm().listenText());
        assertEquals(60, config.control().fpm().staleSeconds());

        final FpmConfig fpm = read("[router]\ncontrol = \"fpm\"\nfpm-listen = \"[::1]:2621\"\n" +
            "fpm-stale-seconds = 5\n" + ONE_PORT).control().fpm();
        assertEquals("[0:0:0:0:0:0:0:1]:2621", fpm.listenText());
        assertEquals(5, fpm.staleSeconds());
        assertNull(read(ONE_PORT).control().fpm());
    }

    @Test
    void shouldReadWhereTheHttpServerListens() throws Exception
    {
        assertNull(read(ONE_PORT).http());
        assertEquals("127.0.0.1:9473", read(ONE_PORT + "[http]\n").http().listenText());
        assertEquals("[0:0:0:0:0:0:0:1]:80", read(ONE_PORT + "[http]\nlisten = \"[::1]:80\"\n").http().listenText());
        assertEquals("0.0.0.0:9473", read(
            ONE_PORT + "[http]\nlisten = \"0.0.0.0:9473\"\nallow-other-hosts = true\n").http().listenText());
        assertFalse(read(ONE_PORT + "[http]\n").http().allowOtherUsers());
        assertTrue(read(ONE_PORT + "[http]\nallow-other-users = true\n").http().allowOtherUsers());
        assertEquals(Set.of(), read(ONE_PORT + "[http]\n").http().hostNames());
        assertEquals(Set.of("router1", "r.example.net"), read(
            ONE_PORT + "[http]\nhost-names = [\"Router1\", \"r.example.net\"]\n").http().hostNames());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:9473", "192.0.2.1:9473", "[::]:9473", "[2001:db8::1]:80"})
    void shouldRefuseToServeOtherHostsUnlessTold(final String listen)
    {
        final ConfigException refusal = assertThrows(
            ConfigException.class, () -> read(ONE_PORT + "[http]\nlisten = \"" + listen + "\"\n"));
        assertEquals(1, refusal.problems().size());
        final String problem = refusal.problems().get(0).toString();
        assertTrue(problem.contains(":5: http.listen: ") && problem.endsWith(" is not a loopback address, and the " +
            "server asks for no password; listen on \"127.0.0.1:9473\", or accept this with allow-other-hosts = true"),
            problem);
    }

    @Test
    void shouldRefuseAWrongHttpTable()
    {
        for (final String wrong : List.of("listen = \"localhost:80\"", "listen = \"127.0.0.1\"",
            "listen = \"127.0.0.1:65536\"", "port = 80", "host-names = [\"router1:80\"]", "host-names = [\"a b\"]"))
        {
            final ConfigException refusal =
                assertThrows(ConfigException.class, () -> read(ONE_PORT + "[http]\n" + wrong + "\n"));
            assertEquals(1, refusal.problems().size(), wrong);
            assertTrue(refusal.problems().get(0).toString().contains(":5: http."), refusal.getMessage());
        }
    }

    @Test
    void shouldRefuseAWrongAddressForARoutingDaemon() throws Exception
    {
        for (final String wrong : new String[]{ "localhost:2620", "127.0.0.1", "127.0.0.1:65536", "1.2.3:1", "::1:5" })
        {
            assertOneProblem("[router]\ncontrol = \"fpm\"\nfpm-listen = \"" + wrong + "\"\n" + ONE_PORT,
                "3: router.fpm-listen: \"" + wrong + "\" is not an address with a port; write one such as " +
                "\"127.0.0.1:2620\" or \"[::1]:2620\"");
        }
        assertOneProblem("[router]\nfpm-listen = \"127.0.0.1:2620\"\n" + ONE_PORT,
            "2: router.fpm-listen: is only for control = \"fpm\"; remove it");
    }

    private static final String STATIC_IPV6 = String.join("\n",
        "[router]", "control = \"static\"", "ipv6 = true",
        "[[port]]", "name = \"left\"", "device = \"mem:a\"", "address = [\"10.0.0.1/24\", \"2001:db8::1/64\"]",
        "");

    @Test
    void shouldReadIpv6OfAStaticRouter() throws Exception
    {
        final RouterConfig config = read(STATIC_IPV6 +
            "[[route]]\nprefix = \"2001:db8:f::/48\"\nvia = \"2001:db8::2\"\n" +
            "[[route]]\nprefix = \"192.0.2.0/24\"\nvia = \"2001:db8::2\"\n" +
            "[[route]]\nprefix = \"::/0\"\nkind = \"prohibit\"\n" +
            "[[neighbor]]\naddress = \"2001:db8::2\"\nmac = \"02:00:00:00:00:09\"\n");
        final IpAddress gateway = IpAddress.parse("2001:db8::2");
        final List<ControlConfig.Hop> hops = List.of(new ControlConfig.Hop(gateway, 0, 1));
        assertTrue(config.forwarding().ipv6());
        assertEquals(PortFilter.TRANSIT.withIpv6(), config.portFilter());
        assertEquals(
            List.of(new InterfaceAddress(IpAddress.parse("10.0.0.1"), 24),
                new InterfaceAddress(IpAddress.parse("2001:db8::1"), 64)),
            config.ports().get(0).addresses());
        assertEquals(
            List.of(
                new ControlConfig.Route(
                    IpPrefix.parse("2001:db8:f::/48"), KernelRoute.Kind.UNICAST, hops),
                new ControlConfig.Route(IpPrefix.parse("192.0.2.0/24"), KernelRoute.Kind.UNICAST, hops),
                new ControlConfig.Route(IpPrefix.parse("::/0"), KernelRoute.Kind.PROHIBIT, List.of())),
            config.control().routes());
        assertEquals(
            List.of(new ControlConfig.Neighbor(0, gateway, 0x0200_0000_0009L)), config.control().neighbors());
    }

    @Test
    void shouldReadSeveralNextHopsWithTheirWeights() throws Exception
    {
        final String route = "[[route]]\nprefix = \"192.0.2.0/24\"\nvia = [\"2001:db8::2\", \"2001:db8::3\"]\n";
        final IpAddress first = IpAddress.parse("2001:db8::2");
        final IpAddress second = IpAddress.parse("2001:db8::3");
        final int last = read(STATIC_IPV6).control().routes().size();
        final String others = STATIC_IPV6.replace("192.0.2.0", "192.0.3.0");
        assertEquals(
            List.of(new ControlConfig.Hop(first, 0, 1), new ControlConfig.Hop(second, 0, 1)),
            read(others + route).control().routes().get(last).hops());
        assertEquals(
            List.of(new ControlConfig.Hop(first, 0, 3), new ControlConfig.Hop(second, 0, 256)),
            read(others + route + "weight = [3, 256]\n").control().routes().get(last).hops());
        assertProblem(
            others + route + "weight = [3]\n", "route.weight: has 1 numbers for 2 gateways; give one for each");
        assertProblem(others + route + "weight = [0, 1]\n", "route.weight: 0 is out of range; give 1 to 256");
        assertProblem(others + route.replace("8::3", "8::2"), "route.via: 2001:db8::2 is in the array twice");
        assertProblem(others + "[[route]]\nprefix = \"192.0.2.0/24\"\nvia = []\n", "route.via: has no gateway");
    }

    private void assertProblem(final String text, final String problem)
    {
        final String message = assertThrows(ConfigException.class, () -> read(text)).getMessage();
        assertTrue(message.contains(problem), message);
    }

    /** RFC 4007 section 6: two links may have the same link-local address. The kernel sees a dpdk: port by a TAP. */
    @Test
    void shouldReadLinkLocalAddressesAndIpv6OfPortsWithAnInterfaceInTheKernel() throws Exception
    {
        final RouterConfig config = read(STATIC_IPV6.replace("8::1/64\"]", "8::1/64\", \"fe80::1/64\"]") +
            "[[route]]\nprefix = \"2001:db8:f::/48\"\nvia = \"fe80::2\"\n");
        final InterfaceAddress linkLocal = new InterfaceAddress(IpAddress.parse("fe80::1"), 64);
        assertEquals(linkLocal, config.ports().get(0).addresses().get(2));
        assertEquals(0, config.control().routes().get(0).hops().get(0).port());
        final String two = STATIC_IPV6.replace("8::1/64\"]", "8::1/64\", \"fe80::1/64\"]") +
            "[[port]]\nname = \"b\"\ndevice = \"dpdk:b\"\naddress = [\"2001:db8:1::1/64\", \"fe80::1/64\"]\n";
        assertEquals(linkLocal, read(two).ports().get(1).addresses().get(1));
        assertOneProblem(two + "[[neighbor]]\naddress = \"fe80::2\"\nmac = \"02:00:00:00:00:09\"\n",
            "13: neighbor.address: fe80::2 is in the link-local network of several ports");
    }

    @Test
    void shouldForwardIpv6UnlessToldOtherwise() throws Exception
    {
        assertTrue(read(ONE_PORT).forwarding().ipv6());
        assertEquals(PortFilter.TRANSIT.withIpv6(), read(ONE_PORT).portFilter());
        final RouterConfig without = read("[router]\nipv6 = false\n" + ONE_PORT);
        assertFalse(without.forwarding().ipv6());
        assertEquals(PortFilter.TRANSIT, without.portFilter());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        [[route]]\\nprefix = "2001:db8::1/32"\\nvia = "2001:db8::2" | 9: route.prefix: 2001:db8::1/32 has bits set
        [[route]]\\nprefix = "::/0"\\nvia = "2001:db9::2"      | 10: route.via: 2001:db9::2 is in no port's network
        [[route]]\\nprefix = "::/0"\\nvia = "10.0.0.2"         | 10: route.via: 10.0.0.2 is IPv4; give an IPv6 gateway
        [[route]]\\nprefix = "::/0"\\nvia = "2001:db8::1"      | 10: route.via: 2001:db8::1 is this router's own
        [[neighbor]]\\naddress = "2001:db8::g"\\nmac = "02:00:00:00:00:02" | 9: neighbor.address: not an IPv6 address
        [[port]]\\nname = "b"\\ndevice = "mem:b"\\naddress = ["2001:db8:1::1/129"] | 11: port.address: prefix length
        [[port]]\\nname = "b"\\ndevice = "mem:b"\\naddress = ["2001:db8::1/64"] | 11: port.address: 2001:db8::1 is an
        """)
    void shouldRefuseInIpv6Tables(final String lines, final String expected)
    {
        assertOneProblem(STATIC_IPV6 + lines.replace("\\n", "\n") + "\n", expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        [[route]]\\nprefix = "::/0"\\nkind = "prohibit" | 15: route.prefix: ::/0 is only for ipv6 = true; set it
        [[route]]\\nprefix = "1.0.0.0/8"\\nvia = "fe80::1" | 16: route.via: fe80::1 is only for ipv6 = true; set it
        [[neighbor]]\\naddress = "fe80::1"\\nmac = "02:00:00:00:00:02" | 15: neighbor.address: fe80::1 is only for ipv6
        """)
    void shouldRefuseIpv6WhereItIsNotForwarded(final String lines, final String expected)
    {
        assertOneProblem(
            STATIC.replace("[router]", "[router]\nipv6 = false") + lines.replace("\\n", "\n") + "\n", expected);
    }

    @Test
    void shouldPinNothingWhereNoCoreIsNamed() throws Exception
    {
        assertEquals(ThreadPinning.ANY_CORE, read("[router]\ncores = []\n" + ONE_PORT).workers().core(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nam = "x"                       | 2: router.nam: unknown key; did you mean "name"?
        colour = "x"                    | 2: router.colour: unknown key; remove it; man fibnuma.toml has all keys
        name = "a b"                    | 2: router.name: "a b" is not a name; use letters
        name = 7                        | 2: router.name: is a number; give a string in quotes
        control = "bgp"                 | 2: router.control: "bgp" is not known; one of netlink, fpm, static
        workers = 0                     | 2: router.workers: 0 is out of range; give 1 to 16
        workers = "2"                   | 2: router.workers: is a string; give a number from 1 to 16
        workers = 1.5                   | 2: router.workers: is a number; give a number from 1 to 16
        cores = 1                       | 2: router.cores: is a number; give an array such as [0, 1]
        cores = [0, 1]                  | 2: router.cores: has 2 cores for 1 workers; give one for each, or []
        cores = ["a"]                   | 2: router.cores: is a string; give a number from 0 to 1023
        idle = "sleep"                  | 2: router.idle: "sleep" is not known; one of busy, yield, backoff
        log-level = "trace"             | 2: router.log-level: "trace" is not known; one of error, warn, info, debug
        zero-copy = 1                   | 2: router.zero-copy: is a number; give true or false
        rx-ring-size = 1000             | 2: router.rx-ring-size: 1000 is not a power of two; give 512 or 1024
        tx-ring-size = 65536            | 2: router.tx-ring-size: 65536 is out of range; give 64 to 32768
        frame-size = 1024               | 2: router.frame-size: 1024 is out of range; give 2048 to 4096
        egress-fifo-depth = 100         | 2: router.egress-fifo-depth: 100 is not a power of two; give 64 or 128
        icmp-errors-per-second = -1     | 2: router.icmp-errors-per-second: -1 is out of range
        busy-poll-us = 20000            | 2: router.busy-poll-us: 20000 is out of range; give 0 to 10000
        routes-file = "none.txt"        | 2: router.routes-file: cannot read
        """)
    void shouldRefuseInRouterTable(final String line, final String expected)
    {
        assertOneProblem("[router]\n" + line + "\n" + ONE_PORT, expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        name = "b"                                           | 7: port.device: is missing; name one, such as device
        device = "xdp:r1"                                    | 7: port.name: is missing; give the port one
        name = "left"\\ndevice = "xdp:r1"                    | 8: port.name: "left" is taken by the port of line 5
        name = "a b"\\ndevice = "xdp:r1"                     | 8: port.name: "a b" is not a name; use letters
        name = "b"\\ndevice = "xdp:r0"                       | 9: port.device: "xdp:r0" is taken by the port of line 6
        name = "b"\\ndevice = "eth1"                         | 9: port.device: "eth1" is not a device; write KIND:NAME
        name = "b"\\ndevice = "xdp:r1"\\nmtu = 1500          | 10: port.mtu: is only for control = "static"; remove it
        name = "b"\\ndevice = "xdp:r1"\\naddress = ["1.1.1.1/8"] | 10: port.address: is only for control = "static"
        name = "b"\\ndevice = "xdp:r1"\\nspeed = 10          | 10: port.speed: unknown key;
        """)
    void shouldRefuseInPortTable(final String lines, final String expected)
    {
        assertOneProblem("\n\n\n" + ONE_PORT + "[[port]]\n" + lines.replace("\\n", "\n") + "\n", expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        [[route]]\\nprefix = "192.0.2.0/24"                  | 13: route.via: give either via = "GATEWAY" or kind
        [[route]]\\nvia = "10.0.1.2"                         | 13: route.prefix: is missing; give one
        [[route]]\\nprefix = "192.0.2.1/24"\\nvia = "10.0.1.2" | 14: route.prefix: 192.0.2.1/24 has bits set below
        [[route]]\\nprefix = "192.0.2.0/24"\\nvia = "10.7.0.1" | 15: route.via: 10.7.0.1 is in no port's network
        [[route]]\\nprefix = "192.0.2.0/24"\\nvia = "10.0.1.1" | 15: route.via: 10.0.1.1 is this router's own, on port
        [[route]]\\nprefix = "192.0.2.0/24"\\nkind = "null"  | 15: route.kind: "null" is not known; one of blackhole
        [[neighbor]]\\naddress = "10.0.1.2"                  | 13: neighbor.mac: is missing; give one
        [[neighbor]]\\naddress = "10.0.1"\\nmac = "02:00:00:00:00:02" | 14: neighbor.address: not an IPv4 address
        [[neighbor]]\\naddress = "10.0.1.2"\\nmac = "02:00"  | 15: neighbor.mac: not a MAC address: "02:00"
        [[neighbor]]\\naddress = "10.5.1.2"\\nmac = "02:00:00:00:00:02" | 14: neighbor.address: 10.5.1.2 is in no port
        """)
    void shouldRefuseInStaticTables(final String lines, final String expected)
    {
        assertOneProblem(STATIC + lines.replace("\\n", "\n") + "\n", expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        address = ["10.2.0.1"]          | 16: port.address: "10.2.0.1" has no prefix length; give one such as
        address = ["10.2.0.1/33"]       | 16: port.address: prefix length of "10.2.0.1/33" is not in 1 to 32
        address = "10.2.0.1/24"         | 16: port.address: is a string; give an array such as
        address = ["10.0.1.1/24"]       | 16: port.address: 10.0.1.1 is an address of port right already
        mac = "03:00:00:00:00:01"       | 16: port.mac: 03:00:00:00:00:01 names a group; give an address
        mtu = 60                        | 16: port.mtu: 60 is out of range; give 68 to 65535
        """)
    void shouldRefuseInStaticPort(final String line, final String expected)
    {
        assertOneProblem(STATIC + "[[port]]\nname = \"third\"\ndevice = \"mem:c\"\n" + line + "\n", expected);
    }

    @Test
    void shouldRefuseStaticRoutesBesideTheKernels()
    {
        assertOneProblem(
            ONE_PORT + "[[route]]\nprefix = \"192.0.2.0/24\"\nvia = \"10.0.1.2\"\n",
            "4: route: is only for control = \"static\"; remove it, the kernel's table is used");
    }

    @Test
    void shouldRefuseAPrefixGivenTwice()
    {
        final String route = "[[route]]\nprefix = \"192.0.2.0/24\"\nkind = \"blackhole\"\n";

        assertOneProblem(STATIC + route + route, "17: route.prefix: 192.0.2.0/24 has a route in line 14; keep one");
    }

    @Test
    void shouldRefuseARouterWithoutPorts()
    {
        assertOneProblem("[router]\n", "1: port: is missing; add a [[port]] with name and device");
    }

    @Test
    void shouldRefuseMorePortsThanTheMeshOfFifosIsMadeFor()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 17; i++)
        {
            text.append("[[port]]\nname = \"p").append(i).append("\"\ndevice = \"xdp:r").append(i).append("\"\n");
        }

        assertOneProblem(text.toString(), "1: port: 17 ports; one router has at most 16");
    }

    @Test
    void shouldReadLosslessPriorities() throws Exception
    {
        final RouterConfig config = read(ONE_PORT + "[pfc]\nlossless = [5]\nxoff-bytes = 30000\n" +
            "[[pfc.port]]\nname = \"left\"\nxoff-bytes = 40000\n");
        assertEquals(1 << 5, config.pfc().losslessPriorities());
        assertEquals(40_000, config.pfc().linkOf("left").xoffBytes());
        assertTrue(config.isLossless());
        assertTrue(config.portFilter().macControl());
    }

    @Test
    void shouldReadWhatTheMacOfADeviceIsAskedFor() throws Exception
    {
        assertEquals(MacFlowControl.OFF, read(ONE_PORT + "[pfc]\n").pfc().linkOf("left").mac());
        final RouterConfig config = read(ONE_PORT + "[pfc]\nmac = \"pfc\"\n" +
            "[[pfc.port]]\nname = \"left\"\nmac = \"pause\"\n");
        assertEquals(MacFlowControl.PFC, config.pfc().link().mac());
        assertEquals(MacFlowControl.PAUSE, config.pfc().linkOf("left").mac());
        assertOneProblem(ONE_PORT + "[pfc]\nmac = \"yes\"\n",
            "5: pfc.mac: \"yes\" is not known; one of off, pfc, pause");
    }

    @Test
    void shouldBeAnyRouterWhereNothingIsLossless() throws Exception
    {
        final RouterConfig config = read(ONE_PORT + "[pfc]\nlossless = []\n");
        assertFalse(config.isLossless());
        assertFalse(config.portFilter().macControl());
    }

    @Test
    void shouldRefuseLosslessPrioritiesThatCannotWork()
    {
        assertOneProblem(ONE_PORT + "[pfc]\nxoff-bytes = 10\nxon-bytes = 10\n",
            "4: pfc: xon-bytes of 10 is not below xoff-bytes of 10");
    }

    @Test
    void shouldRefuseAnUnknownTable()
    {
        assertOneProblem(ONE_PORT + "[rooter]\nname = \"r\"\n", "4: rooter: unknown key; did you mean \"router\"");
    }

    @Test
    void shouldRefuseATableThatIsNoTable()
    {
        assertOneProblem("router = 1\n" + ONE_PORT, "1: router: is a number; write a table [router]");
    }

    @Test
    void shouldRefuseASinglePortTable()
    {
        assertOneProblem(
            "[port]\nname = \"a\"\ndevice = \"xdp:r0\"\n", "1: port: is a table; write each one as a table [[port]]");
    }

    @Test
    void shouldSayWhereTheFileIsNoToml()
    {
        final List<String> problems = problems("[router]\nname = \n" + ONE_PORT);

        assertTrue(problems.get(0).startsWith(directory.resolve("r.toml") + ":2: "), problems.toString());
    }

    @Test
    void shouldSayThatTheFileCannotBeRead()
    {
        final Path missing = directory.resolve("missing.toml");

        final ConfigException problem = assertThrows(ConfigException.class, () -> ConfigReader.read(missing));

        assertTrue(problem.getMessage().startsWith(missing + ": cannot be read; give a readable file to -c"));
    }

    @Test
    void shouldReportEveryProblemInTheOrderOfTheFile()
    {
        final List<String> problems = problems("[router]\nworkers = 0\nidle = 1\n[[port]]\nname = \"a\"\n");

        assertEquals(
            List.of(
                "2: router.workers: 0 is out of range; give 1 to 16",
                "3: router.idle: is a number; give a string in quotes",
                "4: port.device: is missing; name one, such as device = \"xdp:eth1\""),
            problems.stream().map(problem -> problem.substring(directory.resolve("r.toml").toString().length() + 1))
                .toList());
    }

    @Test
    void shouldReadVlans() throws Exception
    {
        final RouterConfig config = read(STATIC_VLANS + String.join("\n",
            "[[port.vlan]]", "id = 20", "outer = 10", "mtu = 1400", "",
            "[[port.vlan]]", "id = 10", "protocol = \"802.1ad\"", "name = \"carrier\"", "",
            "[[neighbor]]", "address = \"10.100.0.2\"", "mac = \"02:00:00:00:00:09\"", ""));

        assertEquals(List.of(
            new VlanConfig("left.100", 0x8100, 100, VlanConfig.NO_OUTER, 3,
                List.of(new InterfaceAddress(IpAddress.parse("10.100.0.1"), 24)), 0x0200_0000_0007L, 0),
            new VlanConfig("left.10.20", 0x8100, 20, 2, 0, List.of(), 0, 1400),
            new VlanConfig("carrier", 0x88A8, 10, VlanConfig.NO_OUTER, 0, List.of(), 0, 0)), config.vlans());
        assertEquals(1, config.control().neighbors().get(0).port());
    }

    @Test
    void shouldReadThePcpOfTheKernelsVlans() throws Exception
    {
        assertEquals(5, read(ONE_PORT + "vlan-pcp = 5\n").ports().get(0).vlanPcp());
        assertOneProblem(ONE_PORT + "vlan-pcp = 8\n", "4: port.vlan-pcp: 8 is out of range; give 0 to 7");
        assertOneProblem(ONE_PORT + "[[port.vlan]]\nid = 1\n",
            "4: port.vlan: is only for control = \"static\"; remove it, the kernel has it");
    }

    @Test
    void shouldRefuseVlansThatCannotBe()
    {
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 0\n",
            "12: port.vlan.id: 0 is out of range; give 1 to 4094");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 4095\n",
            "12: port.vlan.id: 4095 is out of range; give 1 to 4094");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\n", "11: port.vlan.id: is missing; give one, such as id = 100");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 100\nname = \"again\"\n",
            "12: port.vlan.id: port left has VLAN 100 in line 7; keep one of them");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 100\n",
            "12: port.vlan.id: port left has VLAN 100 in line 7; keep one of them");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 20\nouter = 10\n",
            "13: port.vlan.outer: the port has no VLAN 10 with a single tag; add a [[port.vlan]] with id = 10, or " +
            "remove outer");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 20\nname = \"left\"\n",
            "13: port.vlan.name: \"left\" is taken by the port of line 4; give another");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 20\nprotocol = \"q\"\n",
            "13: port.vlan.protocol: \"q\" is not known; one of 802.1q, 802.1ad");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 20\npcp = 8\n",
            "13: port.vlan.pcp: 8 is out of range; give 0 to 7");
        assertOneProblem(STATIC_VLANS + "[[port.vlan]]\nid = 20\naddress = [\"10.100.0.1/24\"]\n",
            "13: port.vlan.address: 10.100.0.1 is an address of port left.100 already");
    }

    private void assertOneProblem(final String toml, final String expected)
    {
        final List<String> problems = problems(toml);
        assertEquals(1, problems.size(), problems.toString());
        final String prefix = directory.resolve("r.toml") + ":" + expected;
        assertTrue(problems.get(0).startsWith(prefix), () -> problems.get(0) + " does not start with " + prefix);
    }

    private List<String> problems(final String toml)
    {
        return assertThrows(ConfigException.class, () -> read(toml)).problems();
    }

    private RouterConfig read(final String toml) throws ConfigException, IOException
    {
        final Path file = directory.resolve("r.toml");
        Files.writeString(file, toml);
        return ConfigReader.read(file);
    }
}
