package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.config.RouterConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The kernel's VLAN interfaces in a guest: the router forwards between VLANs of one cable over AF_XDP, and between a
 * port and VLANs of another that was added while it runs. The guest's kernel answers ARP and pings to its VLAN
 * addresses, and interfaces come, change and go while the router runs.
 */
@Tag("slow")
class VlanGuestSystemTest
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VLAN_100 = "81000064";
    private static final String VLAN_200 = "810000c8";
    private static final String VLAN_300 = "8100012c";
    private static final String QINQ = "88a8000a81000014";
    private static final String CONFIG = String.join("\n", "[router]", "cores = []",
        "[[port]]", "name = \"trunk\"", "device = \"xdp:igb0\"", "vlan-pcp = 0", "");
    private static final String TRUNK = "trunk";
    private static final String ADDED_CONFIG = String.join("\n", "[router]", "cores = []", "spare-ports = 1",
        "[[port]]", "name = \"plain\"", "device = \"xdp:igb0\"", "");

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldRouteBetweenTheKernelsVlansOfOneCable() throws IOException
    {
        GuestControl.require();
        try (Guest guest = Guest.boot(new GuestNic("igb0", GuestNic.Model.IGB, 1), GuestControl.CARD);
            GuestControl control = control(guest);
            Host host = Host.open("trunk"))
        {
            guest.connect("igb0", host, "h0");
            guest.run("ip link set igb0 up && ip address add 10.0.0.1/24 dev igb0");
            addVlan(guest, "igb0", "igb0.100", "id 100", "10.100.0.1/24");
            addVlan(guest, "igb0", "igb0.200", "id 200", "10.200.0.1/24");
            final GuestProcess router = guest.startRouter(CONFIG);
            router.awaitText("VLAN interface igb0.200: IPv4 by the router", Guest.PATIENCE);
            final Path script = script();
            try (ChildProcess peer = host.start(
                "/usr/bin/python3", script.toString(), "h0", guest.macAddress("igb0")))
            {
                peer.awaitLine("peering"::equals, Guest.PATIENCE);
                shouldLeaveOwnAddressesToTheKernel(guest, peer);
                ask(peer, "ping " + VLAN_100 + " 10.100.0.2 10.200.0.2", "reply " + VLAN_100 + " 10.200.0.2 63");
                ask(peer, "ping - 10.0.0.2 10.200.0.2", "reply - 10.200.0.2 63");
                shouldFollowInterfacesThatComeAndGo(guest, control, router, peer);
            }
            router.signal("TERM");
            assertEquals(0, router.awaitExit(Guest.PATIENCE));
        }
    }

    /** A VLAN that the kernel had before the port was added, and one made later; then the port leaves and is back. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldRouteBetweenAPortAndVlansOfAnAddedOne() throws IOException
    {
        GuestControl.require();
        try (Guest guest = Guest.boot(new GuestNic("igb0", GuestNic.Model.IGB, 1),
                new GuestNic("igb1", GuestNic.Model.IGB, 1), new GuestNic("igb2", GuestNic.Model.IGB, 1),
                GuestControl.CARD);
            GuestControl control = control(guest);
            Host plain = Host.open("plain");
            Host trunk = Host.open("trunk"))
        {
            guest.connect("igb0", plain, "h0");
            guest.connect("igb1", trunk, "h0");
            guest.run("ip link set igb0 up && ip address add 10.0.0.1/24 dev igb0");
            guest.run("ip link set igb1 up && ip link set igb2 up");
            addVlan(guest, "igb1", "igb1.100", "id 100", "10.100.0.1/24");
            final GuestProcess router = guest.startRouter(ADDED_CONFIG);
            final Path script = script();
            try (ChildProcess left = plain.start(
                    "/usr/bin/python3", script.toString(), "h0", guest.macAddress("igb0"));
                ChildProcess right = trunk.start(
                    "/usr/bin/python3", script.toString(), "h0", guest.macAddress("igb1")))
            {
                left.awaitLine("peering"::equals, Guest.PATIENCE);
                right.awaitLine("peering"::equals, Guest.PATIENCE);
                changePort(control, "add", TRUNK + "=xdp:igb1", "port trunk (xdp:igb1): added");
                assertRoutes(guest, control, left, right, "igb1.100", VLAN_100, "10.100.0.2");
                addVlan(guest, "igb1", "igb1.200", "id 200", "10.200.0.1/24");
                router.awaitText("VLAN interface igb1.200: IPv4 by the router", Guest.PATIENCE);
                assertRoutes(guest, control, left, right, "igb1.200", VLAN_200, "10.200.0.2");
                leaveToTheKernel(guest, control, left);
                changePort(control, "add", TRUNK + "=xdp:igb1", "port trunk (xdp:igb1): added");
                assertRoutes(guest, control, left, right, "igb1.100", VLAN_100, "10.100.0.2");
            }
            router.signal("TERM");
            assertEquals(0, router.awaitExit(Guest.PATIENCE));
        }
    }

    /** The VLANs go with the port, also when another port gets its place; the kernel forwards for them. */
    private static void leaveToTheKernel(final Guest guest, final GuestControl control, final ChildProcess left)
        throws IOException
    {
        changePort(control, "remove", TRUNK, "port trunk (xdp:igb1): removed");
        assertEquals(Map.of(), vlans(control));
        final long byKernel = forwardedByKernel(guest);
        ask(left, "ping - 10.0.0.2 10.100.0.2", "reply - 10.100.0.2 63");
        assertTrue(forwardedByKernel(guest) >= byKernel + 2);
        changePort(control, "add", "other=xdp:igb2", "port other (xdp:igb2): added");
        assertEquals(Map.of(), vlans(control), "of the port that had the place before");
        ask(left, "ping - 10.0.0.2 10.200.0.2", "reply - 10.200.0.2 63");
        changePort(control, "remove", "other", "port other (xdp:igb2): removed");
    }

    private static void changePort(
        final GuestControl control, final String what, final String port, final String answer)
    {
        final String output = control.run("port", what, port);
        assertTrue(output.lines().anyMatch(answer::equals), output);
    }

    /** Asserts that the router, not the kernel, forwards between the untagged host and one in a VLAN that is new. */
    private static void assertRoutes(final Guest guest, final GuestControl control, final ChildProcess left,
        final ChildProcess right, final String vlan, final String tags, final String address) throws IOException
    {
        final long byKernel = forwardedByKernel(guest);
        ask(right, "ping " + tags + " " + address + " 10.0.0.2", "reply " + tags + " 10.0.0.2 63");
        ask(left, "ping - 10.0.0.2 " + address, "reply - " + address + " 63");
        // A late reply to an earlier ping can have been taken for that of this one.
        final long deadlineNs = System.nanoTime() + Guest.PATIENCE.toNanos();
        JsonNode row = vlans(control).get(vlan);
        while (frames(row, "rx") < 2 || frames(row, "tx") < 2)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, vlan + " " + row);
            row = vlans(control).get(vlan);
        }
        assertEquals("router", row.get("forwarding").asText());
        assertEquals(TRUNK, row.get("port").asText());
        assertEquals(byKernel, forwardedByKernel(guest));
    }

    private static long frames(final JsonNode vlan, final String direction)
    {
        return vlan.get(direction + "Frames").asLong();
    }

    /** Returns the IPv4 packets that the guest's kernel has forwarded. */
    private static long forwardedByKernel(final Guest guest)
    {
        final List<String> rows = guest.run("cat /proc/net/snmp").lines().filter(row -> row.startsWith("Ip:")).toList();
        return Long.parseLong(rows.get(1).split(" ")[List.of(rows.get(0).split(" ")).indexOf("ForwDatagrams")]);
    }

    private static void shouldLeaveOwnAddressesToTheKernel(final Guest guest, final ChildProcess peer)
    {
        ask(peer, "arp " + VLAN_100 + " 10.100.0.2 10.100.0.1",
            "arp " + VLAN_100 + " 10.100.0.1 " + guest.macAddress("igb0"));
        ask(peer, "ping " + VLAN_100 + " 10.100.0.2 10.100.0.1", "reply " + VLAN_100 + " 10.100.0.1 64");
        ask(peer, "ping " + VLAN_100 + " 10.100.0.2 10.200.0.1", "reply " + VLAN_100 + " 10.200.0.1 64");
    }

    private static void shouldFollowInterfacesThatComeAndGo(
        final Guest guest, final GuestControl control, final GuestProcess router, final ChildProcess peer)
        throws IOException
    {
        addVlan(guest, "igb0", "igb0.300", "id 300", "10.30.0.1/24");
        addVlan(guest, "igb0", "igb0.10", "proto 802.1ad id 10", "10.10.0.1/24");
        addVlan(guest, "igb0.10", "inner", "id 20", "10.20.0.1/24");
        router.awaitText("VLAN interface igb0.300: IPv4 by the router", Guest.PATIENCE);
        router.awaitText("VLAN interface inner: IPv4 by the router", Guest.PATIENCE);
        ask(peer, "ping " + VLAN_300 + " 10.30.0.2 10.20.0.2", "reply " + VLAN_300 + " 10.20.0.2 63");
        ask(peer, "ping " + QINQ + " 10.20.0.2 10.100.0.2", "reply " + QINQ + " 10.100.0.2 63");
        guest.run("echo 0 >/proc/sys/net/ipv4/conf/igb0.300/forwarding");
        router.awaitText("VLAN interface igb0.300: IPv4 by the kernel", Guest.PATIENCE);
        final Map<String, JsonNode> before = vlans(control);
        assertEquals(10, before.get("inner").get("outer").asInt());
        assertTrue(before.get("igb0.100").get("rxFrames").asLong() > 0, before::toString);
        assertTrue(before.get("igb0.100").get("txFrames").asLong() > 0, before::toString);
        assertTrue(before.get("igb0.200").get("txFrames").asLong() > 0, before::toString);
        assertTrue(before.get("inner").get("txFrames").asLong() > 0, before::toString);
        assertTrue(before.get("igb0.300").get("rxFrames").asLong() > 0, before::toString);
        assertEquals("kernel", before.get("igb0.300").get("forwarding").asText());
        guest.run("ip link delete igb0.300");
        ask(peer, "ping " + VLAN_200 + " 10.200.0.2 10.20.0.2", "reply " + VLAN_200 + " 10.20.0.2 63");
        assertEquals(Set.of("igb0.100", "igb0.200", "igb0.10", "inner"), vlans(control).keySet());
    }

    private static GuestControl control(final Guest guest)
    {
        return GuestControl.open(guest, RouterConfig.DEFAULT_NAME, "vlan-guest-" + ProcessHandle.current().pid());
    }

    private static void addVlan(
        final Guest guest, final String lower, final String name, final String vlan, final String address)
    {
        guest.run("ip link add link " + lower + " name " + name + " type vlan " + vlan + " && ip link set " + name +
            " up && ip address add " + address + " dev " + name);
    }

    private static void ask(final ChildProcess peer, final String question, final String answer)
    {
        peer.send(question);
        peer.awaitLine(answer::equals, Guest.PATIENCE);
    }

    /** The VLANs that the router reports, by name. */
    private static Map<String, JsonNode> vlans(final GuestControl control) throws IOException
    {
        final Map<String, JsonNode> vlans = new HashMap<>();
        JSON.readTree(control.run("show", "ports", "--json")).get("vlans")
            .forEach(row -> vlans.put(row.get("name").asText(), row));
        return vlans;
    }

    private static Path script() throws IOException
    {
        final Path file = Files.createTempFile("fibnuma-vlan-peer-", ".py");
        file.toFile().deleteOnExit();
        try (InputStream resource = VlanGuestSystemTest.class.getResourceAsStream("/qemu/vlan-peer.py"))
        {
            Files.write(file, resource.readAllBytes());
        }
        return file;
    }
}
