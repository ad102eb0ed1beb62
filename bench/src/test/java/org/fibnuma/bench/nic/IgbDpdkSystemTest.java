package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * DPDK's igb driver on two emulated Intel 82576 by uio_pci_generic, with a pair of queues of each card for each of two
 * workers: every packet of every length arrives exactly as it must in both directions, and RSS uses both queues of both
 * cards.
 * <pre>
 *  left 10.0.0.2 h0 == [ igb router igb ] == h0 10.0.1.2 right
 *                     10.0.0.1  10.0.1.1
 * </pre>
 */
@Tag("slow")
class IgbDpdkSystemTest
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int WORKERS = 2;
    private static final int LONGEST = 1514;
    /** Each length once in each direction. */
    private static final int FRAMES = LONGEST - GuestTraffic.SHORTEST + 1;
    /** Sources are random, so that RSS gives each queue about a quarter of these. */
    private static final int TRACED = 100;
    private static final String CONFIG = String.join("\n",
        "[router]",
        "cores = []",
        "workers = " + WORKERS,
        "rx-ring-size = 256",
        "tx-ring-size = 256",
        "[[port]]",
        "name = \"left\"",
        "device = \"dpdk:%s\"",
        "[[port]]",
        "name = \"right\"",
        "device = \"dpdk:%s\"",
        "");

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldForwardEveryLengthExactlyOverTwoQueuesOfEachCard(final TestReporter reporter) throws IOException
    {
        Require.program("ping", "iputils-ping");
        Require.program("dpdk-testpmd", "dpdk");
        Require.program("iperf3", "iperf3");
        final long start = System.nanoTime();
        try (Guest guest = Guest.boot(new GuestNic("igb0", GuestNic.Model.IGB, WORKERS),
            new GuestNic("igb1", GuestNic.Model.IGB, WORKERS));
            Host left = Host.open("left"); Host right = Host.open("right"))
        {
            guest.giveToDpdk("igb0", "igb1");
            GuestTraffic.connect(guest, "igb0", left, "10.0.0.");
            GuestTraffic.connect(guest, "igb1", right, "10.0.1.");
            final GuestProcess router = guest.startRouter(
                String.format(CONFIG, guest.pciAddress("igb0"), guest.pciAddress("igb1")));
            router.awaitText("net_e1000_igb", Guest.PATIENCE);
            guest.run("ip address add 10.0.0.1/24 dev left && ip address add 10.0.1.1/24 dev right");
            GuestTraffic.awaitPing(left, "10.0.1.2", " ttl=63 ");
            GuestTraffic.awaitPing(right, "10.0.0.2", " ttl=63 ");
            GuestTraffic.awaitPing(left, "10.0.0.1", " ttl=64 ");

            final GuestProcess trace =
                guest.startFibnuma("trace", "--count", Integer.toString(TRACED), "--json");
            trace.awaitText("tracing at left, right", Guest.PATIENCE);
            final JsonNode seen = GuestTraffic.exchange(left, guest.macAddress("igb0"),
                right, guest.macAddress("igb1"), FRAMES, LONGEST);
            for (final JsonNode way : seen.get("ways"))
            {
                assertEquals(FRAMES, way.get("exact").asInt(), () -> seen + "\n" + guest.fibnuma("show", "drops") +
                    "\n" + guest.fibnuma("show", "ports") + "\n" + String.join("\n", router.output()));
                assertEquals(0, way.get("duplicate").asInt(), seen::toString);
            }
            assertEquals(0, trace.awaitExit(Guest.PATIENCE), () -> String.join("\n", trace.output()));
            assertEquals(Set.of("left, worker 0", "left, worker 1", "right, worker 0", "right, worker 1"),
                queues(trace));
            assertEachWorkerReceived(guest);
            reporter.publishEntry("TCP", GuestTraffic.tcp(left, right));
            router.signal("TERM");
            assertEquals(0, router.awaitExit(Guest.PATIENCE), () -> String.join("\n", router.output()));
            reporter.publishEntry("seconds in all", String.format("%.1f", (System.nanoTime() - start) / 1e9));
        }
    }

    /** Returns the ports and workers that received the traced frames; worker n has queue n of every port. */
    private static Set<String> queues(final GuestProcess trace) throws IOException
    {
        final Set<String> queues = new TreeSet<>();
        document(String.join("\n", trace.output())).get("frames").forEach(frame ->
            queues.add(frame.get("port").asText() + ", worker " + frame.get("worker").asInt()));
        return queues;
    }

    /** A quarter of the frames is far from the half that RSS gives each of two workers. */
    private static void assertEachWorkerReceived(final Guest guest) throws IOException
    {
        final JsonNode workers = document(guest.fibnuma("show", "stages", "--json")).get("workers");
        assertEquals(WORKERS, workers.size(), workers::toString);
        long received = 0;
        for (final JsonNode worker : workers)
        {
            assertTrue(worker.get("received").asLong() > FRAMES / 2, workers::toString);
            received += worker.get("received").asLong();
        }
        assertTrue(received >= 2 * FRAMES, workers::toString);
    }

    private static JsonNode document(final String output) throws IOException
    {
        return JSON.readTree(output.substring(output.indexOf('{')));
    }
}
