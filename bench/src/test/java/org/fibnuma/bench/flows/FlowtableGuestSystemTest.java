package org.fibnuma.bench.flows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.CloseHelper;
import org.fibnuma.bench.nic.Guest;
import org.fibnuma.bench.nic.GuestControl;
import org.fibnuma.bench.nic.GuestNic;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.config.RouterConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A guest whose ruleset puts connections into a flowtable of the kernel. The kernel forwards their packets past all
 * chains before the router does, so that its label table and connection tracking see few of them.
 * <pre>
 *  client 10.0.0.2, fd00::2 -- igb0 [ guest ] r1, r1.100 -- 10.0.1.2, fd00:1::2, 10.100.0.2 server
 * </pre>
 * The server is a namespace of the guest, whose kernel has VLANs. Its tags are in the frames, where XDP sees them.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FlowtableGuestSystemTest
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SERVER = "10.0.1.2";
    private static final String SERVER_IPV6 = "fd00:1::2";
    private static final String VLAN_SERVER = "10.100.0.2";
    private static final String ALL_DEVICES = "igb0, r1";
    /** A rule for each datagram over IPv4 with 472 bytes, or over IPv6 with 452. */
    private static final String OF_PACKETS = "meta length 500 counter accept";
    /** Enough ports for a connection each. */
    private static final int LAST_PORT = 7017;
    /** In s: of connections in a flowtable, and of entries of UDP, which have the difference when they leave it. */
    private static final int FLOWTABLE_TIMEOUT = 15;
    private static final int UDP_TIMEOUT = 60;
    private static final String CONFIG = String.join("\n", "[router]", "cores = []",
        "[[port]]", "name = \"left\"", "device = \"xdp:igb0\"",
        "[[port]]", "name = \"right\"", "device = \"xdp:r1\"", "");
    private static final Pattern TIMEOUT = Pattern.compile("udp +17 (\\d+) ");
    private static final Pattern ID = Pattern.compile("id=(\\d+)");
    private static final Pattern PACKETS = Pattern.compile("counter packets (\\d+) ");

    private final List<AutoCloseable> resources = new ArrayList<>();
    private Guest guest;
    private GuestControl control;
    private Host left;
    private int lastPort = 7000;

    @BeforeAll
    void start()
    {
        GuestControl.require();
        Require.program("nft", "nftables");
        Require.program("conntrack", "conntrack");
        Require.program("modprobe", "kmod");
        Require.program("socat", "socat");
        guest = closed(Guest.boot(new GuestNic("igb0", GuestNic.Model.IGB, 1), GuestControl.CARD));
        control = closed(GuestControl.open(
            guest, RouterConfig.DEFAULT_NAME, "flowtable-guest-" + ProcessHandle.current().pid()));
        left = closed(Host.open("left"));
        guest.connect("igb0", left, "h0");
        guest.loadModulesOnDemand();
        guest.run("""
            set -e
            ip netns add server
            ip link add r1 type veth peer name s1 netns server
            ip link add link r1 name r1.100 type vlan id 100
            ip netns exec server ethtool -K s1 txvlan off
            ip -n server link add link s1 name s1.100 type vlan id 100
            for f in igb0=10.0.0.1 r1=10.0.1.1 r1.100=10.100.0.1
            do
                ip address add ${f#*=}/24 dev ${f%=*} && ip link set ${f%=*} up
            done
            for f in s1=10.0.1.2 s1.100=10.100.0.2
            do
                ip -n server address add ${f#*=}/24 dev ${f%=*} && ip -n server link set ${f%=*} up
            done
            echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
            ip address add fd00::1/64 dev igb0 nodad
            ip address add fd00:1::1/64 dev r1 nodad
            ip -n server address add fd00:1::2/64 dev s1 nodad
            ip -n server route add fd00::/64 via fd00:1::1
            """);
        for (int port = lastPort + 1; port <= LAST_PORT; port++)
        {
            guest.start("exec ip netns exec server socat UDP6-LISTEN:" + port + ",fork EXEC:cat");
            guest.start("exec ip netns exec server socat TCP6-LISTEN:" + port + ",fork EXEC:cat");
        }
        left.address("h0", "10.0.0.2/24");
        left.run("ip", "route", "add", "default", "via", "10.0.0.1");
        left.enableIpv6();
        left.address("h0", "fd00::2/64");
        left.run("ip", "route", "add", "fd00:1::/64", "via", "fd00::1");
        rules("flow add @ft", "");
        guest.run("cd /proc/sys/net/netfilter && for protocol in tcp udp; do echo " + FLOWTABLE_TIMEOUT +
            " >nf_flowtable_${protocol}_timeout; done && echo " + UDP_TIMEOUT + " >nf_conntrack_udp_timeout_stream");
        guest.startRouter(CONFIG);
    }

    @AfterAll
    void close()
    {
        CloseHelper.closeAll(resources.toArray(AutoCloseable[]::new));
    }

    private <T extends AutoCloseable> T closed(final T resource)
    {
        resources.add(0, resource);
        return resource;
    }

    @BeforeEach
    void followTheFirstRules()
    {
        rules("flow add @ft", "");
        awaitFollowed("");
    }

    @Test
    void shouldForwardOffloadedConnectionsAndKeepTheirEntries()
    {
        try (HostSockets udp = connected("udp", SERVER); HostSockets tcp = connected("tcp", SERVER))
        {
            final int udpPort = lastPort - 1;
            awaitForwarded(tcp, lastPort, "right");
            awaitForwarded(udp, udpPort, "right");
            final String id = id(udpPort);
            // The kernel limits the timeout when the connection leaves the flowtable; only a refresh makes it longer.
            Await.until(() -> "a refresh after the flowtable: " + entry("udp", udpPort), () ->
            {
                udp.ask("exchange 100");
                final String entry = entry("udp", udpPort);
                final Matcher timeout = TIMEOUT.matcher(entry);
                return !entry.contains("OFFLOAD") && timeout.find() &&
                    Integer.parseInt(timeout.group(1)) > UDP_TIMEOUT - FLOWTABLE_TIMEOUT;
            });
            assertEquals(id, id(udpPort));
            control.run("verify");

            udp.ask("exchange 100");
            guest.run("conntrack -D -p udp --orig-port-dst " + udpPort);
            Await.until("the end of the flow", () -> flow(udpPort) == null);
            awaitForwarded(udp, udpPort, "right");

            tcp.ask("close");
            awaitEnd(lastPort);
        }
    }

    @Test
    void shouldForwardOffloadedConnectionsOfVlans()
    {
        try (HostSockets udp = connected("udp", VLAN_SERVER); HostSockets tcp = connected("tcp", VLAN_SERVER))
        {
            awaitForwarded(tcp, lastPort, "r1.100");
            awaitForwarded(udp, lastPort - 1, "r1.100");
        }
    }

    /** A flow under a rule for each packet is a connection in a flowtable. */
    @Test
    void shouldForwardOffloadedConnectionsOfIpv6()
    {
        rules("flow add @ft", OF_PACKETS);
        awaitFollowed("meta length");
        try (HostSockets udp = connected("udp", SERVER_IPV6); HostSockets tcp = connected("tcp", SERVER_IPV6))
        {
            awaitForwarded(tcp, lastPort, "right");
            awaitForwarded(udp, lastPort - 1, "right");
            final long judged = judged();
            udp.ask("exchange 452");
            assertEquals(judged, judged(), "packets of a flow meet no rule");
            tcp.ask("close");
            awaitEnd(lastPort);
        }
    }

    /** The flowtable forwards an RST while it has the connection; then connection tracking must not find it invalid. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldEndAConnectionThatIsReset(final boolean isByServer, final boolean isOffloaded)
    {
        rules("flow add @ft", OF_PACKETS);
        awaitFollowed("meta length");
        try (HostSockets tcp = connected("tcp", SERVER))
        {
            final int port = lastPort;
            awaitForwarded(tcp, port, "right");
            if (!isOffloaded)
            {
                Await.until(() -> "a flow outside of the flowtable: " + entry("tcp", port), () ->
                {
                    tcp.ask("exchange 100");
                    return !entry("tcp", port).contains("OFFLOAD");
                });
            }
            if (isByServer)
            {
                guest.run("ip netns exec server ss -K sport = :" + port);
            }
            else
            {
                tcp.ask("reset");
            }
            Await.until("the end at the server", () ->
                guest.run("ip netns exec server ss -Htn state established sport = :" + port).isBlank());
            Await.until("the end at the client", () ->
                left.run("ss", "-Htn", "state", "established", "dport", "=", ":" + port).isBlank());
            awaitEnd(port);
        }
    }

    @Test
    void shouldForwardConnectionsOfAFlowtableWithSomePorts()
    {
        rules("r1", "flow add @ft", "");
        awaitFollowed("");
        try (HostSockets udp = connected("udp", SERVER); HostSockets tcp = connected("tcp", SERVER))
        {
            awaitForwarded(tcp, lastPort, "right");
            awaitForwarded(udp, lastPort - 1, "right");
        }
    }

    /** The kernel itself compares packets of such connections with the rule: of one direction, or of both. */
    @ParameterizedTest
    @ValueSource(strings = {"igb0", "r1"})
    void shouldLeaveConnectionsOfAFlowtableWithSomePortsWhereARuleJudgesPackets(final String device)
    {
        rules(device, "flow add @ft", OF_PACKETS);
        Await.until(() -> "a rule that is left to the kernel: " + show("host"), () ->
            show("host").path("restrictions").findValuesAsText("frames").contains("left-to-kernel"));
        try (HostSockets udp = connected("udp", SERVER))
        {
            final long judged = judged();
            udp.ask("exchange 472");
            assertTrue(judged() > judged);
            assertFalse(show("flows").path("found").asBoolean());
        }
    }

    /** Packets of 500 bytes meet a rule that counts and judges each packet. */
    @Test
    void shouldFollowOnlyOffloadedConnectionsWhereARuleJudgesPackets()
    {
        final int offloaded = lastPort + 1;
        rules("ct original proto-dst " + offloaded + " flow add @ft",
            "meta l4proto udp " + OF_PACKETS);
        awaitFollowed("meta length");
        try (HostSockets followed = connected("udp", SERVER); HostSockets other = connected("udp", SERVER))
        {
            other.ask("exchange 100");
            awaitForwarded(followed, offloaded, "right");
            final long judged = judged();
            followed.ask("exchange 472");
            assertEquals(judged, judged(), "packets of a flow meet no rule");
            Await.until("a refusal", () ->
            {
                other.ask("exchange 100");
                return show("flows").path("refusals").findValuesAsText("reason").contains("not-offloaded");
            });
            other.ask("exchange 472");
            assertEquals(judged + 2, judged());
            assertNull(flow(lastPort));

            Await.until("the end of an idle flow", () -> flow(offloaded) == null);
            final long judgedIdle = judged();
            followed.ask("exchange 472");
            assertTrue(judged() > judgedIdle, "the first packet after the flowtable meets the rules");
            awaitForwarded(followed, offloaded, "right");
        }
    }

    @Test
    void shouldFindConnectionsThatAreOffloadedLater()
    {
        rules("ct packets > 20 flow add @ft", "ip ttl 3 drop");
        awaitFollowed("byte 8 of the network header");
        try (HostSockets late = connected("udp", SERVER))
        {
            awaitForwarded(late, lastPort, "right");
        }
    }

    private void rules(final String offload, final String rule)
    {
        rules(ALL_DEVICES, offload, rule);
    }

    /**
     * Replaces the ruleset: interfaces of the flowtable, what {@code flow add} is behind, and a rule in front of those
     * that accept.
     */
    private void rules(final String devices, final String offload, final String rule)
    {
        guest.run("nft -f - <<'END' && conntrack -F\n" + """
            flush ruleset
            table inet fw {
              flowtable ft { hook ingress priority filter; devices = { %s }; }
              chain forward {
                type filter hook forward priority filter; policy drop
                ct state established meta l4proto { tcp, udp } %s
                %s
                ct state established,related accept
                iifname "igb0" accept
              }
            }
            table ip nat {
              chain post {
                type nat hook postrouting priority srcnat
                oifname { "r1", "r1.100" } masquerade
              }
            }
            """.formatted(devices, offload, rule) + "END\n");
    }

    private void awaitFollowed(final String rule)
    {
        Await.until(() -> "followed rules: " + show("host") + show("flows"), () ->
        {
            final JsonNode rows = show("host").path("restrictions");
            return rows.toString().contains(rule) &&
                rows.findValuesAsText("reason").size() == (rule.isEmpty() ? 0 : 1) &&
                rows.findValuesAsText("frames").stream().allMatch("flows"::equals) &&
                show("flows").path("found").asBoolean();
        });
    }

    /** Opens a connection to a new port of the server. */
    private HostSockets connected(final String protocol, final String address)
    {
        lastPort++;
        final HostSockets client = new HostSockets(left);
        client.ask("open " + protocol + " " + address + " " + lastPort + " 1");
        client.ask("exchange 100");
        return client;
    }

    /** Waits until a connection is a flow, whose packets of both directions the router forwards and counts. */
    private void awaitForwarded(final HostSockets client, final int port, final String egress)
    {
        Await.until(() -> "a flow: " + show("flows") + "\n" + entry("udp", port) + entry("tcp", port), () ->
        {
            client.ask("exchange 100");
            final JsonNode row = flow(port);
            return row != null && row.path("packets").asLong() > 1 && row.path("replyPackets").asLong() > 1 &&
                row.path("port").asText().equals("left") && row.path("replyPort").asText().equals(egress);
        });
    }

    /** Waits until a TCP connection that has ended is no flow, and no established entry of conntrack. */
    private void awaitEnd(final int port)
    {
        Await.until("the end of the flow", () -> flow(port) == null);
        Await.until(() -> "the end of the entry: " + entry("tcp", port), () ->
            !entry("tcp", port).contains("OFFLOAD") && !entry("tcp", port).contains("ESTABLISHED"));
    }

    private JsonNode flow(final int port)
    {
        for (final JsonNode row : show("flows").path("flows"))
        {
            if (row.path("original").path("destinationPort").asInt() == port)
            {
                return row;
            }
        }
        return null;
    }

    private String entry(final String protocol, final int port)
    {
        return guest.run("for family in ipv4 ipv6; do conntrack -L -f $family -o id -p " + protocol +
            " --orig-port-dst " + port + " 2>/dev/null; done");
    }

    private String id(final int port)
    {
        return first(ID, entry("udp", port));
    }

    private long judged()
    {
        return Long.parseLong(first(PACKETS, guest.run("nft list chain inet fw forward")));
    }

    private static String first(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.group(1);
    }

    private JsonNode show(final String what)
    {
        try
        {
            return JSON.readTree(control.run("show", what, "--json"));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
