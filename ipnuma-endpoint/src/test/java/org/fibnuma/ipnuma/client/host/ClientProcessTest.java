package org.fibnuma.ipnuma.client.host;

import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.Require;
import org.fibnuma.core.Signal;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.EndpointLostException;
import org.fibnuma.ipnuma.client.HalfRecordClient;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests clients and endpoints in processes of their own, which are killed. */
@Timeout(120)
class ClientProcessTest
{
    /** Longer than a busy machine lets a new process wait for a core. */
    private static final int TIMEOUT_MS = 1500;
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);

    private final Path directory = LoopbackEndpoint.directory("processes");
    private Process process;

    @AfterEach
    void removeAll() throws InterruptedException
    {
        if (process != null)
        {
            process.destroyForcibly();
            process.waitFor(5, TimeUnit.SECONDS);
        }
        LoopbackEndpoint.remove(directory);
    }

    @Test
    void shouldRevokeTheRegionsOfAKilledClient() throws Exception
    {
        try (LoopbackEndpoint endpoint = new LoopbackEndpoint(directory, TIMEOUT_NS, 2).start())
        {
            start(RegionClient.class, "victim");
            try (RegionMapping victim = RegionMapping.open(directory.resolve("regions/victim")))
            {
                assertEquals(RegionState.OPEN, victim.state());
                process.destroyForcibly();
                TestHost.await(() -> victim.state() == RegionState.REVOKED);
                assertEquals(1, endpoint.rings().diedCount());
                // Its file is removed right after its state is set.
                TestHost.await(() -> Files.notExists(directory.resolve("regions/victim")));
            }
        }
    }

    @Test
    void shouldKeepThePlaceOfAStoppedClientFromOthers() throws Exception
    {
        try (LoopbackEndpoint endpoint = new LoopbackEndpoint(directory, TIMEOUT_NS, 1).start())
        {
            start(RegionClient.class, "victim");
            Signal.send("STOP", process.pid());
            TestHost.await(() -> endpoint.rings().diedCount() == 1);
            assertTrue(assertThrows(UserException.class, () -> EndpointClient.connect(directory, AnswerListener.NONE))
                .getMessage().contains("all 1 "));
            process.destroyForcibly().waitFor();
            TestHost.await(() -> canConnect());
        }
    }

    @Test
    void shouldServeOthersWhereAClientDiedInTheMiddleOfARecord() throws Exception
    {
        try (LoopbackEndpoint endpoint = new LoopbackEndpoint(directory, TIMEOUT_NS, 2).start();
            EndpointClient other = EndpointClient.connect(directory, AnswerListener.NONE))
        {
            start(HalfRecordClient.class, Integer.toString(LoopbackEndpoint.BOX));
            final RegionMapping box = endpoint.box().mapping();
            TestHost.await(() -> box.getLongAcquire(0) == 77);
            final RemoteWindow window = other.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putLong(16, 5);
            window.flush();
            TestHost.await(() -> box.getLongAcquire(16) == 5);
            assertEquals(0, box.getLongAcquire(8));
            process.waitFor();
            TestHost.await(() -> endpoint.rings().diedCount() == 1);
            TestHost.await(() -> canConnect());
        }
    }

    @Test
    void shouldTellTheClientThatItsEndpointWasKilledAndServeItByTheNext() throws Exception
    {
        Files.createDirectories(directory);
        start(LoopbackEndpoint.class, Integer.toString(TIMEOUT_MS));
        final EndpointClient client = EndpointClient.connect(directory, AnswerListener.NONE);
        try (RegionMapping box = client.region("box"))
        {
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putLong(0, 11);
            window.flush();
            TestHost.await(() -> box.getLongAcquire(0) == 11);
            process.destroyForcibly().waitFor();
            TestHost.await(() -> isLost(client, message -> message.contains("no heartbeat")));
            assertThrows(EndpointLostException.class, () -> EndpointClient.connect(directory, AnswerListener.NONE));
            try (LoopbackEndpoint next = new LoopbackEndpoint(directory, TIMEOUT_NS, 2).start();
                EndpointClient again = EndpointClient.connect(directory, AnswerListener.NONE))
            {
                assertTrue(next.box().isRecovered());
                assertEquals(RegionState.RECOVERED, box.state());
                final RemoteWindow through = again.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
                through.putLong(8, 12);
                through.flush();
                TestHost.await(() -> box.getLongAcquire(8) == 12);
                assertEquals(11, box.getLongAcquire(0));
            }
        }
        client.close();
    }

    @Test
    void shouldServeAProgramInC(@TempDir final Path temporary) throws Exception
    {
        Require.program("gcc", "gcc libc6-dev");
        final Path source = Require.projectDirectory().resolve("ipnuma-endpoint/src/main/c/numa_client.c");
        final Path program = temporary.resolve("numa_client");
        final Process gcc = new ProcessBuilder("gcc", "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror",
            "-O2", "-o", program.toString(), source.toString()).inheritIO().start();
        assertEquals(0, gcc.waitFor());
        try (LoopbackEndpoint endpoint = new LoopbackEndpoint(directory, TIMEOUT_NS, 2).start())
        {
            process = new ProcessBuilder(program.toString(), directory.resolve("clients").toString(), "box",
                Integer.toString(LoopbackEndpoint.PEER), Integer.toString(LoopbackEndpoint.BOX), "4711")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            final RegionMapping box = endpoint.box().mapping();
            TestHost.await(() -> box.getLongAcquire(8) == 4711);
            box.putLongRelease(0, 815);
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            assertEquals("815\n", new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            TestHost.await(() -> endpoint.rings().clientCount() == 0);
            assertEquals(0, endpoint.rings().diedCount());
        }
    }

    private void start(final Class<?> program, final String argument) throws IOException
    {
        process = ChildJvm.start(program, directory.toString(), argument);
        assertEquals('r', process.getInputStream().read());
    }

    private boolean canConnect()
    {
        try (EndpointClient client = EndpointClient.connect(directory, AnswerListener.NONE))
        {
            assertNotNull(client);
            return true;
        }
        catch (final UserException ignore)
        {
            return false;
        }
    }

    private static boolean isLost(final EndpointClient client, final Predicate<String> saying)
    {
        try
        {
            client.poll();
            return false;
        }
        catch (final EndpointLostException ex)
        {
            return saying.test(ex.getMessage());
        }
    }
}
