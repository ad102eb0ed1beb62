package org.fibnuma.bench.flows;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.router.RouterLifeLab;
import org.fibnuma.bench.system.ScapyHost;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.Await;
import org.fibnuma.core.service.netns.Host;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Three hosts around a router on a host with packet filters, each with scapy at its end of the cable:
 * <pre>
 *  client 10.0.0.2, 10.0.0.3, 2001:db8:1::2 -- r0 10.0.0.1, 2001:db8:1::1 \
 *  server 10.0.1.2, 203.0.113.1, 2001:db8:2::2 -- r1 10.0.1.1, 2001:db8:2::1 > router
 *  third  10.0.2.2, 2001:db8:3::2 -- r2 10.0.2.1, 2001:db8:3::1           /
 * </pre>
 * The kernels of the hosts do not answer to the ports of {@link #newPort()}: those packets are scapy's. All checksums
 * are complete on the wire.
 */
final class FlowLab implements AutoCloseable
{
    static final String CLIENT = "10.0.0.2";
    /** Another host of the client's network, at the same cable. */
    static final String NEIGHBOR = "10.0.0.3";
    static final String SERVER = "10.0.1.2";
    /** A network behind the server; 203.0.113.1 is an address of the server. */
    static final String BEYOND_SERVER = "203.0.113.0/24";
    static final String BEYOND = "203.0.113.1";
    static final String THIRD = "10.0.2.2";
    static final String TO_CLIENT = "10.0.0.1";
    static final String TO_SERVER = "10.0.1.1";
    static final String TO_THIRD = "10.0.2.1";
    static final String CLIENT_IPV6 = RouterLifeLab.LEFT_IPV6;
    static final String SERVER_IPV6 = RouterLifeLab.RIGHT_IPV6;
    static final String TO_SERVER_IPV6 = "2001:db8:2::1";
    static final String THIRD_IPV6 = "2001:db8:3::2";

    /** Ports of scapy's packets, and how the hosts' kernels ignore them. */
    private static final int FIRST_PORT = 20_000;
    private static final String SILENCE = "table inet lab { chain in { type filter hook input priority 0; " +
        "meta l4proto { tcp, udp } th dport 20000-29999 drop; }; chain out { type filter hook output priority 0; " +
        "icmpv6 type { 131, 132, 143 } drop; }; }";
    private static final AtomicInteger PORTS = new AtomicInteger(FIRST_PORT);
    private static final int CYCLES = 3;

    private final RouterLifeLab lab;
    /** The interfaces of the router that represent DPDK ports in the kernel. */
    private final List<String> hidden;
    private final Host third = Host.open("third");
    private ScapyHost client;
    private ScapyHost server;
    private ScapyHost other;

    private FlowLab(final int mostQueues, final String... hidden)
    {
        lab = RouterLifeLab.open(mostQueues);
        this.hidden = List.of(hidden);
    }

    /** Makes everything but the router, whose left and right interfaces may have some queues. */
    static FlowLab open(final int mostQueues)
    {
        return AllOrNothing.open(new FlowLab(mostQueues), FlowLab::connect);
    }

    static FlowLab open()
    {
        return open(1);
    }

    /**
     * Makes everything but the router, some of whose interfaces represent DPDK ports. They exist before the router, and
     * stay.
     */
    static FlowLab openDpdk(final String... interfaces)
    {
        return AllOrNothing.open(new FlowLab(1, interfaces), FlowLab::connect);
    }

    /** Returns a port of which the kernels of the hosts take no notice, another one each time. */
    static int newPort()
    {
        return PORTS.getAndIncrement();
    }

    private void connect()
    {
        lab.connect(third, "r2", "10.0.2.");
        hidden.forEach(this::hide);
        lab.forwardIpv6();
        third.enableIpv6();
        lab.addIpv6(third, THIRD_IPV6, "r2", "2001:db8:3::1");
        lab.left().address("h0", NEIGHBOR + "/24");
        lab.right().address("lo", BEYOND + "/32");
        router("sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.all.send_redirects=0 " +
            "net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0; for f in r0 r1 r2; do " +
            "sysctl -qw net.ipv4.conf.$f.rp_filter=0 net.ipv4.conf.$f.send_redirects=0; done; " +
            "ip route add " + BEYOND_SERVER + " via " + SERVER);
        meet(lab.left(), "r0", CLIENT, NEIGHBOR, CLIENT_IPV6);
        meet(lab.right(), "r1", SERVER, SERVER_IPV6);
        meet(third, "r2", THIRD, THIRD_IPV6);
        neighbor(lab.left(), "h0", lab.router().macAddress("r0"), TO_CLIENT, "2001:db8:1::1");
        neighbor(lab.right(), "h0", lab.router().macAddress("r1"), TO_SERVER, TO_SERVER_IPV6);
        neighbor(third, "h0", lab.router().macAddress("r2"), TO_THIRD, "2001:db8:3::1");
        for (final Host host : List.of(lab.left(), lab.right(), third))
        {
            host.run("ethtool", "-K", "h0", "tx", "off");
            host.run("nft", SILENCE);
        }
        lab.router().run("sh", "-e", "-c", "for f in r0 r1 r2; do ethtool -K $f tx off; done");
        client = new ScapyHost(lab.left(), "h0");
        server = new ScapyHost(lab.right(), "h0");
        other = new ScapyHost(third, "h0");
        greet(client, "r0");
        greet(server, "r1");
        greet(other, "r2");
    }

    /** Gives the cable to a DPDK port, and name and addresses of its interface to a TAP interface. */
    private void hide(final String device)
    {
        final String wire = wire(device);
        router("address=$(ip -o -4 address show " + device + " | awk '{ print $4 }')\n" +
            "ip address flush dev " + device + "; ip link set " + device + " down\n" +
            "ip link set " + device + " name " + wire + " addrgenmode none; ip link set " + wire + " up\n" +
            "ip tuntap add " + device + " mode tap multi_queue\n" +
            "ip link set " + device + " address " + lab.router().macAddress(device) + " up\n" +
            "ip address add $address dev " + device);
    }

    private static String wire(final String device)
    {
        return device.replace('r', 'w');
    }

    private void meet(final Host host, final String routerDevice, final String... addresses)
    {
        neighbor(lab.router(), routerDevice, host.macAddress("h0"), addresses);
    }

    private static void neighbor(final Host host, final String device, final String mac, final String... addresses)
    {
        for (final String address : addresses)
        {
            host.run("ip", "neigh", "replace", address, "lladdr", mac, "dev", device, "nud", "permanent");
        }
    }

    private void greet(final ScapyHost host, final String routerDevice)
    {
        host.awaitReady();
        host.define(Map.of("TO_ROUTER",
            "Ether(src='" + host.macAddress() + "', dst='" + lab.router().macAddress(routerDevice) + "')"));
    }

    /** Starts the router on all three cables, with some lines more in its table. */
    void start(final String... keys)
    {
        String config = lab.config(keys) + RouterLifeLab.port("third", "xdp:r2");
        for (final String device : hidden)
        {
            config = config.replace("\"xdp:" + device + "\"", "\"dpdk:net_af_xdp" + hidden.indexOf(device) +
                ",iface=" + wire(device) + "\"\nexception = \"tap:" + device + "\"");
        }
        lab.startConfigured(config);
    }

    /** Starts the router between client and server, with two workers that have a queue of each port. */
    void startWithTwoWorkers()
    {
        lab.startConfigured(lab.config("workers = 2").replace("[[port]]", "[[port]]\nqueues = \"auto\""));
    }

    RouterLifeLab lab()
    {
        return lab;
    }

    ScapyHost client()
    {
        return client;
    }

    ScapyHost server()
    {
        return server;
    }

    ScapyHost third()
    {
        return other;
    }

    /** Runs commands of a shell on the router's host, up to the first that fails; returns their output. */
    String router(final String commands)
    {
        return lab.shell(commands);
    }

    /** Replaces the ruleset of the router's host, in one transaction, and forgets all connections. */
    void rules(final String ruleset)
    {
        nft("flush ruleset\n" + ruleset);
        router("conntrack -F");
    }

    /** Changes the ruleset of the router's host in one transaction. */
    void nft(final String changes)
    {
        router("nft -f - <<'END'\n" + changes + "\nEND");
    }

    /**
     * Waits until the packet filters are followed by flows, one of which has a text, and connections are labelled. If
     * flows were not wanted before, connections that exist have no room for labels.
     */
    void awaitFollowed(final String text)
    {
        Await.until("packet filters that are followed", () ->
        {
            final JsonNode restrictions = lab.ask("host").path("restrictions");
            return restrictions.toString().contains(text) &&
                restrictions.findValuesAsText("frames").stream().allMatch("flows"::equals) &&
                lab.ask("flows").path("found").asBoolean();
        });
    }

    /** Returns the entries of conntrack with a destination port in either direction, a line each, with their id. */
    List<String> entries(final int port)
    {
        return router("conntrack -L -o id 2>/dev/null").lines()
            .filter(line -> line.contains("port=" + port + " ")).toList();
    }

    /** Returns the number of received frames of flows, those of all frames that have left the router included. */
    long flows()
    {
        final long polls = drops().path("polls").asLong();
        final JsonNode[] now = new JsonNode[1];
        Await.until("duty cycles", () ->
        {
            now[0] = drops();
            return now[0].path("polls").asLong() >= polls + CYCLES;
        });
        return now[0].path("flows").asLong();
    }

    private JsonNode drops()
    {
        return lab.ask("drops");
    }

    /** The kernel forwards whatever an action makes the hosts send, or drops it. */
    void assertByKernel(final Runnable action)
    {
        final long before = flows();
        action.run();
        assertEquals(before, flows(), "frames forwarded by flows");
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, server, other, lab, third);
    }
}
