package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class ControlServerTest
{
    /** More than the buffers of a socket take. */
    private static final int LARGE_ANSWER = 1_000_000;
    private static final int HOSTILE = 20;

    @TempDir
    private Path directory;

    private Path path;
    private ControlServer server;

    @AfterEach
    void stop()
    {
        if (server != null)
        {
            server.close();
        }
    }

    @Test
    void shouldAnswerEachRequestInTurn() throws IOException
    {
        listen(ControlServerTest::echo);
        try (ControlClient client = ControlClient.connect("r", path))
        {
            assertEquals("a", client.ask(ControlProtocol.request("a")).get("echo").asText());
            assertEquals("b", client.ask(ControlProtocol.request("b")).get("echo").asText());
        }
        server.close();
        assertFalse(Files.exists(path), "the socket goes with the server");
    }

    @Test
    void shouldReachTheOnlyRouterWithoutItsName() throws IOException
    {
        final Path killed = Files.createFile(directory.resolve("killed.sock"));
        final Path other = directory.resolve("other.sock");
        final SortedMap<String, Path> sockets = new TreeMap<>(Map.of("killed", killed));
        assertEquals(
            "no router of this user runs: start one (fibnuma router -c FILE), or become its user (group fibnuma or " +
            "root where systemd runs it)", refusal(sockets));
        listen(ControlServerTest::echo);
        sockets.put("r", path);
        try (ControlClient client = ControlClient.connectToOnly(sockets))
        {
            assertEquals("r", client.name());
            assertEquals("a", client.ask(ControlProtocol.request("a")).get("echo").asText());
        }
        sockets.put("other", other);
        final ControlServer second = ControlServer.start(other, ControlServerTest::echo);
        try
        {
            assertEquals("several routers run: other, r; give the --name of one", refusal(sockets));
        }
        finally
        {
            second.close();
        }
    }

    private static String refusal(final SortedMap<String, Path> sockets)
    {
        return assertThrows(IOException.class, () -> ControlClient.connectToOnly(sockets)).getMessage();
    }

    @Test
    void shouldCarryAnswersLongerThanAnyBuffer() throws IOException
    {
        final String large = "x".repeat(3_000_000);
        final ControlRequestHandler handler =
            (request, answer) -> answer.accept(ControlProtocol.object().put("large", large));
        listen(handler);
        try (ControlClient client = ControlClient.connect("r", path))
        {
            assertEquals(large, client.ask(ControlProtocol.request("large")).get("large").asText());
        }
    }

    @Test
    void shouldSendBytesAfterAnAnswerUntilTheClientWantsTheEnd() throws Exception
    {
        final Numbers numbers = new Numbers();
        listen((request, answer) -> answer.accept(ControlProtocol.object().put("numbers", true), numbers));
        try (ControlClient client = ControlClient.connect("r", path))
        {
            assertTrue(client.ask(ControlProtocol.request("numbers")).get("numbers").asBoolean());
            final ByteBuffer received = ByteBuffer.allocate(1 << 16);
            int expected = 0;
            int count;
            while ((count = client.read(received)) > 0)
            {
                received.flip();
                while (received.remaining() >= Integer.BYTES)
                {
                    assertEquals(expected++, received.getInt());
                }
                received.compact();
                if (expected > 1_000_000 && !numbers.isFinished)
                {
                    client.tell(ControlProtocol.request("stop"));
                }
            }
            assertEquals(-1, count);
            assertEquals(0, received.position());
            assertEquals(numbers.next, expected);
            await(() -> numbers.closed.get() == 1);
        }
    }

    @Test
    void shouldAskForNoMoreBytesThanTheClientReads() throws Exception
    {
        final Numbers numbers = new Numbers();
        listen((request, answer) -> answer.accept(ControlProtocol.object(), numbers));
        try (ControlClient client = ControlClient.connect("r", path))
        {
            client.ask(ControlProtocol.request("numbers"));
            await(() -> numbers.next > 0);
            int before;
            do
            {
                before = numbers.next;
                Thread.sleep(200);
            }
            while (numbers.next != before);
            assertTrue(before * Integer.BYTES < 16 * AnswerStream.ROOM, "bytes: " + before * Integer.BYTES);
            assertEquals(0, numbers.closed.get());
        }
        await(() -> numbers.closed.get() == 1);
    }

    /** A stream of increasing numbers, without an end of its own. */
    private static final class Numbers implements AnswerStream
    {
        private final AtomicInteger closed = new AtomicInteger();
        private volatile int next;
        private volatile boolean isFinished;

        @Override
        public boolean fill(final ByteBuffer room)
        {
            int number = next;
            while (room.hasRemaining() && !isFinished)
            {
                room.putInt(number++);
            }
            next = number;
            return !isFinished;
        }

        @Override
        public void finish()
        {
            isFinished = true;
        }

        @Override
        public void close()
        {
            closed.incrementAndGet();
        }
    }

    @Test
    void shouldBeClosedToOtherUsers() throws IOException
    {
        listen(ControlServerTest::echo);

        assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())));
    }

    @Test
    void shouldReplaceTheSocketOfADeadProcess() throws IOException
    {
        path = directory.resolve("sub").resolve("r.sock");
        Files.createDirectories(path.getParent());
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertTrue(Files.exists(path));
        listen(ControlServerTest::echo);
        try (ControlClient client = ControlClient.connect("r", path))
        {
            assertEquals("a", client.ask(ControlProtocol.request("a")).get("echo").asText());
        }
    }

    @Test
    void shouldSayThatARequestIsNoJson() throws IOException
    {
        listen(ControlServerTest::echo);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
            Scanner answers = new Scanner(Channels.newReader(channel, StandardCharsets.UTF_8)))
        {
            channel.write(ByteBuffer.wrap("{\n".getBytes(StandardCharsets.UTF_8)));
            assertTrue(answers.nextLine().contains("the request is not JSON"));
        }
    }

    @Test
    void shouldThrowWhatTheRouterRefuses() throws IOException
    {
        final ControlRequestHandler handler = (request, answer) -> answer.accept(ControlProtocol.error("not today"));
        listen(handler);
        try (ControlClient client = ControlClient.connect("r", path))
        {
            final IOException refusal =
                assertThrows(IOException.class, () -> client.ask(ControlProtocol.request("a")));
            assertEquals("not today", refusal.getMessage());
        }
    }

    @Test
    void shouldSayThatNobodyListens()
    {
        path = directory.resolve("none.sock");

        final IOException refusal = assertThrows(IOException.class, () -> ControlClient.connect("none", path));

        assertEquals("no router \"none\" of this user runs: no process listens on " + path +
            "; start one, give its --name, or become its user (group fibnuma or root where systemd runs it)",
            refusal.getMessage());
    }

    @Test
    void shouldAnswerOthersWhileClientsAskAndDoNotRead() throws IOException, InterruptedException
    {
        final String large = "x".repeat(LARGE_ANSWER);
        final AtomicInteger handled = new AtomicInteger();
        listen((request, answer) ->
        {
            handled.incrementAndGet();
            answer.accept(ControlProtocol.object().put("large", large));
        });
        final List<SocketChannel> hostile = new ArrayList<>();
        try
        {
            for (int i = 0; i < HOSTILE; i++)
            {
                hostile.add(SocketChannel.open(UnixDomainSocketAddress.of(path)));
                pipelineWithoutReading(hostile.get(i));
            }
            await(() -> handled.get() >= HOSTILE);
            try (ControlClient client = ControlClient.connect("r", path))
            {
                for (int i = 0; i < 50; i++)
                {
                    assertEquals(LARGE_ANSWER, client.ask(ControlProtocol.request("a")).get("large").asText().length());
                    assertTrue(server.pendingBytes() <= (HOSTILE + 1) * (LARGE_ANSWER + 100L), "pending " +
                        server.pendingBytes());
                }
            }
            assertEquals(HOSTILE + 50, handled.get(), "no client is served ahead of what it has read");
        }
        finally
        {
            for (final SocketChannel channel : hostile)
            {
                channel.close();
            }
        }
        await(() -> server.pendingBytes() == 0);
    }

    @Test
    void shouldAnswerPipelinedRequestsInTurn() throws IOException
    {
        listen(ControlServerTest::echo);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
            Scanner answers = new Scanner(Channels.newReader(channel, StandardCharsets.UTF_8)))
        {
            final StringBuilder requests = new StringBuilder();
            for (int i = 0; i < 1000; i++)
            {
                requests.append(i % 3 == 0 ? "{\n" : "{\"request\":\"" + i + "\"}\n");
            }
            channel.write(StandardCharsets.UTF_8.encode(requests.toString()));
            for (int i = 0; i < 1000; i++)
            {
                final String answer = answers.nextLine();
                assertTrue(answer.contains(i % 3 == 0 ? "not JSON" : "\"" + i + "\""), answer);
            }
        }
    }

    @Test
    void shouldSayThatARequestIsTooLong() throws IOException
    {
        listen(ControlServerTest::echo);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
            Scanner answers = new Scanner(Channels.newReader(channel, StandardCharsets.UTF_8)))
        {
            // Without an end of line: it could go on for ever.
            channel.configureBlocking(false);
            final ByteBuffer endless = ByteBuffer.wrap("x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
            channel.write(endless);
            channel.configureBlocking(true);

            assertTrue(answers.nextLine().contains("the request is longer than 65536 bytes"));
            assertFalse(answers.hasNextLine(), "closed");
        }
    }

    @Test
    void shouldSayThatThereAreTooManyClients() throws IOException, InterruptedException
    {
        path = directory.resolve("sub").resolve("r.sock");
        server = ControlServer.start(path, ControlServerTest::echo, new ControlLimits(2, 30_000));
        try (ControlClient first = ControlClient.connect("r", path))
        {
            first.ask(ControlProtocol.request("a"));
            try (ControlClient second = ControlClient.connect("r", path))
            {
                second.ask(ControlProtocol.request("a"));
                try (ControlClient third = ControlClient.connect("r", path))
                {
                    final IOException refusal =
                        assertThrows(IOException.class, () -> third.ask(ControlProtocol.request("a")));
                    assertEquals("2 clients are connected already; ask again when one has gone", refusal.getMessage());
                }
            }
            await(() -> answers("again"));
            first.ask(ControlProtocol.request("a"));
        }
    }

    @Test
    void shouldDropAClientThatDoesNotRead() throws IOException, InterruptedException
    {
        path = directory.resolve("sub").resolve("r.sock");
        final String large = "x".repeat(LARGE_ANSWER);
        server = ControlServer.start(
            path, (request, answer) -> answer.accept(ControlProtocol.object().put("large", large)),
            new ControlLimits(1, 100));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path)))
        {
            channel.write(StandardCharsets.UTF_8.encode("{\"request\":\"a\"}\n"));

            await(() -> answers("again"));
        }
    }

    @Test
    void shouldTakeAnAnswerAfterItsEnd() throws IOException, InterruptedException
    {
        final AtomicReference<Consumer<JsonNode>> asked = new AtomicReference<>();
        listen((request, answer) -> asked.set(answer));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path)))
        {
            channel.write(StandardCharsets.UTF_8.encode("{\"request\":\"a\"}\n"));
            await(() -> asked.get() != null);
            server.close();

            asked.get().accept(ControlProtocol.object());

            assertEquals(-1, channel.read(ByteBuffer.allocate(1)), "closed");
        }
    }

    private boolean answers(final String request)
    {
        try (ControlClient client = ControlClient.connect("r", path))
        {
            client.ask(ControlProtocol.request(request));
            return true;
        }
        catch (final IOException ignore)
        {
            return false;
        }
    }

    /** As many requests as the socket takes. */
    private static void pipelineWithoutReading(final SocketChannel channel) throws IOException
    {
        channel.configureBlocking(false);
        final ByteBuffer requests =
            StandardCharsets.UTF_8.encode("{\"request\":\"routes\"}\n".repeat(10_000));
        channel.write(requests);
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException
    {
        boolean met = condition.getAsBoolean();
        for (int i = 0; i < 3000 && !met; i++)
        {
            Thread.sleep(10);
            met = condition.getAsBoolean();
        }
        assertTrue(met, "not within half a minute");
    }

    private void listen(final ControlRequestHandler handler) throws IOException
    {
        path = directory.resolve("sub").resolve("r.sock");
        server = ControlServer.start(path, handler);
    }

    private static void echo(final JsonNode request, final Consumer<JsonNode> answer)
    {
        answer.accept(ControlProtocol.object().put("echo", request.get(ControlProtocol.REQUEST).asText()));
    }
}
