package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.CommandLineOutput;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A router with {@code control = "static"} and VLANs of the file. The kernels have no VLANs: every tag is made by
 * scapy and read from the wire. On link a, network 10.0.0.0/24 has no tag, 10.100.0.0/24 VLAN 100, 10.30.0.0/24 VLAN
 * 300, 10.20.0.0/24 VLAN 20 in service VLAN 10; on link b 10.0.1.0/24 no tag, 10.200.1.0/24 VLAN 200 with PCP 5,
 * 10.20.1.0/24 VLAN 20 in service VLAN 10. The router has address 1 in each, the host address 2; IPv6 likewise as
 * 2001:db8:NET:LINK::.
 */
@NamespaceTest("scapy")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class VlanSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String END = "b'the end'";
    private static final String END_HEX = "74686520656e64";
    private static final String MACS = "02:00:00:00:07:0";
    private static final String ROUTER_MAC = "02:00:00:00:09:0";
    private static final int NARROW = 1300;

    private static final String CONFIG = """
        [router]
        name = "vlan-%d"
        control = "static"
        idle = "backoff"
        cores = []
        [[port]]
        name = "left"
        %s
        mac = "02:00:00:00:09:00"
        address = ["10.0.0.1/24", "2001:db8:0:0::1/64"]
        [[port.vlan]]
        id = 100
        address = ["10.100.0.1/24", "2001:db8:100:0::1/64"]
        [[port.vlan]]
        id = 300
        mtu = 1300
        address = ["10.30.0.1/24", "2001:db8:30:0::1/64"]
        [[port.vlan]]
        id = 10
        protocol = "802.1ad"
        [[port.vlan]]
        id = 20
        outer = 10
        address = ["10.20.0.1/24", "2001:db8:20:0::1/64"]
        [[port]]
        name = "right"
        %s
        mac = "02:00:00:00:09:01"
        address = ["10.0.1.1/24", "2001:db8:0:1::1/64"]
        [[port.vlan]]
        id = 200
        pcp = 5
        name = "servers"
        address = ["10.200.1.1/24", "2001:db8:200:1::1/64"]
        [[port.vlan]]
        id = 10
        protocol = "802.1ad"
        [[port.vlan]]
        id = 20
        outer = 10
        address = ["10.20.1.1/24", "2001:db8:20:1::1/64"]
        """;

    /** A VLAN, or none: the tags that the router sends as hex, those that scapy sends, and the networks' number. */
    private enum Vlan
    {
        NONE("", "", 0),
        V100("81000064", "Dot1Q(vlan=100)/", 100),
        V300("8100012c", "Dot1Q(vlan=300)/", 30),
        V200("8100a0c8", "Dot1Q(vlan=200)/", 200),
        QINQ("88a8000a81000014", "Dot1AD(vlan=10)/Dot1Q(vlan=20)/", 20);

        private final String hex;
        private final String scapy;
        private final int net;

        Vlan(final String hex, final String scapy, final int net)
        {
            this.hex = hex;
            this.scapy = scapy;
            this.net = net;
        }

        /** Returns the host's IPv4 address on a link. */
        String host(final int link)
        {
            return "10." + net + "." + link + ".2";
        }

        /** Returns the host's IPv6 address on a link. */
        String host6(final int link)
        {
            return "2001:db8:" + net + ":" + link + "::2";
        }
    }

    private final LabDevice device = LabDevice.chosen();
    private final String name = "vlan-" + ProcessHandle.current().pid();
    private Host router;
    private RouterProcess process;
    private final List<Host> hosts = new ArrayList<>();
    private final List<ScapyHost> ends = new ArrayList<>();

    @BeforeAll
    void open()
    {
        device.requireHost();
        router = Host.open("router");
        router.sysctl("ipv4.ip_forward", "0");
        router.sysctl("ipv6.conf.all.forwarding", "0");
        router.sysctl("ipv6.conf.default.disable_ipv6", "0");
        final List<LabCable> cables = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            hosts.add(Host.open(i == 0 ? "a" : "b"));
            cables.add(new LabCable(hosts.get(i), (i == 0 ? "a" : "b") + "0", router, "r" + i, "w" + i, RouterLab.MTU));
        }
        cables.forEach(device::prepare);
        if (device == LabDevice.XDP)
        {
            cables.forEach(cable -> router.run("ip", "link", "set", cable.routerDevice(), "address",
                ROUTER_MAC + cable.routerDevice().substring(1)));
        }
        process = RouterProcess.start(router, String.format(CONFIG, ProcessHandle.current().pid(),
            device.portKeys(cables.get(0), 0), device.portKeys(cables.get(1), 1)) +
            neighbors(0, Vlan.NONE, Vlan.V100, Vlan.V300, Vlan.QINQ) + neighbors(1, Vlan.NONE, Vlan.V200, Vlan.QINQ),
            Duration.ofSeconds(120));
        cables.forEach(device::connect);
        for (int i = 0; i < 2; i++)
        {
            final Host host = hosts.get(i);
            host.run("ip", "link", "set", cables.get(i).hostDevice(), "address", MACS + i);
            host.run("ip", "link", "set", cables.get(i).hostDevice(), "up", "mtu", "1504");
            ends.add(new ScapyHost(host, cables.get(i).hostDevice()));
        }
        ends.forEach(ScapyHost::awaitReady);
    }

    private static String neighbors(final int link, final Vlan... vlans)
    {
        return Stream.of(vlans).flatMap(vlan -> Stream.of(vlan.host(link), vlan.host6(link)))
            .map(address -> "[[neighbor]]\naddress = \"" + address + "\"\nmac = \"" + MACS + link + "\"\n")
            .collect(Collectors.joining());
    }

    @AfterAll
    void close()
    {
        ends.forEach(CloseHelper::close);
        CloseHelper.closeAll(process, router);
        CloseHelper.closeAll(hosts);
    }

    private static String ethernet(final int link, final String tags)
    {
        return "Ether(src='" + MACS + link + "', dst='" + ROUTER_MAC + link + "')/" + tags;
    }

    /** A packet from a VLAN of link a, with its tags. */
    private static String fromA(final Vlan vlan, final Vlan to, final int toLink, final String rest)
    {
        return ethernet(0, vlan.scapy) + "IP(src='" + vlan.host(0) + "', dst='" + to.host(toLink) + "'" + rest;
    }

    /**
     * Sends frames and an end mark, and returns the frames to the end of a link that arrived until it had the mark and
     * a number of others, without those of kernels to groups. The mark may overtake tagged frames: the router divides
     * the frames that it receives at once by VLAN, and one without a tag may be the first of them, such as a router
     * solicitation of the host.
     */
    private List<String> sendAndCollect(final int at, final int count, final String... frames)
    {
        ends.forEach(ScapyHost::clear);
        final List<String> all = new ArrayList<>(List.of(frames));
        all.add(fromA(Vlan.NONE, Vlan.NONE, 1, ")/UDP(sport=1, dport=1)/" + END));
        // An answer on link a has left before what was sent after its cause.
        all.add(fromA(Vlan.NONE, Vlan.NONE, 0, ", ttl=9)/UDP(sport=1, dport=1)/" + END));
        ends.get(0).send(all.toArray(new String[0]));
        final String toHost = MACS.replace(":", "") + at;
        final List<String> collected = ends.get(at).collect(END_HEX, count, toHost, PATIENCE);
        assertEnded(collected);
        assertEnded(ends.get(1 - at).collect(END_HEX, PATIENCE));
        return collected.stream().filter(frame -> frame.startsWith(toHost) && !frame.endsWith(END_HEX)).toList();
    }

    private void assertEnded(final List<String> collected)
    {
        assertTrue(collected.stream().anyMatch(frame -> frame.endsWith(END_HEX)),
            () -> "the end mark did not arrive: " + collected + String.join("\n", process.errors()));
    }

    private List<String> await(final int at, final int count, final String prefix)
    {
        final List<String> frames = ends.get(at)
            .receive(count, PATIENCE, "p.original.hex().startswith('" + prefix + "')").stream()
            .map(frame -> HexFormat.of().formatHex(frame.bytes())).toList();
        assertEquals(count, frames.size(), () -> frames + String.join("\n", process.errors()));
        return frames;
    }

    private static String macs(final int link)
    {
        return (MACS + link + ROUTER_MAC + link).replace(":", "");
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,V200", "NONE,QINQ", "V100,NONE", "V100,V200", "V100,QINQ", "V300,V200", "QINQ,NONE", "QINQ,V200",
        "QINQ,QINQ", "NONE,NONE"})
    void shouldRewriteTheTagsOfEveryPair(final Vlan in, final Vlan out)
    {
        final List<String> ipv4 = sendAndCollect(1, 1, fromA(in, out, 1, ", ttl=40)/UDP(sport=7, dport=8)/b'x'"));
        assertEquals(1, ipv4.size(), ipv4::toString);
        assertTrue(ipv4.get(0).startsWith(macs(1) + out.hex + "08004500001d"), ipv4::toString);
        assertEquals("27", ipv4.get(0).substring(macs(1).length() + out.hex.length() + 4 + 16).substring(0, 2));
        final List<String> ipv6 = sendAndCollect(1, 1, ethernet(0, in.scapy) +
            "IPv6(src='" + in.host6(0) + "', dst='" + out.host6(1) + "', hlim=40)/UDP(sport=7, dport=8)/b'x'");
        assertEquals(1, ipv6.size(), ipv6::toString);
        assertTrue(ipv6.get(0).startsWith(macs(1) + out.hex + "86dd60000000" + "0009" + "11" + "27"),
            ipv6::toString);
    }

    @Test
    void shouldForwardBetweenTwoVlansOfOneLink()
    {
        final List<String> seen = sendAndCollect(0, 1, fromA(Vlan.V100, Vlan.QINQ, 0, ")/UDP(sport=7, dport=8)/b'x'"));
        assertEquals(1, seen.size(), seen::toString);
        assertTrue(seen.get(0).startsWith(macs(0) + Vlan.QINQ.hex + "0800"), seen::toString);
    }

    /** Without own VLANs of these tags nothing leaves, whatever the router's kernel does. */
    @ParameterizedTest
    @ValueSource(strings = {
        "Dot1Q(vlan=101)/", "Dot1AD(vlan=100)/", "Dot1Q(vlan=4095)/", "Dot1AD(vlan=10)/Dot1Q(vlan=21)/",
        "Dot1AD(vlan=11)/Dot1Q(vlan=20)/", "Dot1Q(vlan=4095)/Dot1Q(vlan=100)/", "Dot1AD(vlan=10)/"})
    void shouldForwardNoOtherTags(final String tags)
    {
        final Fates before = Fates.read(name);
        // VLAN 10 is an interface without addresses: it forwards like any other.
        final int count = tags.equals("Dot1AD(vlan=10)/") ? 1 : 0;
        final List<String> seen = sendAndCollect(1, count, ethernet(0, tags) +
            "IP(src='10.100.0.2', dst='10.0.1.2')/UDP(sport=7, dport=8)/b'x'");
        assertEquals(count, seen.size(), seen::toString);
        if (device != LabDevice.XDP && seen.isEmpty())
        {
            final String reason = tags.contains("4095") ? "vlan-reserved" : "vlan-unknown";
            final boolean isOuterKnown = tags.startsWith("Dot1AD(vlan=10)/Dot1Q");
            assertEquals(isOuterKnown ? 0 : 1, Fates.read(name).since(before).count(reason));
        }
    }

    @Test
    void shouldCountAPriorityTagAsNone()
    {
        final List<String> seen = sendAndCollect(1, 2,
            ethernet(0, "Dot1Q(vlan=0, prio=3)/") + "IP(src='10.0.0.2', dst='10.0.1.2')/UDP(sport=7, dport=8)/b'x'",
            ethernet(0, "Dot1Q(vlan=0, prio=3)/") + "IPv6(src='2001:db8::2', dst='2001:db8:200:1::2')/UDP()/b'x'");
        assertEquals(2, seen.size(), seen::toString);
        assertTrue(seen.get(0).startsWith(macs(1) + "0800"), seen::toString);
        assertTrue(seen.get(1).startsWith(macs(1) + Vlan.V200.hex + "86dd"), seen::toString);
    }

    /** RFC 1812 section 4.3.2.4: the error has the address of the interface that it leaves by, and its tags. */
    @ParameterizedTest
    @EnumSource(names = {"NONE", "V100", "QINQ"})
    void shouldAnswerWithTheTagsOfTheVlan(final Vlan vlan)
    {
        ends.forEach(ScapyHost::clear);
        ends.get(0).send(fromA(vlan, Vlan.NONE, 1, ", ttl=1)/UDP(sport=7, dport=8)/b'x'"));
        final List<String> seen = await(0, 1, macs(0) + vlan.hex + "0800");
        final String packet = seen.get(0).substring(macs(0).length() + vlan.hex.length() + 4);
        assertEquals(String.format("0a%02x0001", vlan.net), packet.substring(24, 32));
        assertEquals("0b00", packet.substring(40, 44));
    }

    /** RFC 1191, RFC 4443 section 3.2: the MTU is that of the IP packet, tags do not count. */
    @Test
    void shouldKeepToTheMtuOfTheVlan()
    {
        final String packet = "IP(src='10.200.1.2', dst='10.30.0.2', flags='%s')/UDP(sport=7, dport=8)/(b'x' * %d)";
        final String fits = ethernet(1, Vlan.V200.scapy) + String.format(packet, "DF", NARROW - 28);
        final String tooBig = ethernet(1, Vlan.V200.scapy) + String.format(packet, "DF", NARROW - 27);
        final String cut = ethernet(1, Vlan.V200.scapy) + String.format(packet, "", NARROW - 27);
        final String tooBig6 = ethernet(1, Vlan.V200.scapy) + "IPv6(src='2001:db8:200:1::2', " +
            "dst='2001:db8:30:0::2')/UDP(sport=7, dport=8)/(b'x' * " + (NARROW - 47) + ")";
        ends.forEach(ScapyHost::clear);
        ends.get(1).send(fits, tooBig, cut, tooBig6);
        final List<String> atA = await(0, 3, macs(0) + Vlan.V300.hex);
        assertEquals(2 * (14 + 4 + NARROW), atA.get(0).length());
        assertTrue(atA.get(1).substring(macs(0).length() + 8 + 4 + 12).startsWith("2000"), "the first fragment");
        final List<String> atB = await(1, 2, macs(1) + Vlan.V200.hex);
        final String error = atB.get(0).substring(macs(1).length() + 8 + 4);
        assertEquals("0304", error.substring(40, 44));
        assertEquals(String.format("%04x", NARROW), error.substring(52, 56));
        final String error6 = atB.get(1).substring(macs(1).length() + 8 + 4);
        assertEquals("0200", error6.substring(80, 84));
        assertEquals(String.format("%08x", NARROW), error6.substring(88, 96));
    }

    @Test
    void shouldTakeTheLongestFrame()
    {
        final List<String> seen = sendAndCollect(1, 1,
            fromA(Vlan.V100, Vlan.V200, 1, ")/UDP(sport=7, dport=8)/(b'x' * 1472)"));
        assertEquals(1, seen.size(), seen::toString);
        assertEquals(2 * (14 + 4 + 1500), seen.get(0).length());
        assertTrue(seen.get(0).startsWith(macs(1) + Vlan.V200.hex + "0800450005dc"), seen::toString);
    }

    @Test
    void shouldReportVlans()
    {
        final JsonNode before = vlan("servers");
        sendAndCollect(1, 1, fromA(Vlan.V100, Vlan.V200, 1, ")/UDP(sport=7, dport=8)/b'x'"));
        final JsonNode servers = vlan("servers");
        assertEquals("right", servers.get("port").asText());
        assertEquals("802.1q", servers.get("protocol").asText());
        assertEquals(200, servers.get("id").asInt());
        assertEquals(1500, servers.get("mtu").asInt());
        assertEquals(before.get("txFrames").asLong() + 1, servers.get("txFrames").asLong());
        assertEquals(before.get("txBytes").asLong() + 14 + 20 + 8 + 1, servers.get("txBytes").asLong());
        final JsonNode inner = vlan("left.10.20");
        assertEquals(10, inner.get("outer").asInt());
        assertEquals("802.1ad", inner.get("outerProtocol").asText());
        assertEquals(20, inner.get("id").asInt());
        assertEquals(1496, inner.get("mtu").asInt());
        final JsonNode lookup = CommandLineOutput.json("lookup", "10.200.1.2", "--name", name);
        assertEquals("servers", lookup.get("port").asText());
        final String routes = CommandLineOutput.of("show", "routes", "--json", "--name", name);
        assertTrue(routes.contains("\"left.100\"") && routes.contains("\"left.10.20\""), routes);
        assertTrue(CommandLineOutput.of("show", "neighbors", "--name", name).contains("servers"));
        assertTrue(CommandLineOutput.of("show", "ports", "--name", name).contains("servers"));
        assertTrue(CommandLineOutput.json("verify", "--name", name).get("equal").asBoolean());
    }

    private JsonNode vlan(final String vlan)
    {
        return StreamSupport.stream(
            CommandLineOutput.json("show", "ports", "--name", name).get("vlans").spliterator(), false)
            .filter(row -> row.get("name").asText().equals(vlan)).findFirst().orElseThrow();
    }
}
