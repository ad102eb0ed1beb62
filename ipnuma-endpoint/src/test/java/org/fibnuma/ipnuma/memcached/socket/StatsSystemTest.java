package org.fibnuma.ipnuma.memcached.socket;

import org.agrona.CloseHelper;
import org.fibnuma.core.Require;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.ipnuma.memcached.store.StoreSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Statistics beside those of Debian's memcached after the same commands. */
@Timeout(120)
class StatsSystemTest
{
    private static final String COMMANDS =
        "set a 0 0 3\r\nabc\r\nget a\r\nget none\r\ngets a\r\nset n 0 0 1\r\n5\r\nincr n 2\r\ndecr n 1\r\n" +
        "incr none 1\r\ndecr none 1\r\ntouch a 100\r\ntouch none 1\r\ngat 0 a\r\ndelete none\r\n" +
        "set gone 0 0 2\r\nxy\r\ndelete gone\r\ncas a 0 0 1 99\r\nx\r\ncas none 0 0 1 1\r\nx\r\n" +
        "cas a 0 0 3 1\r\ndef\r\nset large 0 0 300\r\n" + "x".repeat(300) +
        "\r\nget large\r\nappend large 0 0 1\r\ny\r\n" +
        "mg a v\r\nms b 1\r\nx\r\nmd b\r\nma n\r\n";
    /** In memcached's answers, but about its library, its storage on disk and its TLS. */
    private static final String ABSENT = "libevent|ext_.*|ssl_.*";
    /** Not cmd_meta, which memcached 1.6.18 leaves at 0. */
    private static final List<String> COUNTERS = List.of(
        "cmd_get", "cmd_set", "cmd_touch", "cmd_flush", "get_hits", "get_misses", "delete_misses",
        "delete_hits", "incr_misses", "incr_hits", "decr_misses", "decr_hits", "cas_misses", "cas_hits", "cas_badval",
        "touch_hits", "touch_misses", "bytes", "curr_items", "total_items", "evictions", "reclaimed");

    private MemcachedServer server;
    private ChildProcess memcached;
    private int port;

    @BeforeEach
    void open() throws IOException
    {
        Require.program("memcached", "memcached");
        server = MemcachedServer.open(new MemcachedSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, null, null, null,
            IdleStrategies.BACKOFF, 20, new StoreSettings(32 << 20, 1 << 20)));
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = socket.getLocalPort();
        }
        memcached = ChildProcess.startTied(
            "memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", Integer.toString(port));
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(server, memcached);
    }

    private Socket connectToMemcached()
    {
        while (true)
        {
            try
            {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            }
            catch (final IOException ex)
            {
                // It prints nothing when it listens; the test has a time limit.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    private static String exchange(final Socket socket, final String request) throws IOException
    {
        try (socket)
        {
            socket.getOutputStream().write((request + "quit\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private String ours(final String request) throws IOException
    {
        return exchange(new Socket(InetAddress.getLoopbackAddress(), server.firstAddress().getPort()), request);
    }

    private static Map<String, String> fields(final String answer)
    {
        final Map<String, String> fields = new TreeMap<>();
        answer.lines().filter(line -> line.startsWith("STAT ")).forEach(line ->
        {
            final String[] words = line.split(" ", 3);
            fields.put(words[1], words[2]);
        });
        return fields;
    }

    @Test
    void shouldHaveEachFieldOfMemcached() throws IOException
    {
        assertEquals(exchange(connectToMemcached(), COMMANDS), ours(COMMANDS));
        for (final String command : List.of("stats", "stats settings", "stats items", "stats slabs", "stats sizes"))
        {
            final Map<String, String> expected = fields(exchange(connectToMemcached(), command + "\r\n"));
            final Map<String, String> actual = fields(ours(command + "\r\n"));
            assertTrue(expected.size() > 0, command);
            final TreeSet<String> missing = new TreeSet<>(expected.keySet());
            missing.removeAll(actual.keySet());
            missing.removeIf(name -> name.matches(ABSENT));
            assertEquals(List.of(), List.copyOf(missing), command);
        }
    }

    @Test
    void shouldCountAsMemcachedDoes() throws IOException
    {
        exchange(connectToMemcached(), COMMANDS);
        ours(COMMANDS);
        final Map<String, String> expected = fields(exchange(connectToMemcached(), "stats\r\n"));
        final Map<String, String> actual = fields(ours("stats\r\n"));
        expected.keySet().retainAll(COUNTERS);
        actual.keySet().retainAll(COUNTERS);
        assertEquals(COUNTERS.size(), actual.size());
        assertEquals(expected, actual);
        final Map<String, String> slabs = fields(exchange(connectToMemcached(), "stats slabs\r\n"));
        assertEquals(slabs, fields(ours("stats slabs\r\n")));
        final Map<String, String> items = fields(exchange(connectToMemcached(), "stats items\r\n"));
        final Map<String, String> ourItems = fields(ours("stats items\r\n"));
        for (final Map<String, String> of : List.of(items, ourItems))
        {
            of.keySet().removeIf(
                name -> !name.matches("items:\\d+:(number|mem_requested|evicted|reclaimed|outofmemory)"));
        }
        assertEquals(items, ourItems);
    }
}
