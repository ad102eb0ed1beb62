package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.pingpong.PingPongResult;
import org.fibnuma.ipnuma.pingpong.PingPongThreads;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A process that measures one of the peers between two of its threads and prints the result as JSON. */
final class PeerProgram
{
    /** Argument for the cache line. */
    static final String CACHE_LINE = "cache-line";
    /** Argument for Aeron. */
    static final String AERON_IPC = "aeron-ipc";

    private static final long WARM_UP = 100_000;
    private static final int MEMORY = 4096;
    /** Small, so that the streams stay in the processor's caches, which is Aeron's best case. */
    private static final int TERM_LENGTH = 64 << 10;
    private static final long LONGEST_IDLE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private PeerProgram()
    {
    }

    /**
     * Measures.
     *
     * @param arguments the peer, bytes of a message, round trips, and the limit in seconds.
     * @throws IOException if the result cannot be printed.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final int size = Integer.parseInt(arguments[1]);
        final long trips = Long.parseLong(arguments[2]);
        final int limit = Integer.parseInt(arguments[3]);
        final PingPongResult result = arguments[0].equals(AERON_IPC) ?
            aeron(size, trips, limit) : cacheLine(trips, limit);
        System.out.println(new ObjectMapper().writeValueAsString(result.toMap()));
    }

    private static PingPongResult cacheLine(final long trips, final int limit)
    {
        try (MemoryRegion memory = MemoryRegion.ofBytes(MEMORY))
        {
            return PingPongThreads.run(CACHE_LINE, CacheLineLink.of(memory, true), CacheLineLink.of(memory, false),
                Integer.BYTES, WARM_UP, trips, limit);
        }
    }

    private static PingPongResult aeron(final int size, final long trips, final int limit)
    {
        // Nothing passes the driver while messages are exchanged: its thread sleeps.
        final MediaDriver.Context context = new MediaDriver.Context()
            .aeronDirectoryName("/dev/shm/fibnuma-bench-aeron-" + ProcessHandle.current().pid())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(new BackoffIdleStrategy(1, 1, LONGEST_IDLE_NS, LONGEST_IDLE_NS))
            .ipcTermBufferLength(TERM_LENGTH)
            .termBufferSparseFile(false);
        try (MediaDriver driver = MediaDriver.launchEmbedded(context);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            AeronLink server = AeronLink.of(aeron, size, true);
            AeronLink client = AeronLink.of(aeron, size, false))
        {
            server.awaitConnection();
            client.awaitConnection();
            return PingPongThreads.run(AERON_IPC, server, client, size, WARM_UP, trips, limit);
        }
    }
}
