package org.fibnuma.bench.router;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterMemory;
import org.fibnuma.bench.lab.RouterProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

import static org.fibnuma.bench.router.RawHttpClients.ascii;
import static org.fibnuma.bench.router.RawHttpClients.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A router forwards packets between two hosts while clients of its HTTP server do not behave. No packet is lost, other
 * clients are answered as the limits of the server allow, and afterwards the router has what it had before.
 */
@Timeout(600)
@NamespaceTest("ping")
class HttpHostileClientsSystemTest
{
    /** Far more than the 10 s after which the server disconnects a client that does not read. */
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int PORT = 9473;
    /** Limits of the server. */
    private static final int MAX_CONNECTIONS = 64;
    private static final int MAX_LISTENERS = 16;
    private static final int MAX_LINE_BYTES = 1024;

    private static final int IDLE_CONNECTIONS = 1000;
    private static final int PIPELINED = 2000;
    private static final int HEADER_BYTES = 10_000_000;
    private static final int RANDOM_REQUESTS = 100;
    private static final int RANDOM_BYTES = 4096;
    private static final long SEED = 9473;
    private static final long MEBIBYTE = 1 << 20;
    private static final String HOST = "\r\nHost: localhost\r\n\r\n";
    private static final String HEALTH = "/health";
    private static final String METRICS = "/metrics";
    private static final String EVENTS = "/events";

    private final RouterLifeLab lab = RouterLifeLab.open();
    private final RawHttpClients attackers = new RawHttpClients(lab.router(), PORT, PATIENCE);
    private final RawHttpClients others = new RawHttpClients(lab.router(), PORT, PATIENCE);
    private RouterProcess process;
    /** Open files of the router while it has no client of HTTP. */
    private long files;

    /** What clients do, and what is asserted of the router meanwhile. */
    private interface Attack
    {
        void run() throws Exception;
    }

    @BeforeEach
    void start() throws IOException
    {
        process = lab.startConfigured(lab.config() + "[http]\n");
        lab.assertPings(5);
        openWhatTheFirstRequestsNeed();
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(attackers, others, lab);
    }

    /** Jars of the server and of the metrics library are opened at their first use, as is the socket for jcmd. */
    private void openWhatTheFirstRequestsNeed() throws IOException
    {
        RouterMemory.liveBytes(process);
        for (final String path : List.of("/", HEALTH, METRICS))
        {
            assertEquals(200, others.status(path), path);
        }
        assertTrue(others.answerTo(ascii("no HTTP" + HOST)).startsWith("HTTP/1.1 400 "));
        final SocketChannel listener = others.connect();
        listener.write(ByteBuffer.wrap(get(EVENTS)));
        assertTrue(listener.socket().getInputStream().read() >= 0);
        others.close();
        files = process.settledOpenFiles();
    }

    @Test
    void shouldAnswerBesideAThousandConnectionsThatSendNothing(final TestReporter reporter) throws Exception
    {
        whileForwarding(reporter, () ->
        {
            for (int i = 0; i < IDLE_CONNECTIONS; i++)
            {
                attackers.connect();
            }
            assertAnswersAtOnce();
            // A further connection replaces the one that has been idle for longest.
            await("connections left", () -> attackers.stillOpen() <= MAX_CONNECTIONS);
            assertTrue(attackers.stillOpen() > MAX_CONNECTIONS / 2, "the attack has no connections");
            assertTrue(process.openFiles() <= files + MAX_CONNECTIONS, "more connections than the limit");
            attackers.close();
        });
    }

    @Test
    void shouldDisconnectClientsThatSendRequestsAndNeverRead(final TestReporter reporter) throws Exception
    {
        final StringBuilder pipelined = new StringBuilder();
        for (int i = 0; i < PIPELINED; i++)
        {
            pipelined.append("GET ").append(i % 8 == 0 ? "/" : METRICS).append(" HTTP/1.1").append(HOST);
        }
        whileForwarding(reporter, () ->
        {
            for (int i = 0; i < MAX_LISTENERS + 4; i++)
            {
                attackers.sendAndNeverRead(get(EVENTS));
            }
            for (int i = 0; i < 2 * MAX_CONNECTIONS; i++)
            {
                attackers.sendAndNeverRead(ascii(pipelined.toString()));
            }
            // A connection beyond the limit is open until the router has closed one.
            await("no more connections than the limit", () -> process.openFiles() <= files + MAX_CONNECTIONS);
            await("clients that do not read", () -> process.openFiles() >= files + MAX_CONNECTIONS / 2);
            awaitAnswers();
            // The clients still have all their sockets.
            awaitTheEndOfAllConnections();
            assertAnswersAtOnce();
        });
    }

    @Test
    void shouldRefuseWhatIsNoRequest(final TestReporter reporter) throws Exception
    {
        final Random random = new Random(SEED);
        whileForwarding(reporter, () ->
        {
            for (int round = 0; round < 20; round++)
            {
                refuse("no HTTP" + HOST, 400);
                refuse("\u0000\u0001\u0002 x y" + HOST, 400);
                refuse("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003 x" + HOST, 400);
                refuse("GET /health" + HOST, 400);
                refuse("GET /health HTTP/9.x" + HOST, 400);
                refuse("GET /health HTTP/1.1\r\nno colon\r\n\r\n", 400);
                refuse("GET /health HTTP/1.1\r\nContent-Length: -1" + HOST, 400);
                refuse("GET /health HTTP/1.1\r\n\r\n", 400);
                refuse("GET /health HTTP/1.1\r\nContent-Length: 1" + HOST + "x", 413);
                refuse("G\u0000T /health HTTP/1.1" + HOST, 400);
                refuse("FOO /health HTTP/1.1" + HOST, 405);
                refuse("DELETE /health HTTP/1.1" + HOST, 405);
                refuse("POST /health HTTP/1.1\r\nTransfer-Encoding: chunked" + HOST + "zz\r\n", 405);
                refuse("GET /" + "a".repeat(MAX_LINE_BYTES), 414);
                attackers.sendAndNeverRead(ascii("GET /health HTTP/1.1\r\nHost: local"));
                attackers.sendAndNeverRead(ascii("GE"));
                attackers.sendAndNeverRead(ascii("\r\n\r\n"));
                attackers.sendAndNeverRead(ascii("POST /health HTTP/1.1\r\nContent-Length: 5\r\n"));
            }
            for (int i = 0; i < RANDOM_REQUESTS; i++)
            {
                final byte[] bytes = new byte[RANDOM_BYTES];
                random.nextBytes(bytes);
                final String answer = attackers.answerTo(bytes);
                assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
            }
            assertAnswersAtOnce();
            assertTrue(process.openFiles() > files, "no half request is left");
            attackers.close();
        });
    }

    @Test
    void shouldNotReadTenMegabytesOfHeaders(final TestReporter reporter) throws Exception
    {
        final byte[] oneHeader = ascii("a".repeat(RANDOM_BYTES));
        whileForwarding(reporter, () ->
        {
            for (int i = 0; i < 16; i++)
            {
                assertIsNotRead("GET /health HTTP/1.1\r\n", ascii("a: b\r\n".repeat(1000)));
                assertIsNotRead("GET /health HTTP/1.1\r\na: ", oneHeader);
                assertIsNotRead("GET /", oneHeader);
                assertAnswersAtOnce();
            }
        });
    }

    /** The server closes the connection before it has read everything, so writing fails. */
    private void assertIsNotRead(final String begin, final byte[] repeated) throws IOException
    {
        final SocketChannel connection = attackers.connect();
        connection.write(ByteBuffer.wrap(ascii(begin)));
        assertThrows(IOException.class, () ->
        {
            for (int i = 0; i < HEADER_BYTES / repeated.length; i++)
            {
                connection.write(ByteBuffer.wrap(repeated));
            }
        });
    }

    private void refuse(final String request, final int status)
    {
        final String answer = attackers.answerTo(ascii(request));
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), () -> request + " -> " + answer);
    }

    /** While no more connections than the limit are being answered, a further one is admitted. */
    private void assertAnswersAtOnce()
    {
        assertEquals(200, others.status(HEALTH));
        assertEquals(200, others.status(METRICS));
    }

    /** While all connections are being answered, a further one is closed. */
    private void awaitAnswers()
    {
        await("an answer of " + HEALTH, () -> others.status(HEALTH) == 200);
        await("an answer of " + METRICS, () -> others.status(METRICS) == 200);
    }

    private void awaitTheEndOfAllConnections()
    {
        await("the end of all connections", () -> process.openFiles() == files);
    }

    private void whileForwarding(final TestReporter reporter, final Attack attack) throws Exception
    {
        final long objects = RouterMemory.liveBytes(process);
        final long anonymous = RouterMemory.trimmedBytes(process);
        final long before = lab.forwarded();
        try (SteadyFlow flow = new SteadyFlow(lab,
            SteadyFlow.open(lab.left(), "10.0.0.2", 0), SteadyFlow.open(lab.right(), "10.0.1.2", SteadyFlow.PORT)))
        {
            attack.run();
            awaitTheEndOfAllConnections();
            flow.assertNothingLost();
        }
        assertTrue(lab.forwarded() >= before + 100, "by the kernel, not the router");
        lab.assertBalanced();
        reporter.publishEntry(lab.awaitMemory(objects + 8 * MEBIBYTE, anonymous + 64 * MEBIBYTE) + ", before " +
            objects + " and " + anonymous);
        assertAnswersAtOnce();
        lab.terminate();
    }

    private void await(final String what, final Callable<Boolean> condition)
    {
        lab.await(what + ", " + files + " open files before", condition);
    }
}
