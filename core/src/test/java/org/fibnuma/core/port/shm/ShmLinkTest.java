package org.fibnuma.core.port.shm;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.SharedMemoryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.SharedFiles;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Behaviour of links between processes only: ownership of the ends, and dead and malicious processes. */
class ShmLinkTest
{
    static final int CHUNKS = 256;
    static final int CHUNK = 2048;
    static final int RING = 64;
    private static final int LATE_ERRORS = 4;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private final String name = "test-" + ProcessHandle.current().pid();
    private final Path directory = SharedMemoryDirectory.path().resolve("fibnuma-link-" + name);
    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK);
    private final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final FrameBatch batch = new FrameBatch();

    @AfterEach
    void after()
    {
        region.close();
        assertFalse(Files.exists(directory), "left behind: " + directory);
    }

    static Port open(final String device, final FramePool pool, final int ringSize)
    {
        return Ports.open(new PortRequest(
            "p", device, 0, List.of(pool), new PortSettings(ringSize, ringSize, 0, 0, false)));
    }

    private void send(final Port port, final int number)
    {
        final long chunk = pool.allocate();
        FrameMemory.putInt(chunk, number);
        assertTrue(port.txQueue(0).offer(chunk, chunk, 60));
        port.txQueue(0).flush();
    }

    /** The number in the next frame, or -1 where none comes. */
    private int receive(final Port port, final long patienceNs)
    {
        final long deadline = System.nanoTime() + patienceNs;
        while (System.nanoTime() - deadline < 0)
        {
            batch.clear();
            if (port.rxQueue(0).receive(batch) > 0)
            {
                final int number = FrameMemory.getInt(batch.address(batch.size() - 1));
                for (int i = 0; i < batch.size(); i++)
                {
                    pool.release(batch.handle(i));
                }
                return number;
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
        return -1;
    }

    @Test
    void shouldGiveAnEndToOneAlone()
    {
        try (Port near = open("shm:" + name, pool, RING))
        {
            final UserException refused = assertThrows(UserException.class, () -> open(near.device(), pool, RING));
            assertTrue(refused.getMessage().contains("a running process has this end"), refused.getMessage());
        }
        open("shm:" + name, pool, RING).close();
    }

    @Test
    void shouldRefuseRingsOfAnotherSize()
    {
        try (Port near = open("shm:" + name, pool, RING))
        {
            final UserException refused =
                assertThrows(UserException.class, () -> open(near.device() + "@far", pool, 2 * RING));
            assertTrue(refused.getMessage().contains("1 queues of 64 frames, this end needs 1 of 128"),
                refused.getMessage());
        }
    }

    @Test
    void shouldRefuseWhatIsNoName()
    {
        for (final String wrong : List.of("", "@far", "a/b", "..", "x".repeat(65)))
        {
            final UserException refused = assertThrows(UserException.class, () -> open("shm:" + wrong, pool, RING));
            assertTrue(refused.getMessage().contains("a link needs a name"), refused.getMessage());
        }
    }

    @Test
    void shouldNotReadBeyondASlotWhateverThePeerWrites() throws IOException
    {
        final Random random = new Random(2048);
        try (Port near = open("shm:" + name, pool, RING);
            FileChannel channel = FileChannel.open(
                directory.resolve("rings"), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            near.start();
            final UnsafeBuffer file =
                new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
            for (int round = 0; round < 20_000; round++)
            {
                for (int i = 0; i < 4; i++)
                {
                    final int offset = 4096 + random.nextInt((int)channel.size() - 4096 - Long.BYTES);
                    file.putLong(offset, random.nextLong());
                    // The positions are at the starts of the rings, where random writes are too rare.
                    file.putLong(4096 + (random.nextInt(64) << 3), random.nextLong() >> random.nextInt(64));
                }
                batch.clear();
                near.rxQueue(0).receive(batch);
                for (int i = 0; i < batch.size(); i++)
                {
                    assertTrue(batch.length(i) >= 0 && batch.length(i) <= CHUNK - FramePool.HEADROOM);
                    pool.release(batch.handle(i));
                }
                if (pool.available() > 0)
                {
                    final long chunk = pool.allocate();
                    if (!near.txQueue(0).offer(chunk, chunk, random.nextInt(CHUNK)))
                    {
                        pool.release(chunk);
                    }
                    near.txQueue(0).flush();
                }
            }
            assertEquals(CHUNKS, pool.available());
            assertTrue(near.deviceCounter(PortCounter.RX_DROPPED) > 0);
        }
    }

    @Test
    void shouldReceiveAgainWhateverPositionThePeerStored() throws IOException
    {
        final long[] positions = {
            -1, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE, 0x8000_0000_7fff_ffffL, -(1L << 32) + 5, RING + 1};
        try (Port near = open("shm:" + name, pool, RING);
            FileChannel channel = FileChannel.open(
                directory.resolve("rings"), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            near.start();
            final UnsafeBuffer file =
                new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
            // The second ring, from the far end to the near one, in the layout of DescriptorRing.
            final int tail = 4096 + RING * 2048 + 2048;
            final int head = tail + 128;
            for (final long position : positions)
            {
                file.putLong(tail, file.getLong(head) + position);
                batch.clear();
                assertEquals(0, near.rxQueue(0).receive(batch));
                assertEquals(file.getLong(tail), file.getLong(head));
            }
            assertEquals(positions.length, near.deviceCounter(PortCounter.RX_DROPPED));
            try (Port far = open("shm:" + name + "@far", pool, RING))
            {
                far.start();
                send(far, 7);
                assertEquals(7, receive(near, PATIENCE_NS));
                // The consumer of the other ring cannot be ahead of its producer: the ring stays full.
                for (int i = 0; i < RING; i++)
                {
                    send(near, i);
                }
                final long chunk = pool.allocate();
                for (final long position : new long[] {-1, RING + 1, Long.MIN_VALUE})
                {
                    file.putLong(4096 + 128, position);
                    assertFalse(near.txQueue(0).offer(chunk, chunk, 60));
                }
                file.putLong(4096 + 128, 1);
                assertTrue(near.txQueue(0).offer(chunk, chunk, 60));
            }
        }
    }

    @Test
    void shouldSurviveThatAPeerCutsItsFileAndServeOtherLinks() throws IOException
    {
        try (Port otherNear = open("shm:" + name + "-other", pool, RING);
            Port otherFar = open("shm:" + name + "-other@far", pool, RING))
        {
            otherNear.start();
            otherFar.start();
            for (int round = 0; round < 20; round++)
            {
                final int number = round;
                cutAndUse(round % 2 == 0 ? 0 : 4096 + 128);
                awaitTurn(() -> carries(otherNear, otherFar, number));
            }
        }
    }

    /** A link whose file is truncated during use may lose frames or stop until it is opened again. */
    private void cutAndUse(final long length) throws IOException
    {
        try (Port near = open("shm:" + name, pool, RING);
            Port far = open("shm:" + name + "@far", pool, RING);
            FileChannel channel = FileChannel.open(directory.resolve("rings"), StandardOpenOption.WRITE))
        {
            near.start();
            far.start();
            awaitTurn(() -> carries(near, far, 1));
            channel.truncate(length);
            for (int i = 0; i < 10; i++)
            {
                dutyCycle(() -> carries(near, far, 2));
            }
        }
    }

    private boolean carries(final Port from, final Port to, final int number)
    {
        offer(from, number);
        return receive(to, TimeUnit.MILLISECONDS.toNanos(1)) == number;
    }

    private void awaitTurn(final Callable<Boolean> work)
    {
        final long deadline = System.nanoTime() + PATIENCE_NS;
        boolean done = false;
        while (!done && System.nanoTime() - deadline < 0)
        {
            done = dutyCycle(work);
        }
        assertTrue(done);
    }

    private void offer(final Port port, final int number)
    {
        final long chunk = pool.allocate();
        FrameMemory.putInt(chunk, number);
        if (!port.txQueue(0).offer(chunk, chunk, 60))
        {
            pool.release(chunk);
        }
        port.txQueue(0).flush();
    }

    /** Runs a duty cycle and waits for the errors of its accesses to truncated memory, which may come late. */
    private static boolean dutyCycle(final Callable<Boolean> work)
    {
        boolean done = false;
        for (int i = 0; i < LATE_ERRORS; i++)
        {
            try
            {
                if (i == 0)
                {
                    done = work.call();
                }
                SharedFiles.restore();
            }
            catch (final InternalError ignore)
            {
                done = false;
            }
            catch (final Exception ex)
            {
                throw new AssertionError(ex);
            }
        }
        return done;
    }

    @Test
    void shouldGoOnAfterThePeerWasKilled() throws IOException, InterruptedException
    {
        try (Port near = open("shm:" + name, pool, RING))
        {
            near.start();
            int number = 0;
            for (int life = 0; life < 2; life++)
            {
                final Process peer = ChildJvm.start(ShmEcho.class, "shm:" + name + "@far");
                try
                {
                    assertEquals('r', peer.getInputStream().read());
                    for (int i = 0; i < 5 * RING; i++)
                    {
                        send(near, ++number);
                        assertEquals(number, receive(near, PATIENCE_NS));
                    }
                }
                finally
                {
                    peer.destroyForcibly().waitFor();
                }
                // These are not received; the next peer must not receive them.
                send(near, -2);
                send(near, -3);
            }
        }
    }
}
