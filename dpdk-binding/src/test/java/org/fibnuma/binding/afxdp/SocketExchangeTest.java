package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Queues whose sockets are exchanged: rings in plain memory, whose kernel's side is this test. */
class SocketExchangeTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 256;
    private static final int RING = 32;
    private static final int FILL = 2 * RING;
    private static final int NO_FD = -1;
    private static final int ROUNDS = 300;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
    private final MemoryRegion rings = MemoryRegion.ofChunks(4, 4096);
    private final ChunksInKernel chunks = new ChunksInKernel(pool);
    private final XdpTxQueue tx = new XdpTxQueue(pool, chunks);
    private final XdpRxQueue rx = new XdpRxQueue(pool, chunks, tx, new XdpKernelQueue(pool), 0, false);
    private final FrameBatch batch = new FrameBatch();
    private final Deque<Long> received = new ArrayDeque<>();

    /** Indexes of the kernel's side: it consumes FILL and TX, it produces RX and COMPLETION. */
    private final int[] kernel = new int[4];

    @AfterEach
    void close()
    {
        rings.close();
        region.close();
    }

    @Test
    void shouldTakeNothingBeforeThereIsASocket()
    {
        assertEquals(0, rx.receive(batch));
        assertFalse(offer());
        tx.flush();
        assertEquals(CHUNKS, pool.available() + 1);
    }

    @Test
    void shouldFillBeforeTheSocketIsBound()
    {
        openSocket();
        assertEquals(0, rx.receive(batch));
        assertEquals(SocketExchange.Phase.FILLED, rx.exchange().phase());
        assertEquals(FILL, index(0, 0));
        assertEquals(CHUNKS - FILL, pool.available());
    }

    @Test
    void shouldTakeItsChunksBackWhereTheInterfaceRefusesTheSocket()
    {
        openSocket();
        rx.receive(batch);
        rx.exchange().phase(SocketExchange.Phase.CLOSED);
        rx.receive(batch);
        assertEquals(SocketExchange.Phase.EMPTY, rx.exchange().phase());
        assertEquals(CHUNKS, pool.available());
    }

    @Test
    void shouldUseNothingOfASocketThatIsToBeClosed()
    {
        begin();
        assertTrue(offer());
        rx.exchange().phase(SocketExchange.Phase.STOP);
        assertEquals(0, rx.receive(batch));
        assertEquals(SocketExchange.Phase.IDLE, rx.exchange().phase());

        final int published = index(2, 0);
        final long chunk = pool.allocate();
        assertFalse(tx.offer(chunk, chunk, 60));
        pool.release(chunk);
        tx.flush();
        assertEquals(0, rx.receive(batch));
        assertEquals(published, index(2, 0));
        assertEquals(0, index(1, 1));
        assertEquals(CHUNKS - FILL - 1, pool.available(), "chunks come back after the socket is closed");
        assertEquals(1, tx.lost());
    }

    @Test
    void shouldReceiveWhatHasComeInBefore()
    {
        begin();
        deliver(3);
        rx.exchange().phase(SocketExchange.Phase.STOP);
        batch.clear();
        assertEquals(3, rx.receive(batch));
        assertEquals(SocketExchange.Phase.STOP, rx.exchange().phase());
        assertEquals(0, rx.receive(batch));
        assertEquals(SocketExchange.Phase.IDLE, rx.exchange().phase());
        rx.exchange().phase(SocketExchange.Phase.CLOSED);
        rx.receive(batch);
        assertEquals(CHUNKS - 3, pool.available());
    }

    /** The pool refuses a chunk that is released twice; a lost chunk is missing at the end. */
    @Test
    void shouldGiveEveryChunkBackOnce()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++)
        {
            begin();
            for (int i = random.nextInt(60); i > 0; i--)
            {
                useALittle(random);
            }
            if (random.nextInt(4) != 0)
            {
                rx.exchange().phase(SocketExchange.Phase.STOP);
                while (rx.exchange().phase() == SocketExchange.Phase.STOP)
                {
                    receive();
                }
            }
            rx.exchange().phase(SocketExchange.Phase.CLOSED);
            rx.receive(batch);
            assertEquals(SocketExchange.Phase.EMPTY, rx.exchange().phase());
            assertEquals(CHUNKS, pool.available() + received.size(), "seed " + seed + ", round " + round);
        }
        received.forEach(pool::release);
        assertEquals(CHUNKS, pool.available());
    }

    /** The kernel takes chunks, keeps some for good, fills others; the worker sends some of what it received. */
    private void useALittle(final Random random)
    {
        kernel[0] += random.nextInt(Math.min(3, index(0, 0) - kernel[0]) + 1);
        index(0, 1, kernel[0]);
        deliver(random.nextInt(Math.min(4, Math.max(0, RING - (kernel[1] - index(1, 1)))) + 1));
        receive();
        for (int i = random.nextInt(4); i > 0 && !received.isEmpty(); i--)
        {
            final long chunk = received.peek();
            if (tx.offer(chunk, chunk + FramePool.HEADROOM, 60))
            {
                received.remove();
            }
        }
        if (random.nextBoolean())
        {
            tx.flush();
        }
        complete(random.nextInt(Math.min(3, index(2, 0) - kernel[2]) + 1));
        for (int i = random.nextInt(3); i > 0 && !received.isEmpty(); i--)
        {
            pool.release(received.remove());
        }
    }

    private void receive()
    {
        batch.clear();
        rx.receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            received.add(batch.handle(i));
        }
    }

    private void begin()
    {
        openSocket();
        rx.receive(batch);
        rx.exchange().phase(SocketExchange.Phase.READY);
        rx.receive(batch);
        assertTrue(rx.exchange().isInUse());
    }

    /** FILL, RX, TX, COMPLETION in this order: both indexes, flags, then the entries. */
    private void openSocket()
    {
        for (int ring = 0; ring < kernel.length; ring++)
        {
            kernel[ring] = 0;
            index(ring, 0, 0);
            index(ring, 1, 0);
        }
        rx.open(
            new ConsumerRing(at(1), at(1) + 4, at(1) + 64, RING, XdpLayout.DESC_SIZE),
            new ProducerRing(at(0), at(0) + 4, at(0) + 8, at(0) + 64, FILL, Long.BYTES), FILL, NO_FD);
        tx.open(
            new ProducerRing(at(2), at(2) + 4, at(2) + 8, at(2) + 64, RING, XdpLayout.DESC_SIZE),
            new ConsumerRing(at(3), at(3) + 4, at(3) + 64, RING, Long.BYTES), NO_FD, false);
    }

    private boolean offer()
    {
        final long chunk = pool.allocate();
        return tx.offer(chunk, chunk, 60);
    }

    /** Frames come in, into chunks of the FILL ring. */
    private void deliver(final int count)
    {
        for (int i = 0; i < count && kernel[0] != index(0, 0); i++)
        {
            final long offset = UnsafeApi.getLong(at(0) + 64 + (long)(kernel[0]++ & FILL - 1) * Long.BYTES);
            index(0, 1, kernel[0]);
            final long entry = at(1) + 64 + (long)(kernel[1]++ & RING - 1) * XdpLayout.DESC_SIZE;
            UnsafeApi.putLong(entry + XdpLayout.DESC_ADDR_OFFSET, offset + FramePool.HEADROOM);
            UnsafeApi.putInt(entry + XdpLayout.DESC_LEN_OFFSET, 60);
        }
        index(1, 0, kernel[1]);
    }

    private void complete(final int count)
    {
        for (int i = 0; i < count && kernel[3] - index(3, 1) < RING; i++)
        {
            final long entry = at(2) + 64 + (long)(kernel[2]++ & RING - 1) * XdpLayout.DESC_SIZE;
            UnsafeApi.putLong(at(3) + 64 + (long)(kernel[3]++ & RING - 1) * Long.BYTES,
                UnsafeApi.getLong(entry + XdpLayout.DESC_ADDR_OFFSET));
        }
        index(2, 1, kernel[2]);
        index(3, 0, kernel[3]);
    }

    private long at(final int ring)
    {
        return rings.address() + ring * 4096L;
    }

    /** The producer index of a ring, or the consumer index. */
    private int index(final int ring, final int which)
    {
        return UnsafeApi.getInt(at(ring) + (long)which * Integer.BYTES);
    }

    private void index(final int ring, final int which, final int value)
    {
        UnsafeApi.putInt(at(ring) + (long)which * Integer.BYTES, value);
    }
}
