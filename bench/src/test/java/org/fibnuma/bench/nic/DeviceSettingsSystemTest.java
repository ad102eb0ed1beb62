package org.fibnuma.bench.nic;

import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What cards do to frames before XDP, their numbers of queues and their modes, on the drivers igb and virtio_net in a
 * guest: VLAN tags stay in frames, queues without a worker are reported, and a mode that works is found and explained.
 */
@Tag("slow")
class DeviceSettingsSystemTest
{
    private static final int FRAMES = 60;
    /** Sends UDP to 10.0.1.2 by the router, as often without a tag as with one of VLAN 100; the tags are in band. */
    private static final String SEND = String.join("\n",
        "import sys",
        "from scapy.all import Dot1Q, Ether, IP, Raw, UDP, conf",
        "socket = conf.L2socket(iface='h0')",
        "for i in range(" + FRAMES + "):",
        "    for tags, port in ((None, 4000), (Dot1Q(vlan=100), 4001)):",
        "        link = Ether(dst='%s') if tags is None else Ether(dst='%s') / tags",
        "        socket.send(link / IP(src='10.0.0.2', dst='10.0.1.2') / UDP(sport=9, dport=port) / Raw(b'x' * 100))",
        "");
    /** Counts what arrives at the right host by its port; its kernel answers ARP. */
    private static final String COUNT = String.join("\n",
        "import select, socket, time",
        "sockets = []",
        "for port in (4000, 4001):",
        "    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "    s.bind(('', port))",
        "    sockets.append(s)",
        "print('counting', flush=True)",
        "seen = [0, 0]",
        "quiet = time.time() + 60",
        "while time.time() < quiet:",
        "    for s in select.select(sockets, [], [], 0.2)[0]:",
        "        s.recv(2048)",
        "        seen[sockets.index(s)] += 1",
        "        quiet = time.time() + (2 if seen[0] == " + FRAMES + " else 10)",
        "print('untagged %d tagged %d' % tuple(seen), flush=True)",
        "");

    private static final String CONFIG = String.join("\n", "[router]", "cores = []",
        "[[port]]", "name = \"left\"", "device = \"xdp:igb0\"",
        "[[port]]", "name = \"right\"", "device = \"xdp:igb1\"", "");

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void shouldKeepVlanTagsReportQueuesAndExplainModes()
    {
        Require.program("ethtool", "ethtool");
        try (Guest guest = Guest.boot(new GuestNic("igb0", GuestNic.Model.IGB, 1),
            new GuestNic("igb1", GuestNic.Model.IGB, 1),
            new GuestNic("fixed0", GuestNic.Model.VIRTIO_FIXED_OFFLOADS, 1));
            Host left = Host.open("left"); Host right = Host.open("right"))
        {
            GuestTraffic.connect(guest, "igb0", left, "10.0.0.");
            GuestTraffic.connect(guest, "igb1", right, "10.0.1.");
            guest.run("ip address add 10.0.0.1/24 dev igb0 && ip address add 10.0.1.1/24 dev igb1");
            guest.run("ip link set igb0 up && ip link set igb1 up");
            assertTrue(removesVlanTags(guest), "nothing to switch off");
            final GuestProcess router = guest.startRouter(CONFIG);
            router.awaitText("xdp:igb0, zero-copy, native", Guest.PATIENCE);
            final String pinged = left.run("sh", "-c", "ping -n -c 3 -w 30 10.0.1.2; true");
            assertTrue(pinged.contains(" ttl=63 "), () -> pinged + String.join("\n", router.output()));

            assertEquals("untagged " + FRAMES + " tagged 0", exchange(left, right, guest.macAddress("igb0")));

            guest.run("ethtool -L igb0 combined 2");
            router.awaitText("port left (xdp:igb0): unserved-queues=1", Guest.PATIENCE);
            guest.run("ethtool -L igb0 combined 1");
            router.awaitText("port left (xdp:igb0): every receive queue has a worker again", Guest.PATIENCE);

            router.signal("TERM");
            router.awaitExit(Guest.PATIENCE);
            assertTrue(removesVlanTags(guest), "the setting is not restored");

            shouldUseCopiesInGenericMode(guest, left);
            shouldRefuseMergedSegments(guest);
        }
    }

    /** With this MTU igb has zero-copy sockets, but no native program. */
    private static void shouldUseCopiesInGenericMode(final Guest guest, final Host left)
    {
        guest.run("ip link set igb0 mtu 3400 && ip link set igb1 mtu 3400");
        final GuestProcess router = guest.startRouter(CONFIG);
        router.awaitText("xdp:igb0, copy, generic", Guest.PATIENCE);
        router.awaitText("port left: no native program: EINVAL (Invalid argument): igb: ", Guest.PATIENCE);
        final String pinged = left.run("sh", "-c", "ping -n -c 3 -w 30 10.0.1.2; true");
        assertTrue(pinged.contains(" ttl=63 "), () -> pinged + String.join("\n", router.output()));
        router.signal("TERM");
        router.awaitExit(Guest.PATIENCE);
    }

    private static void shouldRefuseMergedSegments(final Guest guest)
    {
        guest.run("ip link set fixed0 up");
        final GuestProcess router = guest.launchRouter(String.join("\n",
            "[router]", "cores = []", "[[port]]", "name = \"left\"", "device = \"xdp:fixed0\"", ""));

        assertEquals(1, router.awaitExit(Guest.PATIENCE));
        assertTrue(router.output().stream().anyMatch(line -> line.contains("in generic mode TCP segments that the " +
            "card merges are lost") && line.contains("rx-gro-hw of fixed0 is fixed")),
            () -> String.join("\n", router.output()));
    }

    private static boolean removesVlanTags(final Guest guest)
    {
        return guest.run("ethtool -k igb0").contains("rx-vlan-offload: on");
    }

    private static String exchange(final Host left, final Host right, final String mac)
    {
        try (var counting = right.start("/usr/bin/python3", "-c", COUNT))
        {
            counting.awaitLine("counting"::equals, Guest.PATIENCE);
            left.run("/usr/bin/python3", "-c", SEND.replace("%s", mac));
            return counting.awaitLine(line -> line.startsWith("untagged"), Guest.PATIENCE);
        }
    }
}
