package org.fibnuma.bench.nic;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A driver of real network cards: a virtual machine, whose processor is emulated in software, has two Intel 82540EM.
 * Its router has them from DPDK's e1000 driver by uio_pci_generic; its kernel has an interface for each. The hosts are
 * outside, at the other ends of the cards' cables. The guest's files are this machine's, read-only.
 * <pre>
 *  left 10.0.0.2 h0 == [ e1000 router e1000 ] == h0 10.0.1.2 right
 *                       10.0.0.1  10.0.1.1
 * </pre>
 */
@Tag("slow")
class E1000SystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String CONFIG = String.join("\n",
        "[router]",
        "name = \"guest\"",
        "cores = []",
        "rx-ring-size = 256",
        "tx-ring-size = 256",
        "[[port]]",
        "name = \"left\"",
        "device = \"dpdk:%s\"",
        "[[port]]",
        "name = \"right\"",
        "device = \"dpdk:%s\"",
        "[pfc]",
        "lossless = [3]",
        "speed = \"1G\"",
        "mac = \"pause\"",
        "[[pfc.port]]",
        "name = \"right\"",
        "mac = \"pfc\"",
        "");

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void shouldRouteBetweenCardsWithARealDriverAndFollowTheirLinks(final TestReporter reporter)
    {
        Require.program("ping", "iputils-ping");
        Require.program("dpdk-testpmd", "dpdk");
        final long start = System.nanoTime();
        try (Guest guest = Guest.boot(new GuestNic("n0", GuestNic.Model.E1000, 1),
            new GuestNic("n1", GuestNic.Model.E1000, 1));
            Host left = Host.open("left"); Host right = Host.open("right"))
        {
            final List<String> cards = List.of(guest.pciAddress("n0"), guest.pciAddress("n1"));
            guest.giveToDpdk("n0", "n1");
            GuestTraffic.connect(guest, "n0", left, "10.0.0.");
            GuestTraffic.connect(guest, "n1", right, "10.0.1.");
            final GuestProcess router = guest.startRouter(String.format(CONFIG, cards.get(0), cards.get(1)));
            router.awaitText("net_e1000_em", PATIENCE);
            guest.run("ip address add 10.0.0.1/24 dev left && ip address add 10.0.1.1/24 dev right");
            reporter.publishEntry("seconds to a router that is ready", seconds(start));
            // The card does 802.3's PAUSE, and knows no priorities.
            router.awaitText("port left: PAUSE for the whole link is sent and obeyed by the device", PATIENCE);
            router.awaitText("port right: PFC for priority 3 by the device is not possible", PATIENCE);
            // A card negotiates its link for about a second after it was started, and again when it gets flow control.
            GuestTraffic.awaitPing(left, "10.0.1.2", " ttl=63 ");
            GuestTraffic.awaitPing(right, "10.0.0.2", " ttl=63 ");

            assertPings(left, "10.0.0.1", " ttl=64 ");
            assertPings(left, "10.0.1.2", " ttl=63 ");
            assertPings(right, "10.0.0.2", " ttl=63 ");
            assertPings(right, "10.0.0.1", " ttl=64 ");

            guest.link("n0", false);
            GuestTraffic.awaitPing(right, "10.0.0.2", "From 10.0.1.1 icmp_seq=1 Destination Host Unreachable");
            guest.link("n0", true);
            GuestTraffic.awaitPing(right, "10.0.0.2", " ttl=63 ");
            reporter.publishEntry("seconds in all", seconds(start));
        }
    }

    private static String seconds(final long start)
    {
        return String.format("%.1f", (System.nanoTime() - start) / 1e9);
    }

    /** Ten of ten, but for one that the link's or ARP's first moment may cost. */
    private static void assertPings(final Host from, final String address, final String ttl)
    {
        String output;
        try
        {
            output = from.run("ping", "-n", "-c", "10", "-i", "0.2", "-W", "3", address);
        }
        catch (final UserException ex)
        {
            output = ex.getMessage();
        }
        final String seen = output;
        assertTrue(seen.contains(" 10 received") || seen.contains(" 9 received"), seen);
        assertTrue(seen.contains(ttl), seen);
    }
}
