package org.fibnuma.binding.dpdk;

import org.agrona.CloseHelper;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A peer that ends during a burst, or while the port closes: both ends are in this process. */
class MemifConnectionTest
{
    /** A few milliseconds each; {@code JAVA_TOOL_OPTIONS=-Dfibnuma.dpdk.closes=1000} for a long run. */
    private static final int CLOSES = Integer.getInteger("fibnuma.dpdk.closes", 100);
    private static final int CHUNKS = 1024;
    private static final int CHUNK_SIZE = 2048;
    private static final int RING = 64;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** What the driver calls its shared memory (memfd_create(2)). */
    private static final String RINGS = "memfd:memif_region";

    @TempDir
    private Path directory;

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, CHUNK_SIZE);
    private final FramePool serverPool = new FramePool(region, CHUNK_SIZE, CHUNKS, CHUNKS);
    private final FramePool clientPool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
    private DpdkPort server;
    private DpdkPort client;

    @BeforeEach
    void connect()
    {
        RequireDpdk.libraries();
        server = open("server", 1, serverPool);
        client = open("client", 0, clientPool);
        final LinkedPorts link = new LinkedPorts();
        final Port far = link.server(server);
        final Port near = link.client(client);
        far.start();
        near.start();
    }

    private DpdkPort open(final String role, final int index, final FramePool pool)
    {
        return DpdkPort.open(new PortRequest(role, "net_memif" + index + ",role=" + role + ",id=7,socket=" +
            directory.resolve("memif.sock") + ",socket-abstract=no,rsize=6", index, List.of(pool),
            new PortSettings(RING, RING, 0, 64, true)));
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(client, server, region);
    }

    @Test
    void shouldKeepTheRingsForABurstThatHasBegun() throws IOException, InterruptedException
    {
        final MemifConnection connection = server.connection();
        assertNotNull(connection);
        assertTrue(connection.enter());
        assertEquals(2, mappings(), "an end each");

        final Thread closingClient = closing(client);
        awaitLinkDown();
        awaitMappings(1);
        LockSupport.parkNanos(MOMENT_NS);
        assertEquals(1, mappings(), "the server's");

        connection.leave();
        closingClient.join();
        awaitMappings(0);
        assertFalse(connection.enter());
    }

    @Test
    void shouldKeepFramesWithoutAPeer()
    {
        assertTrue(server.connection().enter());
        server.connection().leave();
        client.close();
        awaitLinkDown();
        assertEquals(0, server.rxQueue(0).receive(new FrameBatch()));
        int taken = 0;
        long chunk = serverPool.allocate();
        while (server.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60))
        {
            server.txQueue(0).flush();
            chunk = serverPool.allocate();
            taken++;
        }
        serverPool.release(chunk);
        assertEquals(RING, taken);
        server.close();
        assertEquals(CHUNKS, serverPool.available());
    }

    /** DPDK's interrupt thread frees the rings of an end whose peer has ended, at the same time as this end closes. */
    @Test
    void shouldCloseWhileTheDriverDisconnects() throws InterruptedException
    {
        for (int i = 0; i < CLOSES; i++)
        {
            assertTrue(server.connection().enter());
            final Thread closingClient = closing(client);
            awaitLinkDown();
            final Thread closingServer = closing(server);
            LockSupport.parkNanos(SHORT_NS);
            server.connection().leave();
            closingClient.join();
            closingServer.join();
            connect();
        }
    }

    @Test
    void shouldRefuseALayoutThatItDoesNotKnow() throws IOException
    {
        final String arguments = "net_memif1,role=server,id=7,socket=" + directory.resolve("memif.sock");
        final long device = server.connection().device();
        assertNotNull(MemifConnection.of(device, arguments));
        assertNull(MemifConnection.of(device, arguments.replace("id=7", "id=8")));
        assertNull(MemifConnection.of(device, arguments.replace("server", "client")));
        assertNull(MemifConnection.of(device, arguments + "x"));
        assertNull(MemifConnection.of(0, arguments));
    }

    /**
     * Closes on a thread of its own: closing waits for DPDK's interrupt thread, and that one waits for the end of a
     * burst of the port that it disconnects.
     */
    private static Thread closing(final DpdkPort port)
    {
        final Thread thread = new Thread(port::close, "closing");
        thread.start();
        return thread;
    }

    private void awaitLinkDown()
    {
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (server.linkUp())
        {
            assertTrue(System.nanoTime() < deadline, "still up");
            LockSupport.parkNanos(SHORT_NS);
        }
    }

    private static void awaitMappings(final long count) throws IOException
    {
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (mappings() > count)
        {
            assertTrue(System.nanoTime() < deadline, "not given back");
            LockSupport.parkNanos(MOMENT_NS);
        }
    }

    private static long mappings() throws IOException
    {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps")))
        {
            return lines.filter(line -> line.contains(RINGS)).count();
        }
    }
}
