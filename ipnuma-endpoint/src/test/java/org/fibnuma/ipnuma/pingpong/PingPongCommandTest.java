package org.fibnuma.ipnuma.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.HdrHistogram.Histogram;
import org.fibnuma.core.DocumentedJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the client like a user, against servers in this process. */
class PingPongCommandTest
{
    private static final int ITERATIONS = 200;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = { "udp", "udp-poll" })
    void shouldPrintWhatItMeasured(final String transport) throws Exception
    {
        final Path histogram = directory.resolve("trips.hgrm");
        try (RunningServer server = new RunningServer(64))
        {
            final long start = System.nanoTime();
            assertEquals(0, run("client", "--transport", transport, "--address", server.address(),
                "--iterations", Integer.toString(ITERATIONS), "--warm-up", "50", "--size", "64", "--core", "-1",
                "--json", "--histogram", histogram.toString()), err::toString);
            final double elapsedUs = (System.nanoTime() - start) / 1e3;
            final JsonNode result = new ObjectMapper().readTree(out.toString());
            DocumentedJson.assertMatches("pingpong client", result);
            assertEquals(transport, result.get("transport").asText());
            assertEquals(server.address(), result.get("device").asText());
            assertEquals(ITERATIONS, result.get("iterations").asLong());
            assertEquals(64, result.get("size").asLong());
            final JsonNode trip = result.get("rttUs");
            assertEquals(List.of("min", "p50", "p90", "p99", "p999", "max", "mean"), names(trip));
            assertTrue(trip.get("min").asDouble() > 0, trip::toString);
            assertTrue(trip.get("min").asDouble() <= trip.get("p50").asDouble(), trip::toString);
            assertTrue(trip.get("p999").asDouble() <= trip.get("max").asDouble(), trip::toString);
            assertTrue(trip.get("mean").asDouble() * ITERATIONS < elapsedUs, trip::toString);
            final double meanOfAll = 1e6 / result.get("loopsPerSecond").asDouble();
            assertTrue(meanOfAll > 0.9 * trip.get("mean").asDouble(), result::toString);
            assertTrue(Files.readString(histogram).contains("#[Max"), "no HdrHistogram file");
        }
    }

    @Test
    void shouldPrintPerftestsColumnsWithHalfTheRoundTrip() throws Exception
    {
        try (RunningServer server = new RunningServer(4))
        {
            assertEquals(0, run("client", "--transport", "udp", "--address", server.address(), "--iterations", "100",
                "--warm-up", "0", "--core", "-1"), err::toString);
            assertEquals(0, run("client", "--transport", "udp", "--address", server.address(), "--iterations", "100",
                "--warm-up", "0", "--core", "-1", "--rtt"), err::toString);
        }
        final String[] lines = out.toString().split("\n");
        assertEquals("#bytes #iterations t_min[usec] t_max[usec] t_typical[usec] t_avg[usec] t_stdev[usec] " +
            "99% percentile[usec] 99.9% percentile[usec]", lines[0]);
        final String[] values = lines[1].trim().split(" +");
        assertEquals(9, values.length);
        assertEquals("4", values[0]);
        assertEquals("100", values[1]);
        assertTrue(lines[2].endsWith("times are of half the round trip"), lines[2]);
        assertTrue(lines[5].endsWith("times are of the round trip"), lines[5]);
    }

    @Test
    void shouldHalveTimes()
    {
        final Histogram histogram = PingPongResult.newHistogram();
        histogram.recordValue(1000);
        histogram.recordValue(1000);
        final PingPongResult result = new PingPongResult(
            Transport.UDP.label(), "x", 4, new PingPongResult.Measured(histogram, 4000));
        result.print(new PrintWriter(out, true), false);
        assertEquals("4 2 0.500 0.500 0.500 0.500 0.000 0.500 0.500",
            out.toString().split("\n")[1].trim().replaceAll(" +", " "));
        assertEquals(500_000L, result.toMap().get("loopsPerSecond"));
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception
    {
        try (DatagramSocket mute = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            for (final String transport : new String[] { "udp", "udp-poll" })
            {
                assertEquals(1, run("client", "--transport", transport, "--address", "127.0.0.1:" + mute.getLocalPort(),
                    "--timeout-ms", "100", "--core", "-1"));
            }
        }
        final String[] lines = err.toString().split("\n");
        assertEquals(2, lines.length, err::toString);
        assertTrue(lines[0].endsWith("for 100 ms; is the server running?"), lines[0]);
        assertEquals(lines[0], lines[1]);
    }

    @Test
    void shouldSayThatThereIsNoServer() throws Exception
    {
        final int port;
        try (DatagramSocket passing = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            port = passing.getLocalPort();
        }
        assertEquals(1, run("client", "--transport", "udp", "--address", "127.0.0.1:" + port, "--core", "-1"));
        assertEquals("fibnuma: no server listens on 127.0.0.1:" + port + ": start it first\n", err.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "client|needs -c FILE",
        "client --transport udp|--address HOST:PORT",
        "client --transport udp -c x.toml|needs --address instead of -c",
        "client --transport udp --address 10.0.0.1|is not a host and port",
        "client --transport udp --address 10.0.0.1:70000|is not a host and port",
        "client --transport udp --address 127.0.0.1:9 --size 5|--size must be a multiple of 4",
        "client --transport udp --address 127.0.0.1:9 --size 2048|--size must be a multiple of 4 from 4 to 1024",
        "client --transport udp --address 127.0.0.1:9 --iterations 0|--iterations",
        "client --transport udp --address 127.0.0.1:9 --core 4096|--core must be -1 to",
        "client --transport tcp|one of",
        "server --transport udp|--address HOST:PORT",
        "|server or client"
    })
    void shouldRefuseWrongUsage(final String lineAndReason)
    {
        final String[] parts = lineAndReason.split("\\|");
        assertEquals(2, run(parts[0].isEmpty() ? new String[0] : parts[0].split(" ")));
        assertTrue(err.toString().contains(parts[1]), err::toString);
    }

    private int run(final String... arguments)
    {
        final CommandLine commandLine = PingPongCommand.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    private static List<String> names(final JsonNode node)
    {
        final List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** A server on a thread of its own, which blocks while nothing arrives. */
    private static final class RunningServer implements AutoCloseable
    {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final String address;
        private final UdpLink link;
        private final Thread thread;

        RunningServer(final int size) throws IOException
        {
            final int port;
            try (DatagramSocket passing = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
            {
                port = passing.getLocalPort();
            }
            address = "127.0.0.1:" + port;
            link = UdpLink.server(new InetSocketAddress("127.0.0.1", port), size, false);
            thread = new Thread(() -> new PingPongServer(link).serve(stopped::get));
            thread.start();
        }

        String address()
        {
            return address;
        }

        @Override
        public void close()
        {
            stopped.set(true);
            link.wake();
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
