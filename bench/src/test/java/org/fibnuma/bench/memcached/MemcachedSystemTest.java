package org.fibnuma.bench.memcached;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.socket.IpnumaSocketFactory;
import org.fibnuma.ipnuma.socket.SocketDriver;
import org.fibnuma.ipnuma.stream.StreamSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The server beside Debian's memcached, with Debian's test programs. {@code -Dfibnuma.memcached.commands=1000000} sends
 * more commands, {@code -Dfibnuma.memcached.seconds=60} loads for longer; ipnuma-endpoint's README has the command.
 */
@Timeout(1800)
class MemcachedSystemTest
{
    private static final String MEMCACHED = "org.fibnuma.ipnuma.memcached.MemcachedCommand";
    private static final String IPNUMA = "org.fibnuma.ipnuma.command.IpnumaCommand";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int COMMANDS = Integer.getInteger("fibnuma.memcached.commands", 20_000);
    private static final int SECONDS = Integer.getInteger("fibnuma.memcached.seconds", 4);
    private static final Pattern CAS = Pattern.compile("VALUE \\S+ \\d+ \\d+ (\\d+)\r\n");
    /** Seconds that depend on the clock, and slab classes: memcached has other ones above 512 KiB. */
    private static final Pattern CLOCK = Pattern.compile(" t(-1|\\d+)|exp=-?\\d+ la=\\d+|cls=\\d+");
    private static final String LAST = "MN\r\n";

    private final String prefix = "memcached-" + ProcessHandle.current().pid() + "-";
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void require()
    {
        Require.program("memcached", "memcached");
        Require.program("memccapable", "libmemcached-tools");
    }

    @AfterEach
    void closeAll()
    {
        CloseHelper.closeAll(open);
    }

    @Test
    void shouldPassTheTestsOfLibmemcached() throws IOException
    {
        final int port = freePort();
        start("--tcp", "127.0.0.1:" + port);
        final String output = ChildProcess.run(
            PATIENCE, "memccapable", "-h", "127.0.0.1", "-p", Integer.toString(port), "-a");
        assertTrue(output.contains("All tests passed"), output);
        assertFalse(output.contains("FAIL"), output);
        assertEquals(27, output.lines().filter(line -> line.contains("[pass]")).count(), output);
    }

    @Test
    void shouldCarryLoadOverTcpAndUdp() throws IOException
    {
        final int port = freePort();
        // With less memory, evictions are misses.
        start("--tcp", "127.0.0.1:" + port, "--udp", "127.0.0.1:" + port, "--memory", "256");
        assertNoError(load(port));
        final String udp = load(port, "-U");
        assertNoError(udp);
        assertTrue(udp.contains("packet_disorder: 0"), udp);
    }

    @Test
    @Tag("slow")
    void shouldMeasureEveryTransport()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("dpdk-testpmd", "dpdk");
        final Map<String, List<String>> compared = new TreeMap<>();
        CommandRun.bench("memcached", "--sizes", "16,512", "--commands", "20", "--runs", "1", "--json").json()
            .get("results").forEach(figures ->
        {
            compared.computeIfAbsent(figures.get("server").asText(), name -> new ArrayList<>())
                .add(figures.get("bytes").asInt() + (figures.has("getTimesFasterThanUdp") ? "+" : ""));
            assertTrue(figures.get("setBestNs").asLong() <= figures.get("setMedianNs").asLong(), figures::toString);
            assertTrue(figures.get("getBestNs").asLong() > 0, figures::toString);
            assertTrue(figures.get("addBestNs").asLong() <= figures.get("addMedianNs").asLong(), figures::toString);
            assertEquals(0, figures.get("routers").asInt());
            assertTrue(figures.get("router").isNull());
        });
        assertEquals(
            "{fibnuma, IP-NUMA over memif=[16+, 512+], fibnuma, IP-NUMA over shm=[16+, 512+], " +
            "fibnuma, IP-NUMA over xdp=[16+, 512+], fibnuma, TCP=[16+, 512+], fibnuma, TCP, veth=[16+, 512+], " +
            "fibnuma, UDP=[16+, 512+], fibnuma, UDP, veth=[16+, 512+], memcached, TCP=[16+, 512+], " +
            "memcached, TCP, veth=[16+, 512+], memcached, UDP=[16, 512], memcached, UDP, veth=[16, 512]}",
            compared.toString());
    }

    /** The command fails if a router has not forwarded what was measured, which {@code RouterChainSystemTest} tests. */
    @Test
    void shouldMeasureThroughARouterOfEachKind()
    {
        Require.root();
        Require.program("ip", "iproute2");
        final List<String> measured = new ArrayList<>();
        CommandRun.bench("memcached", "--routers", "1", "--sizes", "16", "--commands", "100", "--runs", "1", "--json")
            .json().get("results").forEach(figures ->
        {
            measured.add(figures.get("server").asText() + " " + figures.get("routers") + " " + figures.get("router") +
                (figures.has("getTimesFasterThanUdp") ? "+" : ""));
            for (final String name : List.of("set", "get", "add"))
            {
                assertTrue(figures.get(name + "BestNs").asLong() > 0, figures::toString);
                assertTrue(figures.get(name + "MedianNs").asLong() > 0, figures::toString);
            }
        });
        assertEquals(List.of("memcached, UDP, veth 1 \"kernel\"", "fibnuma, IP-NUMA over xdp 1 \"kernel\"+",
            "memcached, UDP, veth 1 \"fibnuma\"+", "fibnuma, IP-NUMA over xdp 1 \"fibnuma\"+"), measured);
    }

    private static String load(final int port, final String... more)
    {
        final String[] command = {
            "memcaslap", "-s", "127.0.0.1:" + port, "-t", SECONDS + "s", "-T", "1", "-c", "4"};
        final String[] all = Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return ChildProcess.run(PATIENCE.plusSeconds(SECONDS), all);
    }

    private static void assertNoError(final String output)
    {
        assertTrue(output.contains("get_misses: 0"), output);
        assertFalse(output.toLowerCase().contains("error"), output);
        assertTrue(output.contains("TPS"), output);
    }

    @Test
    void shouldAnswerAsMemcachedDoesOverTcp() throws IOException
    {
        final int port = freePort();
        start("--tcp", "127.0.0.1:" + port);
        compare(keep(connect(port)));
    }

    @Test
    void shouldAnswerAsMemcachedDoesOverStreams() throws IOException
    {
        endpoint(1, 2, "");
        endpoint(2, 1, "@far");
        start("--ipnuma", "ipnuma:2/11211", "--name", prefix + 2);
        final SocketDriver driver = keep(SocketDriver.open(StreamSettings.of(prefix + 1, 1)));
        compare(keep(new IpnumaSocketFactory(driver).createSocket("ipnuma:2", 11211)));
    }

    @Test
    void shouldFindNoMinusBehindANumber() throws IOException
    {
        final int port = freePort();
        start("--tcp", "127.0.0.1:" + port);
        final Socket ours = keep(connect(port));
        final Socket reference = reference();
        final String notNumeric = "CLIENT_ERROR cannot increment or decrement non-numeric value";
        // 2^63 - 1 and 2^63, alone and with more in the value.
        assertEquals("9223372036854775808", increment(reference, "x", "9223372036854775807"));
        assertEquals("9223372036854775808", increment(reference, "-", "9223372036854775807"));
        assertEquals("9223372036854775808", increment(reference, "x", "9223372036854775807 -"));
        assertEquals("9223372036854775809", increment(reference, "x", "9223372036854775808"));
        assertEquals(notNumeric, increment(reference, "-", "9223372036854775808"), "memcached differs no longer");
        assertEquals(notNumeric, increment(reference, "x", "9223372036854775808 -"), "memcached differs no longer");
        for (final String before : new String[] {"x", "-"})
        {
            assertEquals("9223372036854775808", increment(ours, before, "9223372036854775807"));
            assertEquals("9223372036854775809", increment(ours, before, "9223372036854775808"));
            assertEquals("9223372036854775809", increment(ours, before, "9223372036854775808 -"));
            assertEquals("0", increment(ours, before, "18446744073709551615"));
        }
        // As strtoull reads it: the number is negated modulo 2^64, and refused if that is 2^63 or more.
        for (final Socket socket : new Socket[] {reference, ours})
        {
            assertEquals(notNumeric, increment(socket, "x", "-3"));
            assertEquals(notNumeric, increment(socket, "x", "-9223372036854775808"));
            assertEquals("9223372036854775808", increment(socket, "x", "-9223372036854775809"));
            assertEquals("2", increment(socket, "x", "-18446744073709551615"));
        }
    }

    /** Increments a value in memory where an item of 28 other bytes was before; returns the answer. */
    private static String increment(final Socket socket, final String before, final String value) throws IOException
    {
        final String commands = "set a 0 0 28\r\n" + before.repeat(28) + "\r\ndelete a\r\nset a 0 0 " +
            value.length() + "\r\n" + value + "\r\nincr a 1\r\ndelete a\r\n";
        final String[] answers =
            exchange(socket, commands.getBytes(StandardCharsets.US_ASCII)).split("\r\n");
        assertEquals("STORED DELETED STORED", String.join(" ", Arrays.copyOf(answers, 3)));
        return answers[3].trim();
    }

    private Socket reference() throws IOException
    {
        final int port = freePort();
        // By default a thread of memcached holds items that were read for a while, and a number that it holds is not
        // padded when it becomes shorter.
        keep(ChildProcess.start(
            "memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", Integer.toString(port), "-o", "no_modern"));
        return keep(connect(port));
    }

    /** Sends the same commands to memcached and to a server that is as new, and compares the bytes of the answers. */
    private void compare(final Socket ours) throws IOException
    {
        final Socket reference = reference();
        final CommandStream stream = new CommandStream(17);
        for (int i = 0; i < COMMANDS; i += CommandStream.BATCH)
        {
            final byte[] batch = stream.nextBatch();
            final String expected = exchange(reference, batch);
            final String actual = exchange(ours, batch);
            final int number = i;
            assertEquals(
                CLOCK.matcher(expected).replaceAll("#"), CLOCK.matcher(actual).replaceAll("#"),
                () -> "after " + number + " commands: " + new String(batch, StandardCharsets.ISO_8859_1));
            final Matcher cas = CAS.matcher(expected);
            if (cas.find())
            {
                stream.sawCas(Long.parseLong(cas.group(1)));
            }
        }
    }

    private static String exchange(final Socket socket, final byte[] batch) throws IOException
    {
        final ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(batch);
        // If the last value is shorter than its command says, the server takes the empty line for a part of it.
        request.writeBytes("\r\nmn\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout((int)PATIENCE.toMillis());
        // A server reads no further while its answers are not read, so that one thread must not do both in turn.
        final FutureTask<Void> writing = new FutureTask<>(() ->
        {
            socket.getOutputStream().write(request.toByteArray());
            return null;
        });
        new Thread(writing, "writer").start();
        final byte[] buffer = new byte[1 << 16];
        final StringBuilder answer = new StringBuilder();
        while (answer.indexOf(LAST, Math.max(0, answer.length() - LAST.length())) < 0)
        {
            final int count = socket.getInputStream().read(buffer);
            assertTrue(count > 0, () -> "ended after " + new String(batch, StandardCharsets.ISO_8859_1));
            answer.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
        }
        return answer.toString();
    }

    private static Socket connect(final int port) throws IOException
    {
        final long end = System.nanoTime() + PATIENCE.toNanos();
        while (true)
        {
            try
            {
                final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setTcpNoDelay(true);
                return socket;
            }
            catch (final IOException ex)
            {
                // memcached prints nothing when it listens.
                if (System.nanoTime() - end > 0)
                {
                    throw ex;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }

    private void start(final String... options)
    {
        keep(ChildProcess.start(JavaProgram.command(MEMCACHED, options)))
            .awaitLine(line -> line.startsWith("ready"), PATIENCE);
    }

    private void endpoint(final int id, final int peer, final String side) throws IOException
    {
        final Path config =
            StreamEndpointFile.write(directory, prefix + id, "shm:" + prefix + side, id, peer, "");
        keep(ChildProcess.start(JavaProgram.command(IPNUMA, "endpoint", "-c", config.toString())))
            .awaitLine("ready"::equals, PATIENCE);
    }

    private <T extends AutoCloseable> T keep(final T resource)
    {
        open.push(resource);
        return resource;
    }
}
