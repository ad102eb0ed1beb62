package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandLineOutput;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three hosts around one router, each on a cable of its own, with scapy at the far end:
 * <pre>
 *  a 10.0.0.2/24 -- r0 10.0.0.1 \
 *    2001:db8:a::2/64  2001:db8:a::1
 *  b 10.0.1.2/24 -- r1 10.0.1.1  > router
 *    10.0.2.1/31       10.0.2.0
 *    2001:db8:b::2/64  2001:db8:b::1
 *    2001:db8:b:1::1/127  2001:db8:b:1::
 *    fe80::b           fe80::1    /
 *  c 10.0.3.2/24 -- r2 10.0.3.1    MTU 1300
 *    2001:db8:c::2/64  2001:db8:c::1
 * </pre>
 * The router has fe80::1 on each cable. With ports that the kernel does not see, r0 to r2 are the interfaces that stand
 * for them; the cables end in w0 to w2. What is sent to {@link #BEYOND_A}, {@link #BEYOND_B} and {@link #BEYOND_C}, and
 * to their IPv6 counterparts, leaves by these hosts and is answered by nobody.
 */
final class RouterLab implements AutoCloseable
{
    static final int MTU = 1500;
    static final int NARROW_MTU = 1300;
    static final String BEYOND_A = "198.51.101.";
    static final String BEYOND_B = "198.51.100.";
    static final String BEYOND_C = "203.0.113.";
    static final String BEYOND_B_BY_31 = "198.18.4.";
    static final String BLACKHOLE = "198.18.1.";
    static final String UNREACHABLE = "198.18.2.";
    static final String PROHIBITED = "198.18.3.";
    static final String NO_ROUTE = "192.0.2.";
    /** IPv4 by the IPv6 address of b (RFC 8950). */
    static final String BEYOND_B_BY_IPV6 = "198.18.6.";

    static final String A6 = "2001:db8:a::2";
    static final String B6 = "2001:db8:b::2";
    static final String ROUTER_A6 = "2001:db8:a::1";
    static final String ROUTER_B6 = "2001:db8:b::1";
    static final String ROUTER_LINK_LOCAL = "fe80::1";
    static final String BEYOND_A6 = "2001:db8:101::";
    static final String BEYOND_B6 = "2001:db8:100::";
    static final String BEYOND_C6 = "2001:db8:113::";
    static final String BEYOND_B6_BY_127 = "2001:db8:104::";
    static final String BEYOND_B6_BY_LINK_LOCAL = "2001:db8:105::";
    static final String BLACKHOLE6 = "2001:db8:201::";
    static final String UNREACHABLE6 = "2001:db8:202::";
    static final String PROHIBITED6 = "2001:db8:203::";
    static final String NO_ROUTE6 = "2001:db8:dead::";

    private final String name;
    private final LabDevice device;
    private final RouterMachine router;
    private final List<LabCable> cables;
    private final List<ScapyHost> hosts = new ArrayList<>();

    private RouterLab(final String name, final LabDevice device)
    {
        this.name = name + "-" + ProcessHandle.current().pid();
        this.device = device;
        this.router = device.openMachine();
        this.cables = List.of(
            new LabCable(Host.open("a"), "a0", router, "r0", "w0", MTU),
            new LabCable(Host.open("b"), "b0", router, "r1", "w1", MTU),
            new LabCable(Host.open("c"), "c0", router, "r2", "w2", NARROW_MTU));
    }

    /**
     * Makes everything but the router itself, over ports of the kind that the property names, or ends the test with the
     * reason why this machine cannot.
     */
    static RouterLab open(final String name)
    {
        Require.root();
        Require.scapy();
        Require.program("ip", "iproute2");
        Require.program("nft", "nftables");
        Require.program("ping", "iputils-ping");
        LabDevice.chosen().require();
        final RouterLab lab = new RouterLab(name, LabDevice.chosen());
        try
        {
            lab.configureRouter();
            if (!lab.device.needsRouter())
            {
                lab.connectHosts();
            }
            return lab;
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
        }
    }

    /** Runs a program on a host or on the router's machine. */
    private interface Shell
    {
        String run(String... command);
    }

    private void configureRouter()
    {
        quieten(router::run);
        router.sysctl("ipv4.ip_forward", "1");
        router.sysctl("ipv6.conf.all.forwarding", "1");
        for (final LabCable cable : cables)
        {
            device.prepare(cable);
            router.sysctl("ipv4.conf." + cable.routerDevice() + ".send_redirects", "0");
        }
        addresses(router::run, "r0", "10.0.0.1/24", ROUTER_A6 + "/64", ROUTER_LINK_LOCAL + "/64");
        addresses(router::run, "r1", "10.0.1.1/24", "10.0.2.0/31", ROUTER_B6 + "/64", "2001:db8:b:1::/127",
            ROUTER_LINK_LOCAL + "/64");
        addresses(router::run, "r2", "10.0.3.1/24", "2001:db8:c::1/64", ROUTER_LINK_LOCAL + "/64");
        addSpecialRoutes();
    }

    private static void quieten(final Shell shell)
    {
        final StringBuilder script = new StringBuilder("cd /proc/sys/net && for f in ipv4/conf/all/rp_filter " +
            "ipv4/conf/all/send_redirects ipv4/icmp_ratelimit ipv6/icmp/ratelimit");
        for (final String interfaces : List.of("all", "default"))
        {
            for (final String name : List.of("disable_ipv6", "accept_ra", "dad_transmits", "router_solicitations"))
            {
                script.append(" ipv6/conf/").append(interfaces).append('/').append(name);
            }
        }
        shell.run("sh", "-e", "-c", script + "; do echo 0 >$f; done");
    }

    private static void addresses(final Shell shell, final String device, final String... addresses)
    {
        for (final String address : addresses)
        {
            shell.run("sh", "-c", "ip address add " + address + " dev " + device +
                (address.contains(":") ? " nodad" : ""));
        }
    }

    private void connectHosts()
    {
        for (final LabCable cable : cables)
        {
            quieten(cable.host()::run);
            silence(cable.host());
            device.connect(cable);
            rememberNeighbors(cable.host()::run, cable.hostDevice());
            rememberNeighbors(router::run, cable.routerDevice());
            hosts.add(new ScapyHost(cable.host(), cable.hostDevice()));
        }
        configure(0, "10.0.0.1", ROUTER_A6, "10.0.0.2/24", A6 + "/64");
        configure(1, "10.0.1.1", ROUTER_B6, "10.0.1.2/24", "10.0.2.1/31", B6 + "/64", "2001:db8:b:1::1/127",
            "fe80::b/64");
        configure(2, "10.0.3.1", "2001:db8:c::1", "10.0.3.2/24", "2001:db8:c::2/64");
        for (int i = 0; i < hosts.size(); i++)
        {
            greet(hosts.get(i), cables.get(i).routerDevice());
        }
        meetNeighbors();
    }

    private void meetNeighbors()
    {
        meet(router, A6, B6, "2001:db8:b:1::1", "fe80::b%r1", "2001:db8:c::2");
        if (device.needsRouter())
        {
            // The router asked for them before they were connected. The answer to its next request would be a frame
            // that a test did not send.
            meet(router, "10.0.0.2", "10.0.1.2", "10.0.2.1", "10.0.3.2");
            for (final String beyond : List.of(BEYOND_A, BEYOND_B, BEYOND_B_BY_31, BEYOND_C))
            {
                Await.until(() -> "the neighbour behind " + lookup(beyond + "1"),
                    () -> !"unresolved".equals(lookup(beyond + "1").path("kind").asText()));
            }
        }
    }

    /**
     * What a host's kernel says to packets that are scapy's is not to come between the frames of a test: MLD reports
     * about an address that it gets, and errors about extension headers.
     */
    private static void silence(final Host host)
    {
        host.run("nft", "add table ip6 lab; add chain ip6 lab out { type filter hook output priority 0; }; " +
            "add rule ip6 lab out icmpv6 type { 4, 131, 132, 143 } drop");
    }

    /**
     * Returns when neighbours answer each other, both ways. The error of a neighbour that has not answered for three
     * seconds ends ping, so it is started again.
     */
    private static void meet(final RouterMachine machine, final String... neighbors)
    {
        for (final String neighbor : neighbors)
        {
            machine.run("sh", "-c",
                "for i in 1 2 3 4 5 6 7 8 9 10; do ping -n -q -c 1 -w 20 " + neighbor + " && exit; done; exit 1");
        }
    }

    /**
     * The router counts the neighbour messages that it passes to its kernel, so none is to come while a test compares
     * counts: neither when a neighbour is no longer reachable nor, 5 seconds after its first use, for one that was
     * learned from its own solicitation (RFC 4861 section 7.3.3, state DELAY).
     */
    private static void rememberNeighbors(final Shell shell, final String interfaceName)
    {
        shell.run("sh", "-e", "-c", "for family in ipv4 ipv6; do cd /proc/sys/net/$family/neigh/" + interfaceName +
            "; echo 3600000 >base_reachable_time_ms; echo 3600 >delay_first_probe_time; done");
    }

    private void configure(final int index, final String gateway, final String gateway6, final String... addresses)
    {
        final LabCable cable = cables.get(index);
        addresses(cable.host()::run, cable.hostDevice(), addresses);
        cable.host().run("ip", "route", "add", "default", "via", gateway);
        cable.host().run("ip", "-6", "route", "add", "default", "via", gateway6);
    }

    /** The routes to networks that every test may count on. */
    void addSpecialRoutes()
    {
        route("replace", BEYOND_A + "0/24", "via", "10.0.0.2");
        route("replace", BEYOND_B + "0/24", "via", "10.0.1.2");
        route("replace", BEYOND_C + "0/24", "via", "10.0.3.2");
        route("replace", BEYOND_B_BY_31 + "0/24", "via", "10.0.2.1");
        route("replace", "blackhole", BLACKHOLE + "0/24");
        route("replace", "unreachable", UNREACHABLE + "0/24");
        route("replace", "prohibit", PROHIBITED + "0/24");
        route("replace", BEYOND_B_BY_IPV6 + "0/24", "via", "inet6", B6);
        route6("replace", BEYOND_A6 + "/48", "via", A6);
        route6("replace", BEYOND_B6 + "/48", "via", B6);
        route6("replace", BEYOND_C6 + "/48", "via", "2001:db8:c::2");
        route6("replace", BEYOND_B6_BY_127 + "/48", "via", "2001:db8:b:1::1");
        route6("replace", BEYOND_B6_BY_LINK_LOCAL + "/48", "via", "fe80::b", "dev", "r1");
        route6("replace", "blackhole", BLACKHOLE6 + "/48");
        route6("replace", "unreachable", UNREACHABLE6 + "/48");
        route6("replace", "prohibit", PROHIBITED6 + "/48");
    }

    private void greet(final ScapyHost host, final String routerDevice)
    {
        host.awaitReady();
        host.define(Map.of("TO_ROUTER",
            "Ether(src='" + host.macAddress() + "', dst='" + router.macAddress(routerDevice) + "')"));
    }

    /** Starts the router under test on all three cables. */
    void startRouter()
    {
        startRouter("", "", Map.of());
    }

    /** With further lines in the table {@code [router]}, each with its end. */
    void startRouter(final String keys)
    {
        startRouter(keys, "", Map.of());
    }

    /** As {@link #startRouter(String)} does, for a test that reports how fast the router is. */
    void startRouterWithBothCompilers(final String keys)
    {
        startRouter(keys, "", Map.of(), RouterProcess.BOTH_COMPILERS);
    }

    /** With further lines in the table {@code [router]}, more tables, and more keys of the ports. */
    void startRouter(final String keys, final String tables, final Map<String, String> portKeys)
    {
        startRouter(keys, tables, portKeys, List.of());
    }

    private void startRouter(
        final String keys, final String tables, final Map<String, String> portKeys, final List<String> flags)
    {
        final StringBuilder config = new StringBuilder(
            "[router]\nname = \"" + name + "\"\nidle = \"backoff\"\ncores = []\nipv6 = true\n" + keys);
        final String[] portNames = {"left", "right", "narrow"};
        for (int i = 0; i < portNames.length; i++)
        {
            config.append("[[port]]\nname = \"").append(portNames[i]).append("\"\n")
                .append(device.portKeys(cables.get(i), i)).append('\n')
                .append(portKeys.getOrDefault(portNames[i], "")).append('\n');
        }
        config.append(tables);
        router.startRouter(name, config.toString(), flags);
        if (device.needsRouter())
        {
            connectHosts();
        }
        else if (device.isReset())
        {
            meetNeighbors();
        }
    }

    /** Ends the router under test, which {@link #startRouter(String, String, Map)} starts again. */
    void stopRouter()
    {
        router.stopRouter();
    }

    /** For a test in which the kernel, as the reference, is not as strict as the RFC that the router follows. */
    void assumeRouter(final String kernelDiffers)
    {
        assumeTrue(router.hasRouter(), kernelDiffers);
    }

    /** Changes the routes of the router's kernel: the words behind {@code ip route}. */
    void route(final String... words)
    {
        changeRoute("-4", words);
    }

    /** Changes the IPv6 routes of the router's kernel: the words behind {@code ip -6 route}. */
    void route6(final String... words)
    {
        changeRoute("-6", words);
    }

    private void changeRoute(final String family, final String... words)
    {
        final List<String> command = new ArrayList<>(List.of("ip", family, "route"));
        command.addAll(List.of(words));
        router.run(command.toArray(new String[0]));
    }

    /** The router's name, by which other processes find it. */
    String name()
    {
        return name;
    }

    RouterMachine router()
    {
        return router;
    }

    List<ScapyHost> hosts()
    {
        return hosts;
    }

    ScapyHost a()
    {
        return hosts.get(0);
    }

    ScapyHost b()
    {
        return hosts.get(1);
    }

    ScapyHost c()
    {
        return hosts.get(2);
    }

    /** Returns what a command says of this router with {@code --json}. */
    JsonNode json(final String... command)
    {
        final String[] named = Arrays.copyOf(command, command.length + 2);
        named[command.length] = "--name";
        named[command.length + 1] = name;
        return CommandLineOutput.json(named);
    }

    /** Returns what {@code fibnuma lookup --json} says about an address. */
    JsonNode lookup(final String address)
    {
        return json("lookup", address);
    }

    /** The router's table is that of its kernel or of its routing daemon; returns the comparison. */
    JsonNode assertVerified()
    {
        final JsonNode answer = json("verify");
        assertTrue(answer.get("equal").asBoolean(), answer::toString);
        return answer;
    }

    /** Waits until an address has a kind of route, such as {@code no-route}. */
    void awaitKind(final String address, final String kind)
    {
        Await.until(() -> lookup(address) + " to be " + kind, () -> kind.equals(lookup(address).get("kind").asText()));
    }

    /** Waits until an address has a next hop in the router, which follows its kernel. The kernel is not asked. */
    void awaitNextHop(final String address, final String nextHop)
    {
        if (router.hasRouter())
        {
            Await.until(() -> lookup(address) + " to be by " + nextHop,
                () -> nextHop.equals(lookup(address).path("nextHop").asText()));
        }
    }

    /**
     * Waits until the router has a route by a gateway that it does not know. After a test that knew the gateway, a
     * loaded router may still forward by the old route for some time. The kernel is not asked.
     */
    void awaitUnresolved(final String address, final String gateway)
    {
        if (router.hasRouter())
        {
            Await.until(() -> lookup(address) + " to be unresolved by " + gateway, () ->
            {
                final JsonNode answer = lookup(address);
                return "unresolved".equals(answer.path("kind").asText()) && answer.toString().contains(gateway);
            });
        }
    }

    /** What the router counted so far, or nothing where the kernel forwards. */
    Fates fates()
    {
        return router.hasRouter() ? Fates.read(name) : Fates.unknown();
    }

    @Override
    public void close()
    {
        hosts.forEach(ScapyHost::close);
        cables.forEach(cable -> cable.host().close());
        router.close();
    }
}
