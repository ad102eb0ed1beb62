package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.nic.GuestNic.Model;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The router over AF_XDP on real drivers in a guest, at its default frame size: every packet of every length arrives
 * exactly as it must, and TCP passes in both directions at default offloads. When the router ends by SIGTERM or
 * SIGKILL, the kernel forwards. One guest has all cards. Cases beyond {@link #SHORT}, and more frames, are used with
 * {@code -Dfibnuma.nic.all=true}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealDriverSystemTest
{
    private static final boolean ALL = Boolean.getBoolean("fibnuma.nic.all");
    private static final int ETHERNET_HEADER = 14;
    private static final int MTU = 1500;
    /** Each length once; an emulated card takes a minute for 10,000 in each direction. */
    private static final int FRAMES = ALL ? 10_000 : MTU + ETHERNET_HEADER - GuestTraffic.SHORTEST + 1;
    /** More than the buffers of igb hold: the driver then refuses a native program. */
    private static final int MTU_WITHOUT_NATIVE = 3400;

    private static final List<Case> SHORT = List.of(
        new Case("igb", 2, "", "zero-copy, native", MTU));
    private static final List<Case> LONG = List.of(
        new Case("igb", 1, "", "zero-copy, native", MTU),
        new Case("igb", 1, "zero-copy = false", "copy, native", MTU),
        new Case("igb", 2, "zero-copy = false", "copy, native", MTU),
        new Case("igb", 1, "zero-copy = false", "copy, generic", MTU_WITHOUT_NATIVE),
        new Case("virtio", 1, "", "copy, native", MTU),
        new Case("virtio", 2, "", "copy, native", MTU),
        new Case("e1000", 1, "", "copy, generic", MTU));

    /** Packets of a stream that arrive before the router is ended, and after it has ended. */
    private static final int PACKETS_BEFORE = 500;
    private static final int PACKETS_AFTER = 500;
    /** Exit status of a process that signal 9 has ended. */
    private static final int SIGKILLED = 128 + 9;

    private Guest guest;
    private final List<Host> hosts = new ArrayList<>();

    /**
     * What is tried.
     *
     * @param cards    prefix of the names of both cards.
     * @param workers  of the router, and pairs of queues of the cards.
     * @param settings lines for the router.
     * @param mode     that the router must report.
     * @param mtu      of all devices.
     */
    private record Case(String cards, int workers, String settings, String mode, int mtu)
    {
    }

    private static Stream<Case> cases()
    {
        return ALL ? Stream.concat(LONG.stream(), SHORT.stream()) : SHORT.stream();
    }

    private static Stream<Case> killed()
    {
        return ALL ? cases().filter(tried -> tried.workers() == 2 || tried.cards().equals("e1000")) :
            SHORT.stream().limit(1);
    }

    @BeforeAll
    void boot()
    {
        Require.program("iperf3", "iperf3");
        Require.program("tcpdump", "tcpdump");
        guest = Guest.boot(
            new GuestNic("igb0", Model.IGB, 1), new GuestNic("igb1", Model.IGB, 1),
            new GuestNic("virtio0", Model.VIRTIO, 1), new GuestNic("virtio1", Model.VIRTIO, 1),
            new GuestNic("e10000", Model.E1000, 1), new GuestNic("e10001", Model.E1000, 1));
    }

    @AfterAll
    void end()
    {
        hosts.forEach(Host::close);
        if (guest != null)
        {
            guest.close();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void shouldForwardEveryLengthExactlyAndTcp(final Case tried)
    {
        final String left = tried.cards() + "0";
        final String right = tried.cards() + "1";
        final Host leftHost = connected(left, "10.0.0.", tried.mtu());
        final Host rightHost = connected(right, "10.0.1.", tried.mtu());
        setUp(tried);
        final GuestProcess router = guest.startRouter(config(tried));
        try
        {
            router.awaitText("xdp:" + left + ", " + tried.mode(), Guest.PATIENCE);
            assertEquals(tried.cards().equals("virtio"), router.output().stream().anyMatch(line ->
                line.contains("no zero-copy: with virtio_net as a module")), () -> String.join("\n", router.output()));
            assertTrue(ping(leftHost).contains(" ttl=63 "), () -> String.join("\n", router.output()));
            final JsonNode seen = GuestTraffic.exchange(leftHost, guest.macAddress(left),
                rightHost, guest.macAddress(right), FRAMES, tried.mtu() + ETHERNET_HEADER);
            for (final JsonNode way : seen.get("ways"))
            {
                assertEquals(FRAMES, way.get("exact").asInt(), () -> tried + "\n" + seen + "\n" +
                    guest.fibnuma("show", "drops") + "\n" + guest.fibnuma("show", "ports") + "\n" +
                    String.join("\n", router.output()));
                assertEquals(0, way.get("duplicate").asInt(), seen::toString);
            }
            System.out.printf("%s: exact; TCP %s%n", tried, GuestTraffic.tcp(leftHost, rightHost));
            final String gaps = leave(tried, router, "TERM");
            assertEquals(0, router.awaitExit(Guest.PATIENCE));
            System.out.printf("%s, SIGTERM: %s; %s%n", tried, gaps, router.output().stream()
                .filter(line -> line.contains("has released its ports")).findFirst().orElseThrow());
        }
        finally
        {
            tearDown(tried, router);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("killed")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void shouldLeaveThePortsToTheKernelWhenKilled(final Case tried)
    {
        setUp(tried);
        final GuestProcess router = guest.startRouter(config(tried));
        try
        {
            System.out.printf("%s, SIGKILL: %s%n", tried, leave(tried, router, "KILL"));
            assertEquals(SIGKILLED, router.awaitExit(Guest.PATIENCE));
        }
        finally
        {
            tearDown(tried, router);
        }
    }

    /** Ends a router that forwards and waits until the kernel forwards in its place. */
    private String leave(final Case tried, final GuestProcess router, final String signal)
    {
        final Host leftHost = connected(tried.cards() + "0", "10.0.0.", tried.mtu());
        final Host rightHost = connected(tried.cards() + "1", "10.0.1.", tried.mtu());
        final int pid = router.pid();
        assertTrue(ping(leftHost).contains(" ttl=63 "), () -> String.join("\n", router.output()));
        try (GuestStream stream = GuestStream.start(leftHost, guest.macAddress(tried.cards() + "0"), rightHost))
        {
            stream.await(PACKETS_BEFORE);
            final int before = stream.arrived();
            // The process has ended, and no card has a program: what still arrives was forwarded by the kernel.
            guest.run("kill -" + signal + " " + pid + "; while [ -e /proc/" + pid + " ]; do sleep 0.1; done; " +
                "while ip link show | grep xdp; do sleep 0.1; done");
            stream.await(PACKETS_AFTER);
            assertTrue(ping(leftHost).contains(" ttl=63 "), "the kernel does not forward");
            return "longest gap " + stream.longestGapMs(before - 1, stream.arrived()) + " ms, while the router " +
                "forwarded " + stream.longestGapMs(0, before) + " ms";
        }
    }

    private void setUp(final Case tried)
    {
        for (final String card : List.of(tried.cards() + "0", tried.cards() + "1"))
        {
            guest.run((tried.cards().equals("e1000") ? "" : "ethtool -L " + card + " combined " + tried.workers() +
                " || [ $? = 80 ]; ") + "ip link set " + card + " mtu " + tried.mtu() + " up");
        }
        guest.run("ip address replace 10.0.0.1/24 dev " + tried.cards() + "0 && ip address replace 10.0.1.1/24 dev " +
            tried.cards() + "1");
    }

    private static String config(final Case tried)
    {
        return String.join("\n",
            "[router]", "cores = []", "workers = " + tried.workers(), tried.settings(),
            "[[port]]", "name = \"left\"", "device = \"xdp:" + tried.cards() + "0\"",
            "[[port]]", "name = \"right\"", "device = \"xdp:" + tried.cards() + "1\"", "");
    }

    private void tearDown(final Case tried, final GuestProcess router)
    {
        if (!router.hasEnded())
        {
            router.signal("TERM");
            router.awaitExit(Guest.PATIENCE);
        }
        guest.run("ip address flush dev " + tried.cards() + "0; ip address flush dev " + tried.cards() + "1");
    }

    @Tag("slow")
    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void shouldRefuseAFrameSizeWithWhichTheDriverLosesPackets()
    {
        guest.run("ethtool -L igb0 combined 1 || [ $? = 80 ]; ip link set igb0 mtu " + MTU + " up");
        final GuestProcess router = guest.launchRouter(String.join("\n",
            "[router]", "cores = []", "frame-size = 2048", "[[port]]", "name = \"left\"", "device = \"xdp:igb0\"", ""));

        assertEquals(1, router.awaitExit(Guest.PATIENCE));
        assertTrue(router.output().stream().anyMatch(line -> line.contains("the zero-copy mode of igb receives only " +
            "1024 bytes into a frame of 2048") && line.contains("set frame-size = 4096, or zero-copy = false")),
            () -> String.join("\n", router.output()));
    }

    private Host connected(final String card, final String network, final int mtu)
    {
        final Host known = hosts.stream().filter(host -> host.toString().equals(card)).findFirst().orElse(null);
        final Host host = known == null ? Host.open(card) : known;
        if (known == null)
        {
            hosts.add(host);
            GuestTraffic.connect(guest, card, host, network);
        }
        host.run("ip", "link", "set", "h0", "mtu", Integer.toString(mtu));
        return host;
    }

    /** Resolves both hosts' addresses; a card may have been reset a moment ago. */
    private static String ping(final Host from)
    {
        return from.run("sh", "-c", "ping -n -c 3 -w 30 10.0.1.2; true");
    }
}
