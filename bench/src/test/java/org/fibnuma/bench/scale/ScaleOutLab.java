package org.fibnuma.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Two routers between a neighbour on either side, all configured by the files of {@code docs/scale-out}:
 * <pre>
 *                          +-- left  --+
 *  client -- upstream -----+           +----- downstream -- server
 *                          +-- right --+
 * </pre>
 * The neighbours have FRR and forward by their kernels.
 */
final class ScaleOutLab implements AutoCloseable
{
    static final List<String> SERVER = List.of("198.51.100.2", "2001:db8:d::2");
    static final List<String> CLIENT = List.of("203.0.113.2", "2001:db8:c::2");

    /** Of each router: two neighbours, two families. */
    private static final int SESSIONS = 4;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MTU = 1500;
    private static final List<String> SERVER_NETWORKS = List.of("198.51.100.0/24", "2001:db8:d::/64");
    private static final List<String> CLIENT_NETWORKS = List.of("203.0.113.0/24", "2001:db8:c::/64");
    /** Such as {@code 203.0.113.2.20000 > 198.51.100.2.40000: UDP}. */
    private static final Pattern FLOW = Pattern.compile(" > \\S+\\.(\\d+): UDP");
    private static final Pattern DEVICE = Pattern.compile(" dev (\\S+)");

    private final Host client = Host.open("client");
    private final Host upstream = Host.open("upstream");
    private final Host downstream = Host.open("downstream");
    private final Host server = Host.open("server");
    private final Frr upstreamFrr;
    private final Frr downstreamFrr;
    private final ScaleOutRouter left;
    private final ScaleOutRouter right;

    private ScaleOutLab(final Path directory) throws IOException
    {
        client.run("chmod", "755", directory.toString());
        upstreamFrr = new Frr(upstream, Files.createDirectory(directory.resolve("upstream")));
        downstreamFrr = new Frr(downstream, Files.createDirectory(directory.resolve("downstream")));
        left = new ScaleOutRouter("left", Files.createDirectory(directory.resolve("left")));
        right = new ScaleOutRouter("right", Files.createDirectory(directory.resolve("right")));
    }

    /** Starts everything and waits until both neighbours use both routers for both families. */
    static ScaleOutLab open(final Path directory) throws IOException
    {
        final ScaleOutLab lab = new ScaleOutLab(directory);
        boolean isComplete = false;
        try
        {
            lab.start();
            isComplete = true;
            return lab;
        }
        finally
        {
            if (!isComplete)
            {
                lab.close();
            }
        }
    }

    private void start() throws IOException
    {
        client.connect("c0", upstream, "clients", MTU);
        server.connect("s0", downstream, "servers", MTU);
        left.connect("north", upstream, "left");
        left.connect("south", downstream, "left");
        right.connect("north", upstream, "right");
        right.connect("south", downstream, "right");
        addressHost(client, "c0", CLIENT, "203.0.113.1", "2001:db8:c::1");
        addressHost(server, "s0", SERVER, "198.51.100.1", "2001:db8:d::1");
        startNeighbor(upstream, upstreamFrr, "upstream");
        startNeighbor(downstream, downstreamFrr, "downstream");
        left.boot();
        right.boot();
        awaitRouters("left", "right");
    }

    private static void addressHost(
        final Host host, final String device, final List<String> addresses, final String... gateways)
    {
        host.enableIpv6();
        host.address(device, addresses.get(0) + "/24");
        host.address(device, addresses.get(1) + "/64");
        for (final String gateway : gateways)
        {
            host.run("ip", gateway.contains(":") ? "-6" : "-4", "route", "add", "default", "via", gateway);
        }
    }

    private static void startNeighbor(final Host host, final Frr frr, final String label) throws IOException
    {
        host.enableIpv6();
        host.run("sysctl", "-q", "-p", file("neighbor.sysctl.conf").toString());
        frr.startAll(file(label + ".frr.conf"));
    }

    /** Returns a file of the page {@code docs/scale-out.md}. */
    static Path file(final String name)
    {
        return Require.projectDirectory().resolve("docs/scale-out").resolve(name).toAbsolutePath();
    }

    ScaleOutRouter left()
    {
        return left;
    }

    ScaleOutRouter right()
    {
        return right;
    }

    /** Starts flows of both families from the client to the server. */
    NumberedFlows startFlows(final int flowsOfEach) throws IOException
    {
        return NumberedFlows.start(client, server, SERVER, flowsOfEach);
    }

    /** Waits until both neighbours have routes of both families by these routers and no other. */
    void awaitRouters(final String... labels)
    {
        final Set<String> wanted = Set.of(labels);
        for (int family = 0; family < 2; family++)
        {
            final String toServers = SERVER_NETWORKS.get(family);
            final String toClients = CLIENT_NETWORKS.get(family);
            Frr.await(() -> routersOf(upstream, toServers).equals(wanted), toServers + " by " + wanted);
            Frr.await(() -> routersOf(downstream, toClients).equals(wanted), toClients + " by " + wanted);
        }
    }

    private static Set<String> routersOf(final Host host, final String prefix)
    {
        final Set<String> devices = new TreeSet<>();
        final Matcher matcher = DEVICE.matcher(
            host.run("ip", prefix.contains(":") ? "-6" : "-4", "route", "show", prefix));
        while (matcher.find())
        {
            devices.add(matcher.group(1));
        }
        return devices;
    }

    /** Returns the destination ports of some flows' packets that downstream receives from a router, by tcpdump. */
    Set<Integer> flowsFrom(final String label, final int packets)
    {
        final Set<Integer> ports = new TreeSet<>();
        final Matcher matcher = FLOW.matcher(downstream.run("tcpdump", "-i", label, "-nn",
            "-c", Integer.toString(packets), "udp and dst portrange " + NumberedFlows.DESTINATION_PORTS));
        while (matcher.find())
        {
            ports.add(Integer.valueOf(matcher.group(1)));
        }
        return ports;
    }

    /** Returns the frames that downstream has received from a router. */
    long framesFrom(final String label)
    {
        return downstream.receivedFrames(label);
    }

    /** Returns how many BGP sessions of both neighbours with a router have ended so far. */
    int endedSessions(final String label) throws IOException
    {
        return sessions(label).stream().mapToInt(session -> session.get("connectionsDropped").asInt()).sum();
    }

    /** Returns why the BGP sessions of both neighbours with a router ended the last time, in bgpd's words. */
    Set<String> reasons(final String label) throws IOException
    {
        return sessions(label).stream().map(session -> session.path("lastNotificationReason").asText())
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<JsonNode> sessions(final String label) throws IOException
    {
        final Pattern address = Pattern.compile("left".equals(label) ?
            "10\\.\\d\\.1\\.2|2001:db8:\\d:1::2" : "10\\.\\d\\.2\\.2|2001:db8:\\d:2::2");
        final List<JsonNode> sessions = new ArrayList<>();
        for (final Frr frr : List.of(upstreamFrr, downstreamFrr))
        {
            JSON.readTree(frr.show("show bgp neighbors json")).properties().forEach(neighbor ->
            {
                if (address.matcher(neighbor.getKey()).matches())
                {
                    sessions.add(neighbor.getValue());
                }
            });
        }
        assertEquals(SESSIONS, sessions.size(), "sessions with " + label);
        return sessions;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(
            upstreamFrr, downstreamFrr, left, right, client, upstream, downstream, server);
    }
}
