package org.fibnuma.bench.ipnuma;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two hosts with an endpoint and a program each; the server is killed while the client waits. */
@Timeout(300)
@NamespaceTest
class StreamSystemTest
{
    private static final String IPNUMA = "org.fibnuma.ipnuma.command.IpnumaCommand";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final String prefix = "stream-" + ProcessHandle.current().pid() + "-";
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @TempDir
    private Path directory;
    private Host a;
    private Host b;

    @BeforeEach
    void openHosts()
    {
        a = keep(Host.open("a"));
        b = keep(Host.open("b"));
        a.connect("va", b, "vb", 1500);
    }

    @AfterEach
    void closeAll()
    {
        CloseHelper.closeAll(open);
        assertFalse(Files.exists(CountersFile.directoryOf(prefix + 1)), "something is left in shared memory");
        assertFalse(Files.exists(CountersFile.directoryOf(prefix + 2)), "something is left in shared memory");
    }

    @Test
    void shouldFailAClientWhoseServerIsKilled() throws IOException
    {
        fail(StreamProgram.class, "echoed hello");
    }

    @Test
    void shouldEchoBetweenProgramsOfNettyAndFailTheClientWhoseServerIsKilled() throws IOException
    {
        fail(NettyProgram.class, "echoed 300000").awaitLine("closed"::equals, PATIENCE);
    }

    private ChildProcess fail(final Class<?> main, final String echoed) throws IOException
    {
        endpoint(a, "va", 1, 2);
        endpoint(b, "vb", 2, 1);
        final ChildProcess server = program(b, main, "server", 2);
        server.awaitLine("listening"::equals, PATIENCE);
        final ChildProcess client = program(a, main, "client", 1);
        assertEquals(echoed, client.awaitLine(line -> true, PATIENCE));
        server.kill();
        final String failure = client.awaitLine(line -> !line.startsWith("echoed"), PATIENCE);
        assertTrue(failure.startsWith("failed peer 2 is lost, or the program there has ended"), failure);
        assertEquals(0, client.awaitExit(PATIENCE), () -> client.errors().toString());
        return client;
    }

    private void endpoint(final Host host, final String device, final int id, final int peer) throws IOException
    {
        final Path config = StreamEndpointFile.write(
            directory, prefix + id, "xdp:" + device, id, peer, "client-timeout-ms = 1000");
        keep(host.start(JavaProgram.command(IPNUMA, "endpoint", "-c", config.toString())))
            .awaitLine("ready"::equals, PATIENCE);
    }

    private ChildProcess program(final Host host, final Class<?> main, final String role, final int id)
    {
        return keep(host.start(JavaProgram.command(
            main.getName(), role, prefix + id, Integer.toString(id))));
    }

    private <T extends AutoCloseable> T keep(final T resource)
    {
        open.push(resource);
        return resource;
    }
}
