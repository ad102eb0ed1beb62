package org.fibnuma.core.service.page;

import org.fibnuma.core.service.http.HttpPaths;
import org.fibnuma.core.service.http.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Listeners over loopback, with a sampler that counts. */
@Timeout(60)
class LiveStateTest
{
    private static final long INTERVAL_MS = 20;
    private static final String DATA = "data: ";
    private static final Object SAMPLE = new Object();

    private final AtomicInteger samples = new AtomicInteger();
    private final List<Listener> listeners = new ArrayList<>();
    private HttpServer server;
    private LiveState<Object> state;

    /** A client that has got the headers of the answer. */
    private record Listener(Socket socket, BufferedReader reader)
    {
        /** Returns the number in the next event. */
        int next() throws IOException
        {
            String line = reader.readLine();
            while (!line.startsWith(DATA))
            {
                line = reader.readLine();
                assertNotNull(line, "the stream ended");
            }
            return Integer.parseInt(line.substring(DATA.length()));
        }
    }

    @BeforeEach
    void bind() throws IOException
    {
        server = HttpServer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Set.of(), false);
    }

    private void serve(final Consumer<Consumer<Object>> sampler)
    {
        state = new LiveState<>(
            sampler, sample -> Integer.toString(samples.get()), server.thread(), INTERVAL_MS);
        server.serve(new HttpPaths(Map.of(), Map.of("/events", state.events())));
    }

    /** Answers each request at once with a sample. */
    private void count(final Consumer<Object> consumer)
    {
        samples.incrementAndGet();
        consumer.accept(SAMPLE);
    }

    @AfterEach
    void close() throws IOException
    {
        for (final Listener listener : listeners)
        {
            listener.socket.close();
        }
        server.close();
    }

    private Listener listen() throws IOException
    {
        final Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
        final Listener listener = new Listener(socket, new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
        listeners.add(listener);
        socket.getOutputStream().write(
            "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertEquals("HTTP/1.1 200 OK", listener.reader.readLine());
        return listener;
    }

    private void passIntervals(final int count) throws InterruptedException
    {
        TimeUnit.MILLISECONDS.sleep(count * INTERVAL_MS);
    }

    private int listening() throws InterruptedException, ExecutionException
    {
        return server.thread().submit(() -> state.events().listeners()).get();
    }

    @Test
    void shouldTakeNoSampleWithoutListener() throws Exception
    {
        serve(this::count);
        passIntervals(5);
        assertEquals(0, samples.get());
    }

    @Test
    void shouldTakeOneSampleForAllListeners() throws Exception
    {
        serve(this::count);
        for (int i = 0; i < 5; i++)
        {
            listen();
        }
        int last = 0;
        for (final Listener listener : listeners)
        {
            final int first = listener.next();
            last = listener.next();
            assertEquals(first + 1, last, "every event is one sample");
        }
        assertTrue(samples.get() >= last);
    }

    @Test
    void shouldEndSamplingWithTheLastListenerAndBeginItAgain() throws Exception
    {
        serve(this::count);
        final Listener first = listen();
        first.next();
        first.socket.close();
        while (listening() > 0)
        {
            passIntervals(1);
        }
        passIntervals(2);
        final int before = samples.get();
        passIntervals(5);
        assertEquals(before, samples.get());
        assertEquals(before + 1, listen().next());
    }

    /** The control thread has one request at a time, and the interval continues when it has answered. */
    @Test
    void shouldWaitForASampleBeforeItRequestsAnother() throws Exception
    {
        final List<Consumer<Object>> requests = new ArrayList<>();
        serve(consumer ->
        {
            samples.incrementAndGet();
            requests.add(consumer);
        });
        final Listener listener = listen();
        passIntervals(10);
        assertEquals(1, samples.get());
        server.thread().submit(() -> requests.get(0).accept(SAMPLE)).get();
        assertTrue(listener.next() >= 1);
        while (samples.get() < 2)
        {
            passIntervals(1);
        }
        server.thread().submit(() -> requests.get(1).accept(null)).get();
        while (samples.get() < 3)
        {
            passIntervals(1);
        }
    }
}
