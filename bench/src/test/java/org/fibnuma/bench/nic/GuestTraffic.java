package org.fibnuma.bench.nic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Packets between the hosts at the cables of a {@link Guest}, built and compared by programs that share no code with
 * the router. The left host is 10.0.0.2, the right one 10.0.1.2; both use device h0.
 */
final class GuestTraffic
{
    /** Shortest frame in bytes, without FCS. */
    static final int SHORTEST = 60;

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private GuestTraffic()
    {
    }

    /**
     * Connects a card to a host, whose device h0 gets the address 2 of a network, and whose gateway is address 1.
     *
     * @param network first three bytes of the network, such as {@code 10.0.0.}.
     */
    static void connect(final Guest guest, final String nic, final Host host, final String network)
    {
        guest.connect(nic, host, "h0");
        host.address("h0", network + "2/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }

    /**
     * Sends single pings until the output of one contains a text. A card may negotiate its link, which takes seconds.
     *
     * @param address  to ping.
     * @param expected in the output of ping, whether it is answered or not.
     */
    static void awaitPing(final Host from, final String address, final String expected)
    {
        final long deadline = System.nanoTime() + Guest.PATIENCE.toNanos();
        String seen = "";
        while (!seen.contains(expected))
        {
            assertTrue(System.nanoTime() < deadline, seen);
            // One that is not answered fails: what it printed counts.
            seen = from.run("sh", "-c", "ping -n -c 1 -W 1 " + address + "; true");
        }
    }

    /**
     * Sends UDP packets both ways and compares each with what a router must make of it. Their lengths are all from
     * the shortest to the longest in random order, then all again.
     *
     * @param leftMac  MAC address of the router's port to the left host.
     * @param rightMac MAC address of the router's port to the right host.
     * @param frames   to send each way.
     * @param longest  longest frame in bytes, without FCS; the shortest is {@link #SHORTEST}.
     * @return an array {@code ways} of objects with the counts {@code sent}, {@code exact}, {@code wrong},
     *         {@code duplicate}, {@code lost}.
     */
    static JsonNode exchange(final Host left, final String leftMac, final Host right, final String rightMac,
        final int frames, final int longest)
    {
        try
        {
            final Path script = Files.createTempFile("fibnuma-traffic-", ".py");
            try (InputStream resource = GuestTraffic.class.getResourceAsStream("/qemu/traffic.py"))
            {
                Files.write(script, resource.readAllBytes());
                return new ObjectMapper().readTree(ChildProcess.run(PATIENCE,
                    "/usr/bin/python3", script.toString(),
                    left.namespaceFile(), "h0", "10.0.0.2", leftMac, right.namespaceFile(), "h0", "10.0.1.2", rightMac,
                    Integer.toString(frames), Integer.toString(SHORTEST), Integer.toString(longest), "1"));
            }
            finally
            {
                Files.delete(script);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Sends 4 MiB by TCP from the left to the right host and back, at default offloads of the tap devices. Where the
     * segments that a card has merged are lost, that takes minutes.
     *
     * @return both rates, as text.
     */
    static String tcp(final Host left, final Host right)
    {
        final StringBuilder rates = new StringBuilder();
        for (final String way : new String[] {"--get-server-output", "--reverse"})
        {
            try (ChildProcess server = right.start("iperf3", "-s", "-1", "--forceflush"))
            {
                server.awaitLine(line -> line.contains("listening"), Guest.PATIENCE);
                final JsonNode sum = new ObjectMapper().readTree(
                    left.run("timeout", "100", "iperf3", "-c", "10.0.1.2", "-n", "4M", "-J", way))
                    .get("end").get("sum_received");
                assertTrue(sum.get("bytes").asLong() > 1 << 20, () -> "TCP " + way + ": " + sum);
                rates.append(Math.round(sum.get("bits_per_second").asDouble() / 1e6)).append(" Mbit/s ");
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
        return rates.toString().trim();
    }
}
