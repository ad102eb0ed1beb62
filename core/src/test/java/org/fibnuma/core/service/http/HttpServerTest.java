package org.fibnuma.core.service.http;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Clients that do not behave, over loopback. Their bytes are written by hand. */
@Timeout(60)
class HttpServerTest
{
    /** More than the kernel takes for a client that does not read: 4 MiB to send and 6 MiB received, by default. */
    private static final int BIG = 16 << 20;
    private static final long NEVER_MS = 600_000;
    private static final String END = "\r\nHost: localhost\r\n\r\n";
    private static final HttpLimits LIMITS = new HttpLimits(4, 60_000, 60_000, 60_000, 2L * BIG, 2);

    private final List<Socket> clients = new ArrayList<>();
    private final AtomicInteger listened = new AtomicInteger();
    private HttpServer server;
    private HttpEvents events;

    @BeforeEach
    void start() throws IOException
    {
        serve(LIMITS);
    }

    private void serve(final HttpLimits limits) throws IOException
    {
        if (server != null)
        {
            server.close();
        }
        server = HttpServer.bind(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Set.of("router1.example.net"), false,
            limits);
        listened.set(0);
        events = new HttpEvents(listened::incrementAndGet);
        server.serve(new HttpPaths(Map.of(
            "/small", (query, answer) -> answer.accept(HttpAnswer.line(200, "small " + query.accept())),
            "/echo", (query, answer) -> answer.accept(HttpAnswer.line(200, query.parameter("text"))),
            "/big", (query, answer) -> answer.accept(new HttpAnswer(200, HttpAnswer.PLAIN_TEXT, new byte[BIG])),
            "/never", (query, answer) ->
            {
            }), Map.of("/events", events)));
    }

    @AfterEach
    void stop() throws IOException
    {
        for (final Socket client : clients)
        {
            client.close();
        }
        server.close();
    }

    @Test
    void shouldAnswerRequestsOneAfterTheOther() throws IOException
    {
        final Socket client = connect();
        for (int i = 0; i < 3; i++)
        {
            send(client, "GET /small?query HTTP/1.1\r\nAccept: text/" + i + END);
            final String answer = readAnswer(client.getInputStream());
            assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
            assertTrue(answer.endsWith("\r\n\r\nsmall text/" + i + "\n"), answer);
        }
        assertEquals(1, server.connections().open());
    }

    @Test
    void shouldKnowNoOtherPathAndMethod() throws IOException
    {
        assertTrue(answerTo("GET / HTTP/1.1" + END).startsWith("HTTP/1.1 404 Not Found\r\n"));
        assertTrue(answerTo("GET /small/ HTTP/1.1" + END).startsWith("HTTP/1.1 404 "));
        for (final String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "FOO"))
        {
            final String answer = answerTo(method + " /small HTTP/1.1" + END);
            assertTrue(answer.startsWith("HTTP/1.1 405 Method Not Allowed\r\n"), answer);
            assertTrue(answer.contains("\r\nallow: GET, HEAD\r\n"), answer);
        }
    }

    @Test
    void shouldAnswerHeadWithoutTheBody() throws IOException
    {
        final Socket head = connect();
        send(head, "HEAD /small HTTP/1.1\r\nAccept: x" + END + "HEAD /events HTTP/1.1\r\nConnection: close" + END);
        final String answer = new String(head.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        final String[] answers = answer.split("\r\n\r\n");
        assertEquals(2, answers.length, answer);
        assertTrue(answers[0].startsWith("HTTP/1.1 200 OK\r\n"), answer);
        assertTrue(answers[0].endsWith("\r\ncontent-length: 8"), answer);
        assertTrue(answers[1].contains("\r\ncontent-type: text/event-stream\r\n"), answer);
        assertEquals(0, listened.get());
    }

    @Test
    void shouldDecodeParameters() throws IOException
    {
        assertEquals("2001:db8::1 x\n", bodyOf(answerTo("GET /echo?text=2001%3Adb8%3a%3A1+x&text=y HTTP/1.1" + END)));
        assertEquals("\n", bodyOf(answerTo("GET /echo HTTP/1.1" + END)));
        final String bad = answerTo("GET /echo?text=%zz HTTP/1.1" + END);
        assertTrue(bad.startsWith("HTTP/1.1 400 "), bad);
        assertTrue(bodyOf(bad).endsWith(" has a bad percent sign; encode it as %25\n"), bad);
    }

    @Test
    void shouldAnswerOnlyToItsOwnNames() throws IOException
    {
        for (final String host : List.of(
            "localhost", "LOCALHOST:9473", "127.0.0.1", "127.0.0.1:80", "[::1]:9473", "[::1]", "192.0.2.1",
            "router1.example.net:9473", "Router1.Example.NET"))
        {
            assertTrue(answerTo("GET /small HTTP/1.1\r\nHost: " + host + "\r\n\r\n").startsWith("HTTP/1.1 200 "), host);
        }
        for (final String host : List.of(
            "evil.example", "evil.example:9473", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1",
            "[evil.example]", "localhost:9473:1", "127.0.0.1@evil.example", "router1.example.net."))
        {
            final String answer = answerTo("GET /small HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 421 Misdirected Request\r\n"), host + " " + answer);
            assertTrue(answer.contains("give the name in http.host-names\n"), answer);
        }
        assertTrue(answerTo("GET /small HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 400 "));
        assertTrue(answerTo("GET /small HTTP/1.1\r\nHost: a" + END).startsWith("HTTP/1.1 400 "));
        assertTrue(answerTo("GET /small HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 200 "));
    }

    @Test
    void shouldRefusePagesOfOtherSites() throws IOException
    {
        final String small = "GET /small HTTP/1.1\r\nSec-Fetch-Site: ";
        assertTrue(answerTo(small + "cross-site" + END).startsWith("HTTP/1.1 403 Forbidden\r\n"));
        assertTrue(answerTo(small + "same-site" + END).startsWith("HTTP/1.1 403 "));
        assertTrue(answerTo(small + "same-origin" + END).startsWith("HTTP/1.1 200 "));
        assertTrue(answerTo(small + "cross-site\r\nSec-Fetch-Mode: navigate" + END).startsWith("HTTP/1.1 200 "));
    }

    @Test
    void shouldForbidBrowsersEverythingFromElsewhere() throws IOException
    {
        for (final String path : List.of("/small", "/nothing"))
        {
            final String answer = answerTo("GET " + path + " HTTP/1.1" + END);
            assertTrue(answer.contains("\r\ncontent-security-policy: default-src 'none'; script-src 'self'; "), answer);
            assertTrue(answer.contains("\r\nx-content-type-options: nosniff\r\n"), answer);
        }
    }

    @Test
    void shouldRefuseWhatIsNotHttp() throws IOException
    {
        for (final String request : List.of(
            "\r\n\r\n\u0000\u0001\u0002 x y" + END, "GET /small" + END, "GET /small HTTP/x" + END,
            "GET /small HTTP/1.1\r\nno colon\r\n\r\n", "GET /small HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "GET /small HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"))
        {
            assertTrue(answerTo(request).startsWith("HTTP/1.1 400 "), () -> request + " -> " + text(request));
        }
        assertTrue(answerTo("GET /small HTTP/1.1\r\nContent-Length: 1" + END + "x").startsWith("HTTP/1.1 413 "));
    }

    private String text(final String request)
    {
        try
        {
            return answerTo(request);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    @Test
    void shouldRefuseLongLinesAndHeaders() throws IOException
    {
        assertTrue(answerTo("GET /" + "a".repeat(HttpLimits.MAX_LINE_BYTES)).startsWith("HTTP/1.1 414 "));
        assertTrue(answerTo("GET /small HTTP/1.1\r\nA: " + "a".repeat(HttpLimits.MAX_HEADER_BYTES))
            .startsWith("HTTP/1.1 431 "));
        assertTrue(answerTo("GET /small HTTP/1.1\r\n" + "a: b\r\n".repeat(HttpLimits.MAX_HEADER_BYTES / 2))
            .startsWith("HTTP/1.1 431 "));
    }

    /** The server closes the connection before it has read them, so writing fails. */
    @Test
    void shouldNotReadTenMegabytesOfHeaders() throws IOException
    {
        final Socket client = connect();
        final byte[] header = "a: b\r\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
        send(client, "GET /small HTTP/1.1\r\n");
        assertThrows(SocketException.class, () ->
        {
            for (int i = 0; i < 10_000_000 / header.length; i++)
            {
                client.getOutputStream().write(header);
            }
        });
        await(() -> server.connections().open() == 0);
    }

    @Test
    void shouldAnswerPipelinedRequestsInOrder() throws IOException
    {
        final Socket client = connect();
        final int count = 2000;
        final Thread writer = new Thread(() ->
        {
            for (int i = 0; i < count; i++)
            {
                sendUnchecked(client, "GET /small HTTP/1.1\r\nAccept: " + i + END);
            }
        });
        writer.start();
        for (int i = 0; i < count; i++)
        {
            final String answer = readAnswer(client.getInputStream());
            assertTrue(answer.endsWith("small " + i + "\n"), answer);
        }
    }

    /** One answer is all that the server makes for a client that does not read. */
    @Test
    void shouldHoldOneAnswerForAClientThatSendsAndNeverReads() throws Exception
    {
        final Socket client = connect();
        final Thread writer = new Thread(() ->
        {
            for (int i = 0; i < 100_000; i++)
            {
                sendUnchecked(client, "GET /big HTTP/1.1" + END);
            }
        });
        writer.setDaemon(true);
        writer.start();
        await(() -> server.connections().pendingBytes() == BIG);
        assertEquals("small x\n", bodyOf(answerTo("GET /small HTTP/1.1\r\nAccept: x" + END)));
        await(() -> server.connections().pendingBytes() == BIG);
        client.close();
        writer.join();
        await(() -> server.connections().pendingBytes() == 0);
    }

    @Test
    void shouldMakeNoMoreAnswersThanClientsRead() throws IOException
    {
        for (int i = 0; i < 2; i++)
        {
            send(connect(), "GET /big HTTP/1.1" + END);
        }
        await(() -> server.connections().pendingBytes() == 2L * BIG);
        assertTrue(answerTo("GET /big HTTP/1.1" + END).startsWith("HTTP/1.1 503 "));
        clients.get(0).close();
        await(() -> server.connections().pendingBytes() == BIG);
        assertTrue(answerTo("GET /big HTTP/1.1\r\nConnection: close" + END).startsWith("HTTP/1.1 200 "));
    }

    @Test
    void shouldDisconnectAClientThatDoesNotRead() throws IOException
    {
        serve(new HttpLimits(4, NEVER_MS, NEVER_MS, 300, 2L * BIG, 2));
        final Socket client = connect();
        send(client, "GET /big HTTP/1.1" + END);
        await(() -> !sendUnchecked(client, "G"));
        await(() -> server.connections().open() == 0 && server.connections().pendingBytes() == 0);
    }

    /** A byte now and then does not prolong the time. */
    @Test
    void shouldDisconnectAClientThatDoesNotCompleteItsRequest() throws IOException
    {
        serve(new HttpLimits(4, 300, 60_000, 60_000, BIG, 2));
        final Socket client = connect();
        await(() -> !sendUnchecked(client, "G") || server.connections().open() == 0);
    }

    @Test
    void shouldAnswerInPlaceOfAResourceThatDoesNot() throws IOException
    {
        serve(new HttpLimits(4, 60_000, 200, 60_000, BIG, 2));
        final Socket client = connect();
        send(client, "GET /never HTTP/1.1" + END);
        final String answer = readAnswer(client.getInputStream());
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.endsWith(": there was no answer within 200 ms\n"), answer);
        send(client, "GET /small HTTP/1.1\r\nAccept: x" + END);
        assertEquals("small x\n", bodyOf(readAnswer(client.getInputStream())));
    }

    @Test
    void shouldAnswerBesideAThousandIdleConnections() throws IOException
    {
        for (int i = 0; i < 1000; i++)
        {
            connect();
        }
        assertEquals("small x\n", bodyOf(answerTo("GET /small HTTP/1.1\r\nAccept: x" + END)));
        await(() -> server.connections().open() <= LIMITS.maxConnections());
    }

    @Test
    void shouldRefuseAConnectionWhileAllOthersAreAnswered() throws IOException
    {
        for (int i = 0; i < LIMITS.maxConnections(); i++)
        {
            final int number = i + 1;
            send(connect(), "GET /never HTTP/1.1" + END);
            await(() -> server.connections().open() == number && server.connections().idle() == 0);
        }
        assertEquals(-1, connect().getInputStream().read());
        assertEquals(LIMITS.maxConnections(), server.connections().open());
    }

    @Test
    void shouldSendEventsToEveryListener() throws IOException
    {
        final Socket one = listener();
        final Socket two = listener();
        final String third = answerTo("GET /events HTTP/1.1" + END);
        assertTrue(third.startsWith("HTTP/1.1 503 "), third);
        assertTrue(third.endsWith(": all 2 listeners are in use; close another page\n"), third);
        publish("{\"a\":1}");
        assertEquals("data: {\"a\":1}\n\n", readEvent(one.getInputStream()));
        assertEquals("data: {\"a\":1}\n\n", readEvent(two.getInputStream()));
        two.close();
        await(() -> listeners() == 1);
        publish("2");
        assertEquals("data: 2\n\n", readEvent(one.getInputStream()));
        assertEquals(2, listened.get());
        listener();
    }

    @Test
    void shouldEndTheStreamOfAClientThatSendsMore() throws IOException
    {
        final Socket client = listener();
        send(client, "GET /small HTTP/1.1" + END);
        assertEquals(-1, client.getInputStream().read());
        await(() -> server.connections().open() == 0 && listeners() == 0);
    }

    /** The other one gets every event. */
    @Test
    void shouldDisconnectAListenerThatDoesNotRead() throws Exception
    {
        serve(new HttpLimits(4, 60_000, 60_000, 300, 2L * BIG, 2));
        listener();
        final Socket reader = listener();
        final String data = "x".repeat(BIG / 8);
        int published = 0;
        while (listeners() == 2)
        {
            publish(data + published);
            assertEquals("data: " + data + published + "\n\n", readEvent(reader.getInputStream()));
            assertTrue(server.connections().pendingBytes() <= BIG, "one event waits at most");
            published++;
        }
        publish("last");
        assertEquals("data: last\n\n", readEvent(reader.getInputStream()));
        await(() -> server.connections().pendingBytes() == 0);
        assertEquals(1, server.connections().open());
    }

    private Socket listener() throws IOException
    {
        final Socket client = connect();
        final int others = listeners();
        send(client, "GET /events HTTP/1.1" + END);
        final String head = readHead(client.getInputStream());
        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
        assertTrue(head.contains("\r\ncontent-type: text/event-stream\r\n"), head);
        await(() -> listeners() > others);
        return client;
    }

    private void publish(final String data)
    {
        onServer(() ->
        {
            events.publish(data);
            return null;
        });
    }

    private int listeners()
    {
        return onServer(events::listeners);
    }

    private <T> T onServer(final Callable<T> task)
    {
        try
        {
            return server.thread().submit(task).get();
        }
        catch (final InterruptedException | ExecutionException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /** Reads what has arrived at once, because events can be long; no further event has been sent yet. */
    private static String readEvent(final InputStream in) throws IOException
    {
        final ByteArrayOutputStream event = new ByteArrayOutputStream();
        final byte[] buffer = new byte[1 << 16];
        while (!event.toString(StandardCharsets.UTF_8).endsWith("\n\n"))
        {
            final int length = in.read(buffer);
            assertTrue(length > 0, "the stream ended");
            event.write(buffer, 0, length);
        }
        return event.toString(StandardCharsets.UTF_8);
    }

    private static void await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            // An interrupted thread does not park; the timeout of the test interrupts.
            assertFalse(Thread.currentThread().isInterrupted(), "timeout");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private Socket connect() throws IOException
    {
        final Socket client = new Socket(server.address().getAddress(), server.address().getPort());
        clients.add(client);
        return client;
    }

    private String answerTo(final String request) throws IOException
    {
        final Socket client = connect();
        send(client, request);
        return readAnswer(client.getInputStream());
    }

    private static void send(final Socket client, final String text) throws IOException
    {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns false where the server has closed the connection. */
    private static boolean sendUnchecked(final Socket client, final String text)
    {
        try
        {
            send(client, text);
            return true;
        }
        catch (final IOException ignore)
        {
            return false;
        }
    }

    private static String bodyOf(final String answer)
    {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String readHead(final InputStream in) throws IOException
    {
        final StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0)
        {
            final int next = in.read();
            assertTrue(next >= 0, () -> "ended after " + head);
            head.append((char)next);
        }
        return head.toString();
    }

    private static String readAnswer(final InputStream in) throws IOException
    {
        final String head = readHead(in);
        final int length = Arrays.stream(head.split("\r\n"))
            .filter(line -> line.startsWith("content-length: "))
            .mapToInt(line -> Integer.parseInt(line.substring("content-length: ".length()))).findFirst().orElseThrow();
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
