package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.Require;
import org.fibnuma.core.netns.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** DPDK's driver of a card with several queues: Intel 82576 by uio_pci_generic, two workers, RSS over two queues. */
class IgbDpdkSystemTest
{
    private static final int FRAMES = 10_000;

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void shouldForwardEveryLengthExactlyFromTwoQueues()
    {
        Require.program("dpdk-testpmd", "dpdk");
        try (Guest guest = Guest.boot(
            new GuestNic("n0", GuestNic.Model.IGB, 2), new GuestNic("n1", GuestNic.Model.IGB, 2));
            Host left = Host.open("left"); Host right = Host.open("right"))
        {
            guest.giveToDpdk("n0", "n1");
            connect(guest, "n0", left, "10.0.0.");
            connect(guest, "n1", right, "10.0.1.");
            final GuestProcess router = guest.startRouter(String.join("\n",
                "[router]", "cores = []", "workers = 2", "rx-ring-size = 256", "tx-ring-size = 256",
                "[[port]]", "name = \"left\"", "device = \"dpdk:" + guest.pciAddress("n0") + "\"",
                "[[port]]", "name = \"right\"", "device = \"dpdk:" + guest.pciAddress("n1") + "\"", ""));
            router.awaitText("net_e1000_igb", Guest.PATIENCE);
            guest.run("ip address add 10.0.0.1/24 dev left && ip address add 10.0.1.1/24 dev right");
            // A card negotiates its link for some seconds after it was started.
            left.run("ping", "-n", "-c", "3", "-w", "50", "10.0.1.2");
            right.run("ping", "-n", "-c", "3", "-w", "50", "10.0.0.2");

            final JsonNode seen = GuestTraffic.exchange(
                left, guest.macAddress("n0"), right, guest.macAddress("n1"), FRAMES, 1514);

            for (final JsonNode way : seen.get("ways"))
            {
                assertEquals(FRAMES, way.get("exact").asInt(), () -> seen + "\n" + String.join("\n", router.output()));
                assertEquals(0, way.get("duplicate").asInt(), seen::toString);
            }
        }
    }

    private static void connect(final Guest guest, final String card, final Host host, final String network)
    {
        guest.connect(card, host, "h0");
        host.address("h0", network + "2/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }
}
