package org.fibnuma.core.port.memory;

import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Behaviour of memory links only. */
@Timeout(60)
class MemoryLinkTest
{
    private static final int CHUNKS = 512;
    private static final PortSettings SETTINGS = new PortSettings(64, 64, 0, 0, false);

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, 4096);
    private final MemoryRegion otherRegion = MemoryRegion.ofChunks(CHUNKS, 2048);
    private final FramePool pool = new FramePool(region, 4096, 0, CHUNKS);
    private final FramePool neighbour = new FramePool(region, 4096, CHUNKS, CHUNKS);
    private final FramePool stranger = new FramePool(otherRegion, 2048, 0, CHUNKS);
    private final FrameBatch batch = new FrameBatch();

    @AfterEach
    void closeRegions()
    {
        region.close();
        otherRegion.close();
    }

    @Test
    void shouldHandOverWithinARegionAndCopyBetweenTwo()
    {
        try (Port near = open("mem:x", pool); Port far = open("mem:x@far", neighbour))
        {
            far.start();
            final long sent = send(near, pool, 60, 1);
            assertEquals(1, far.rxQueue(0).receive(batch));
            assertEquals(sent, batch.handle(0));
            neighbour.release(batch.handle(0));
        }
        batch.clear();
        try (Port near = open("mem:x", pool); Port far = open("mem:x@far", stranger))
        {
            near.start();
            far.start();
            send(near, pool, 1500, 2);
            assertEquals(1, far.rxQueue(0).receive(batch));
            assertEquals(stranger.handleOf(batch.address(0)), batch.handle(0));
            assertTrue(otherRegion.contains(batch.address(0)));
            assertEquals(1500, batch.length(0));
            assertEquals(2, FrameMemory.getByte(batch.address(0) + 1499));
            stranger.release(batch.handle(0));
            near.txQueue(0).flush();
            assertEquals(CHUNKS, pool.available());
            assertEquals(CHUNKS, stranger.available());
        }
    }

    @Test
    void shouldCountFramesThatDoNotFitTheReceiversChunks()
    {
        try (Port near = open("mem:x", pool); Port far = open("mem:x@far", stranger))
        {
            far.start();
            send(near, pool, 1793, 1);
            send(near, pool, 1792, 2);
            assertEquals(1, far.rxQueue(0).receive(batch));
            assertEquals(1792, batch.length(0));
            assertEquals(1, far.deviceCounter(PortCounter.RX_DROPPED));
            near.txQueue(0).flush();
            assertEquals(CHUNKS, pool.available());
        }
    }

    @Test
    void shouldLoseNoChunkWhereTheSenderSeldomFlushesAndTheReceiverIsFast()
    {
        try (Port near = open("mem:x", pool); Port far = open("mem:x@far", neighbour))
        {
            far.start();
            for (int round = 0; round < 40; round++)
            {
                for (int i = 0; i < 64; i++)
                {
                    final long chunk = pool.allocate();
                    assertTrue(near.txQueue(0).offer(chunk, chunk, 60));
                }
                near.txQueue(0).flush();
                batch.clear();
                assertEquals(64, far.rxQueue(0).receive(batch));
                for (int i = 0; i < batch.size(); i++)
                {
                    neighbour.release(batch.handle(i));
                }
            }
            near.txQueue(0).flush();
            assertEquals(CHUNKS, pool.available());
            assertEquals(CHUNKS, neighbour.available());
        }
    }

    @Test
    void shouldRefuseAnEndThatIsOpenAndOtherNumbersOfQueues()
    {
        try (Port near = open("mem:x", pool))
        {
            assertEquals("mem:x", near.device());
            assertEquals("port p: this end of mem:x is already open",
                assertThrows(UserException.class, () -> open("mem:x", neighbour)).getMessage());
            assertEquals("port p: mem:x has 1 queues, but 2 are requested",
                assertThrows(UserException.class, () -> open("mem:x@far", pool, neighbour)).getMessage());
        }
        assertTrue(assertThrows(UserException.class, () -> open("mem:", pool))
            .getMessage().contains("mem: needs a name"));
        assertTrue(assertThrows(UserException.class, () -> open("mem:@far", pool))
            .getMessage().contains("mem: needs a name"));
    }

    @Test
    void shouldNotCloseTheEndOfItsSuccessor()
    {
        final Port first = open("mem:x", pool);
        first.close();
        try (Port second = open("mem:x", pool))
        {
            first.close();
            assertEquals("memory", second.mode());
            assertEquals("port p: this end of mem:x is already open",
                assertThrows(UserException.class, () -> open("mem:x", neighbour)).getMessage());
        }
    }

    @Test
    @Tag("stress")
    void shouldCarryEveryFrameBetweenTwoThreads() throws InterruptedException
    {
        final int count = 200_000;
        try (Port near = open("mem:x", pool); Port far = open("mem:x@far", stranger))
        {
            far.start();
            final Thread sender = new Thread(() -> sendNumbers(near, count));
            sender.start();
            int seen = 0;
            while (seen < count)
            {
                batch.clear();
                if (far.rxQueue(0).receive(batch) == 0)
                {
                    Thread.yield();
                }
                for (int i = 0; i < batch.size(); i++)
                {
                    assertEquals(seen, FrameMemory.getInt(batch.address(i)));
                    assertEquals(60 + seen % 100, batch.length(i));
                    seen++;
                    stranger.release(batch.handle(i));
                }
            }
            sender.join();
            near.txQueue(0).flush();
        }
        assertEquals(CHUNKS, pool.available());
        assertEquals(CHUNKS, stranger.available());
    }

    private void sendNumbers(final Port near, final int count)
    {
        int sent = 0;
        while (sent < count)
        {
            final long chunk = pool.allocate();
            if (chunk != FramePool.NONE)
            {
                FrameMemory.putInt(chunk + FramePool.HEADROOM, sent);
                if (near.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60 + sent % 100))
                {
                    sent++;
                }
                else
                {
                    pool.release(chunk);
                }
            }
            if (chunk == FramePool.NONE || sent % 16 == 0)
            {
                near.txQueue(0).flush();
                Thread.yield();
            }
        }
        near.txQueue(0).flush();
    }

    private static long send(final Port port, final FramePool pool, final int length, final int last)
    {
        final long chunk = pool.allocate();
        final long address = chunk + FramePool.HEADROOM;
        FrameMemory.putByte(address + length - 1, last);
        assertTrue(port.txQueue(0).offer(chunk, address, length));
        port.txQueue(0).flush();
        return chunk;
    }

    private static Port open(final String device, final FramePool... pools)
    {
        return Ports.open(new PortRequest("p", device, 0, List.of(pools), SETTINGS));
    }
}
