package org.fibnuma.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/**
 * The hosts of a soak with a router between them. IPv4 passes a stateful filter, and what goes to the servers and the
 * guest is masqueraded; IPv6 passes no filter. Any thread may ask the router.
 */
final class SoakRig implements AutoCloseable
{
    /** Number of next hops of the test frames. */
    static final int NEXT_HOPS = 2;
    /** Name of the port at the left host. */
    static final String LEFT_PORT = "p0";
    /** Name of the port that comes and goes. */
    static final String GUEST_PORT = "p5";

    private static final int PORTS = 6;
    private static final int MTU = 1500;
    private static final int FIRST_RIGHT = 1;
    private static final int CLIENTS = 3;
    private static final int SERVERS = 4;
    private static final int GUEST = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String RULES = """
        table ip filter {
          set refused {
            type ipv4_addr
          }
          chain forward {
            type filter hook forward priority 0; policy drop;
            ip saddr @refused drop
            ct state established,related accept
            iifname { "r0", "r3" } ct state new accept
            counter drop
          }
        }
        table ip nat {
          chain postrouting {
            type nat hook postrouting priority 100; policy accept;
            oifname { "r4", "r5" } masquerade
          }
        }
        """;
    /** Drops one in 100 of the packets that the servers receive. */
    private static final String LOSS = """
        table inet loss {
          chain input {
            type filter hook input priority 0; policy accept;
            numgen random mod 100 < 1 counter drop
          }
        }
        """;

    private final String name = "bench-soak-" + ProcessHandle.current().pid();
    private final RoutedHosts hosts = RoutedHosts.open(MTU);
    private final Host clients = Host.open("clients");
    private final Host servers = Host.open("servers");
    private final Host guest = Host.open("guest");
    private RouterProcess process;
    private Path file;

    private SoakRig()
    {
    }

    /**
     * Creates the hosts and starts the router.
     *
     * @throws org.fibnuma.core.UserException if the router does not start; the message contains its error lines.
     * @throws IOException                    if it does not answer.
     */
    static SoakRig open() throws IOException
    {
        return AllOrNothing.open(new SoakRig(), SoakRig::prepare);
    }

    private void prepare() throws IOException
    {
        hosts.right().connect("h1", router(), device(2), MTU);
        clients.connect(RoutedHosts.HOST_DEVICE, router(), device(CLIENTS), MTU);
        servers.connect(RoutedHosts.HOST_DEVICE, router(), device(SERVERS), MTU);
        guest.connect(RoutedHosts.HOST_DEVICE, router(), device(GUEST), MTU);
        router().enableIpv6();
        router().sysctl("ipv6.conf.all.forwarding", "1");
        for (int i = 0; i < PORTS; i++)
        {
            if (i > 1)
            {
                router().address(device(i), ipv4(i, 1) + "/24");
            }
            router().address(device(i), ipv6(i, 1) + "/64");
            router().sysctl("ipv4.conf." + device(i) + ".rp_filter", "0");
        }
        router().sysctl("ipv4.conf.all.rp_filter", "0");
        neighbor(hosts.left(), RoutedHosts.HOST_DEVICE, 0);
        for (int i = 0; i < NEXT_HOPS; i++)
        {
            neighbor(hosts.right(), "h" + i, FIRST_RIGHT + i);
        }
        host(clients, CLIENTS);
        host(servers, SERVERS);
        host(guest, GUEST);
        hosts.kernelForwarding(true);
        router().run("nft", RULES);
        servers.run("nft", LOSS);
        process = RouterProcess.start(router(), config(0), PATIENCE);
        file = Path.of(ask("reload").get("file").asText());
    }

    /** The tester answers no ARP and no neighbour discovery. */
    private void neighbor(final Host host, final String hostDevice, final int port)
    {
        for (final String address : List.of(ipv4(port, 2), ipv6(port, 2)))
        {
            router().run("ip", "neighbor", "replace", address, "lladdr", host.macAddress(hostDevice),
                "dev", device(port), "nud", "permanent");
        }
    }

    private static void host(final Host host, final int port)
    {
        host.enableIpv6();
        host.address(RoutedHosts.HOST_DEVICE, ipv4(port, 2) + "/24");
        host.address(RoutedHosts.HOST_DEVICE, ipv6(port, 2) + "/64");
        host.run("ip", "route", "add", "default", "via", ipv4(port, 1));
        host.run("ip", "-6", "route", "add", "default", "via", ipv6(port, 1));
    }

    private static String device(final int port)
    {
        return "r" + port;
    }

    private static String ipv4(final int port, final int host)
    {
        return "10.0." + port + "." + host;
    }

    private static String ipv6(final int port, final int host)
    {
        return "fd00:" + port + "::" + host;
    }

    /** Versions differ in a limit and in the access list of the guest's port. */
    private String config(final int version)
    {
        final StringBuilder text = new StringBuilder(
            RouterProcess.table(name, "icmp-errors-per-second = " + (1000 + version % 2)));
        for (int i = 0; i < PORTS; i++)
        {
            text.append(RouterProcess.xdpPort("p" + i, device(i)));
        }
        // Follows the guest's port.
        return text.append("acl-in = \"guest\"\n[[acl]]\nname = \"guest\"\ndefault = \"permit\"\n" +
            "[[acl.rule]]\naction = \"deny\"\ndestination = \"192.0.2." + version % 100 + "/32\"\n").toString();
    }

    /** Has the router read a changed configuration. */
    void reload(final int version) throws IOException
    {
        final Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), config(version));
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        ask("reload");
    }

    /** Adds or removes a source that the filter refuses, which ends all flows; no packet has this source. */
    void changeRules(final int version)
    {
        router().run("nft", version % 2 == 0 ? "add" : "delete", "element", "ip", "filter", "refused",
            "{ 192.0.2.1 }");
    }

    String name()
    {
        return name;
    }

    RouterProcess process()
    {
        return process;
    }

    /** Returns the router's host. */
    Host router()
    {
        return hosts.router();
    }

    Host clients()
    {
        return clients;
    }

    Host servers()
    {
        return servers;
    }

    Host guest()
    {
        return guest;
    }

    /** Returns the address of the servers. */
    static String serverAddress(final boolean isIpv6)
    {
        return isIpv6 ? ipv6(SERVERS, 2) : ipv4(SERVERS, 2);
    }

    /** Returns the address of the guest. */
    static String guestAddress(final boolean isIpv6)
    {
        return isIpv6 ? ipv6(GUEST, 2) : ipv4(GUEST, 2);
    }

    /** Returns the address of a next hop of the test frames. */
    static String gateway(final int nextHop, final boolean isIpv6)
    {
        return isIpv6 ? ipv6(FIRST_RIGHT + nextHop, 2) : ipv4(FIRST_RIGHT + nextHop, 2);
    }

    /** Returns the name of the router's port to a next hop. */
    static String portOf(final int nextHop)
    {
        return "p" + (FIRST_RIGHT + nextHop);
    }

    /** Returns whether test frames pass a port of the router. */
    static boolean isOnTheWay(final String port)
    {
        return port.compareTo(portOf(NEXT_HOPS)) < 0;
    }

    /** Returns whether test frames pass a device of one of the hosts. */
    static boolean isDeviceOnTheWay(final String device)
    {
        return device.startsWith("h") || device.startsWith("r") && device.compareTo(device(CLIENTS)) < 0;
    }

    /** Returns the writer of the headers of test frames. */
    HostFrames frames(final int length)
    {
        return new HostFrames(
            MacAddress.parse(router().macAddress(device(0))),
            MacAddress.parse(hosts.left().macAddress(RoutedHosts.HOST_DEVICE)),
            Ipv4Address.parse(ipv4(0, 2)), IpAddress.parse(ipv6(0, 2)), length);
    }

    /** Opens the port that sends test frames. */
    HostPort openLeft()
    {
        return HostPort.open(hosts.left().namespaceFile(), RoutedHosts.HOST_DEVICE);
    }

    /** Opens the port of a next hop. */
    HostPort openRight(final int nextHop)
    {
        return HostPort.open(hosts.right().namespaceFile(), "h" + nextHop);
    }

    /** Returns the MAC address of the router at a next hop. */
    long routerMac(final int nextHop)
    {
        return MacAddress.parse(router().macAddress(device(FIRST_RIGHT + nextHop)));
    }

    /** Returns the MAC address of a next hop. */
    long mac(final int nextHop)
    {
        return MacAddress.parse(hosts.right().macAddress("h" + nextHop));
    }

    Host left()
    {
        return hosts.left();
    }

    Host right()
    {
        return hosts.right();
    }

    /** Returns the number of packets that the link to the servers has lost on purpose. */
    long deliberatelyLost()
    {
        return droppedByRule(servers, "inet", "loss");
    }

    /** Returns the number of packets that the filter of the router's host has dropped. */
    long filtered()
    {
        return droppedByRule(router(), "ip", "filter");
    }

    private static long droppedByRule(final Host host, final String family, final String table)
    {
        return Long.parseLong(host.run("nft", "list", "table", family, table)
            .replaceFirst("(?s).*counter packets (\\d+) .*", "$1"));
    }

    /** Asks the router by a connection of its own. */
    JsonNode ask(final String request) throws IOException
    {
        return ask(ControlProtocol.request(request));
    }

    /** Asks the router by a connection of its own. */
    JsonNode ask(final JsonNode request) throws IOException
    {
        try (ControlClient client = ControlClient.connect(name))
        {
            return client.ask(request);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(process, guest, servers, clients, hosts);
    }
}
