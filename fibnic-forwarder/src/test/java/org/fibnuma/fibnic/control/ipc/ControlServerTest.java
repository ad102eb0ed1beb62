package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
import java.util.Scanner;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ControlServerTest
{
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
    void shouldBeClosedToOtherUsers() throws IOException
    {
        listen(ControlServerTest::echo);

        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
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
            assertTrue(answers.nextLine().contains("the request is no JSON"));
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

        assertEquals("no router \"none\" of this user runs: nobody listens on " + path +
            "; start one, give its --name, or become its user", refusal.getMessage());
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
