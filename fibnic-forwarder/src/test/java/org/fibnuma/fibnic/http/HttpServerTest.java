package org.fibnuma.fibnic.http;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Clients that do not behave, over loopback. Their bytes are written by hand. */
@Timeout(60)
class HttpServerTest
{
    private static final int BIG = 4 << 20;
    private static final String END = "\r\nHost: x\r\n\r\n";
    private static final HttpLimits LIMITS = new HttpLimits(4, 60_000, 60_000, 60_000, 2L * BIG);

    private final List<Socket> clients = new ArrayList<>();
    private HttpServer server;

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
        server = HttpServer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits);
        server.serve(Map.of(
            "/small", (accept, answer) -> answer.accept(HttpAnswer.line(200, "small " + accept)),
            "/big", (accept, answer) -> answer.accept(new HttpAnswer(200, HttpAnswer.PLAIN_TEXT, new byte[BIG])),
            "/never", (accept, answer) ->
            {
            }));
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
            assertTrue(answer.contains("\r\nallow: GET\r\n"), answer);
        }
        final Socket head = connect();
        send(head, "HEAD /small HTTP/1.1" + END);
        final String answer = new String(head.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("HTTP/1.1 405 ") && answer.endsWith("\r\n\r\n"), answer);
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
        assertTrue(answerTo("GET /small HTTP/1.1\r\nContent-Length: 1\r\n\r\nx").startsWith("HTTP/1.1 413 "));
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
        serve(new HttpLimits(4, 60_000, 60_000, 300, 2L * BIG));
        send(connect(), "GET /big HTTP/1.1" + END);
        await(() -> server.connections().pendingBytes() == BIG);
        await(() -> server.connections().open() == 0 && server.connections().pendingBytes() == 0);
    }

    /** A byte now and then does not prolong the time. */
    @Test
    void shouldDisconnectAClientThatDoesNotCompleteItsRequest() throws IOException
    {
        serve(new HttpLimits(4, 300, 60_000, 60_000, BIG));
        final Socket client = connect();
        await(() -> !sendUnchecked(client, "G") || server.connections().open() == 0);
    }

    @Test
    void shouldAnswerInPlaceOfAResourceThatDoesNot() throws IOException
    {
        serve(new HttpLimits(4, 60_000, 200, 60_000, BIG));
        final Socket client = connect();
        send(client, "GET /never HTTP/1.1" + END);
        final String answer = readAnswer(client.getInputStream());
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.endsWith(": the router did not answer within 200 ms\n"), answer);
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

    private static void await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
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

    private static String readAnswer(final InputStream in) throws IOException
    {
        final StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0)
        {
            final int next = in.read();
            assertTrue(next >= 0, () -> "ended after " + head);
            head.append((char)next);
        }
        final int length = Arrays.stream(head.toString().split("\r\n"))
            .filter(line -> line.startsWith("content-length: "))
            .mapToInt(line -> Integer.parseInt(line.substring("content-length: ".length()))).findFirst().orElseThrow();
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
