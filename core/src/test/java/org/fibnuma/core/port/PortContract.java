package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What every kind of port owes its users, tried on two ports with a link between them. Frames are IPv4 to the
 * receiving port's address and to a destination that is nobody's, as a router's are.
 */
public abstract class PortContract
{
    /** Index that the near port is opened with. */
    protected static final int NEAR_INDEX = 3;
    /** Index that the far port is opened with. */
    protected static final int FAR_INDEX = 5;

    private static final int BURST = 30;

    private static final int RING_SIZE = 64;
    private static final int CHUNK_SIZE = 2048;
    private static final int POOL_SIZE = 512;
    private static final long PATIENCE_MS = 5000;
    private static final long SILENCE_MS = 100;
    private static final byte[] FRAME_START = frameStart();

    private MemoryRegion region;
    private FramePool nearPool;
    private FramePool farPool;
    private Port near;
    private Port far;

    /**
     * Opens the port under test and the one at the other end of its link.
     *
     * @param nearPool of the port under test.
     * @param farPool  of the other, in the same region.
     * @param settings of both.
     * @return the near and the far port, not started.
     * @throws Exception where the machine cannot.
     */
    protected abstract Port[] open(FramePool nearPool, FramePool farPool, PortSettings settings) throws Exception;

    /**
     * Bytes of a chunk.
     *
     * @return what is enough for frames of an Ethernet link; more where a port wants more.
     */
    protected int chunkSize()
    {
        return CHUNK_SIZE;
    }

    @BeforeEach
    void openPorts() throws Exception
    {
        region = MemoryRegion.ofChunks(2 * POOL_SIZE, chunkSize());
        nearPool = new FramePool(region, chunkSize(), 0, POOL_SIZE);
        farPool = new FramePool(region, chunkSize(), POOL_SIZE, POOL_SIZE);
        final Port[] ports = open(nearPool, farPool, new PortSettings(RING_SIZE, RING_SIZE, 0, 64, true));
        near = ports[0];
        far = ports[1];
    }

    @AfterEach
    void closePorts()
    {
        closeBoth();
        if (region != null)
        {
            region.close();
        }
    }

    @Test
    void shouldCarryFramesBothWaysByteForByteAndInOrder()
    {
        startBoth();
        for (int round = 0; round < 20; round++)
        {
            final int first = 1000 * round;
            exchange(near, nearPool, far, farPool, FAR_INDEX, frames(far, first, 10 + round));
            exchange(far, farPool, near, nearPool, NEAR_INDEX, frames(near, first, 10 + round));
        }
    }

    @Test
    void shouldCarryShortestAndLongestFrames()
    {
        startBoth();
        final int longest = EthernetHeaderFlyweight.LENGTH + far.mtu();

        exchange(near, nearPool, far, farPool, FAR_INDEX, List.of(
            frame(far, EthernetHeaderFlyweight.MIN_FRAME_LENGTH, 1), frame(far, longest, 2), frame(far, 61, 3),
            frame(far, longest - 1, 4)));
    }

    @Test
    void shouldReceiveNothingBeforeStart()
    {
        far.start();
        send(far, farPool, frames(near, 1, 5));

        assertTrue(receive(near, nearPool, 1, SILENCE_MS).isEmpty());
        near.start();
        final byte[] later = frame(near, 100, 77);
        send(far, farPool, List.of(later));
        final List<byte[]> received = receiveUntil(near, nearPool, later);
        assertArrayEquals(later, received.get(received.size() - 1));
    }

    @Test
    void shouldAddNoMoreThanTheBatchHasRoomFor()
    {
        startBoth();
        final List<byte[]> sent = frames(near, 1, 10);
        send(far, farPool, sent);
        final FrameBatch batch = new FrameBatch();
        final List<byte[]> received = new ArrayList<>();
        final long deadline = deadline(PATIENCE_MS);
        while (received.size() < sent.size() && System.nanoTime() < deadline)
        {
            batch.clear();
            final long mine = nearPool.allocate();
            for (int i = 0; i < FrameBatch.CAPACITY - 3; i++)
            {
                batch.add(mine, mine, 60, 0);
            }
            final int count = near.rxQueue(0).receive(batch);
            assertTrue(count <= 3, "received " + count);
            assertEquals(FrameBatch.CAPACITY - 3 + count, batch.size());
            for (int i = FrameBatch.CAPACITY - 3; i < batch.size(); i++)
            {
                received.add(bytes(batch, i));
                nearPool.release(batch.handle(i));
            }
            nearPool.release(mine);
            far.txQueue(0).flush();
        }
        assertFrames(sent, received);
    }

    @Test
    void shouldLeaveAFrameThatItDoesNotTakeToItsOwner()
    {
        startBoth();
        final byte[] bytes = frame(far, 200, 9);
        int taken = 0;
        long refused = FramePool.NONE;
        while (refused == FramePool.NONE && taken < 8 * RING_SIZE)
        {
            final long chunk = nearPool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            if (offer(near, nearPool, chunk, bytes))
            {
                taken++;
            }
            else
            {
                refused = chunk;
            }
        }
        assertTrue(taken >= RING_SIZE, "took only " + taken);
        if (refused != FramePool.NONE)
        {
            assertEquals(refused, nearPool.handleOf(refused));
            nearPool.release(refused);
        }
        near.txQueue(0).flush();
        final List<byte[]> received = receive(far, farPool, taken, SILENCE_MS);
        assertTrue(received.size() >= RING_SIZE, "received only " + received.size());
        received.forEach(frame -> assertArrayEquals(bytes, frame));
    }

    @Test
    void shouldTakeFramesOfABatchUntilOneFindsNoRoom()
    {
        startBoth();
        final List<byte[]> sent = new ArrayList<>();
        int offered = 0;
        int taken = 0;
        while (taken == offered && sent.size() < 8 * RING_SIZE && nearPool.available() > BURST)
        {
            final FrameBatch batch = new FrameBatch();
            final List<byte[]> frames = frames(far, sent.size(), BURST);
            final long before = nearPool.allocate();
            batch.add(before, before, 0, 0);
            for (final byte[] frame : frames)
            {
                final long chunk = nearPool.allocate();
                FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
                batch.add(chunk, chunk + FramePool.HEADROOM, frame.length, 0);
            }
            nearPool.release(before);
            offered = frames.size();
            taken = near.txQueue(0).offer(batch, 1, batch.size());
            for (int i = 1 + taken; i < batch.size(); i++)
            {
                nearPool.release(batch.handle(i));
            }
            sent.addAll(frames.subList(0, taken));
        }
        near.txQueue(0).flush();

        assertTrue(sent.size() >= RING_SIZE, "took only " + sent.size());
        final List<byte[]> received = receive(far, farPool, RING_SIZE, SILENCE_MS);
        assertFrames(sent.subList(0, RING_SIZE), received);
    }

    @Test
    void shouldGiveEveryChunkBack()
    {
        startBoth();
        for (int round = 0; round < 50; round++)
        {
            exchange(near, nearPool, far, farPool, FAR_INDEX, frames(far, round, 30));
            exchange(far, farPool, near, nearPool, NEAR_INDEX, frames(near, round, 30));
        }
        near.txQueue(0).flush();
        far.txQueue(0).flush();

        closeBoth();

        assertEquals(POOL_SIZE, nearPool.available());
        assertEquals(POOL_SIZE, farPool.available());
    }

    @Test
    void shouldLoseNoChunkOfFramesThatTheLinkDoesNotCarry()
    {
        startBoth();
        final byte[] tooLong = frame(far, EthernetHeaderFlyweight.LENGTH + far.mtu() + 100, 1);
        final byte[] tooShort = new byte[8];
        send(near, nearPool, List.of(tooLong, tooShort));

        final byte[] good = frame(far, 100, 2);
        send(near, nearPool, List.of(good));
        final List<byte[]> received = receiveUntil(far, farPool, good);
        assertArrayEquals(good, received.get(received.size() - 1));
        near.txQueue(0).flush();
        closeBoth();
        assertEquals(2 * POOL_SIZE, nearPool.available() + farPool.available());
    }

    @Test
    void shouldDescribeItself()
    {
        assertEquals(1, near.queueCount());
        assertFalse(near.mode().isEmpty());
        assertTrue(near.device().contains(":"), near.device());
        assertTrue(near.mtu() >= EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH);
        for (final PortCounter counter : PortCounter.values())
        {
            assertEquals(0, near.deviceCounter(counter), counter.label());
        }
        near.localAddress(0x0A00_0001, true);
        near.localAddress(0x0A00_0001, false);
    }

    /**
     * A frame that a router would take.
     *
     * @param receiver whose address it goes to.
     * @param length   in bytes, without FCS.
     * @param sequence goes into every fourth byte of the payload.
     * @return its bytes.
     */
    protected static byte[] frame(final Port receiver, final int length, final int sequence)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(length);
        buffer.put(FRAME_START);
        buffer.putShort(16, (short)(length - EthernetHeaderFlyweight.LENGTH));
        buffer.putShort(0, (short)(receiver.macAddress() >>> Integer.SIZE));
        buffer.putInt(Short.BYTES, (int)receiver.macAddress());
        while (buffer.remaining() >= Integer.BYTES)
        {
            buffer.putInt(sequence * 31 + buffer.position());
        }
        return buffer.array();
    }

    /**
     * Takes frames from a port and gives their chunks back.
     *
     * @param port      to receive from.
     * @param pool      of the port.
     * @param count     how many are awaited.
     * @param silenceMs how long to go on without any.
     * @return as many as came.
     */
    protected static List<byte[]> receive(
        final Port port, final FramePool pool, final int count, final long silenceMs)
    {
        final List<byte[]> received = new ArrayList<>();
        final FrameBatch batch = new FrameBatch();
        long deadline = deadline(silenceMs);
        while (received.size() < count && System.nanoTime() < deadline)
        {
            batch.clear();
            if (port.rxQueue(0).receive(batch) == 0)
            {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
            }
            for (int i = 0; i < batch.size(); i++)
            {
                received.add(bytes(batch, i));
                pool.release(batch.handle(i));
                deadline = deadline(silenceMs);
            }
        }
        return received;
    }

    /**
     * Sends frames and flushes.
     *
     * @param port   to send through.
     * @param pool   of the port.
     * @param frames to send.
     */
    protected static void send(final Port port, final FramePool pool, final List<byte[]> frames)
    {
        for (final byte[] frame : frames)
        {
            assertTrue(offer(port, pool, pool.allocate(), frame));
        }
        port.txQueue(0).flush();
    }

    private void startBoth()
    {
        near.start();
        far.start();
    }

    private void closeBoth()
    {
        if (near != null)
        {
            near.close();
            near = null;
        }
        if (far != null)
        {
            far.close();
            far = null;
        }
    }

    private static boolean offer(final Port port, final FramePool pool, final long chunk, final byte[] frame)
    {
        final long address = chunk + FramePool.HEADROOM;
        FrameMemory.putBytes(address, frame);
        return port.txQueue(0).offer(chunk, address, frame.length);
    }

    private static void exchange(
        final Port from,
        final FramePool fromPool,
        final Port to,
        final FramePool toPool,
        final int ingressIndex,
        final List<byte[]> frames)
    {
        send(from, fromPool, frames);
        final List<byte[]> received = new ArrayList<>();
        final FrameBatch batch = new FrameBatch();
        final long deadline = deadline(PATIENCE_MS);
        while (received.size() < frames.size() && System.nanoTime() < deadline)
        {
            batch.clear();
            to.rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                assertEquals(ingressIndex, batch.ingressPort(i));
                assertTrue(batch.isForward(i));
                assertEquals(batch.handle(i), toPool.handleOf(batch.address(i)));
                received.add(bytes(batch, i));
                toPool.release(batch.handle(i));
            }
            from.txQueue(0).flush();
        }
        assertFrames(frames, received);
    }

    private static List<byte[]> receiveUntil(final Port port, final FramePool pool, final byte[] last)
    {
        final List<byte[]> received = new ArrayList<>();
        final long deadline = deadline(PATIENCE_MS);
        while (System.nanoTime() < deadline)
        {
            received.addAll(receive(port, pool, 1, SILENCE_MS));
            if (!received.isEmpty() && Arrays.equals(last, received.get(received.size() - 1)))
            {
                return received;
            }
        }
        throw new AssertionError("not received within " + PATIENCE_MS + " ms; got " + received.size() + " others");
    }

    private static List<byte[]> frames(final Port receiver, final int first, final int count)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            frames.add(frame(receiver, 60 + 37 * i, first + i));
        }
        return frames;
    }

    private static void assertFrames(final List<byte[]> expected, final List<byte[]> actual)
    {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), actual.get(i), "frame " + i);
        }
    }

    private static byte[] bytes(final FrameBatch batch, final int i)
    {
        final byte[] bytes = new byte[batch.length(i)];
        FrameMemory.getBytes(batch.address(i), bytes);
        return bytes;
    }

    private static long deadline(final long milliseconds)
    {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    /** Ethernet and IPv4 header: 198.51.100.9 to 203.0.113.7, UDP, TTL 64; destination and length come later. */
    private static byte[] frameStart()
    {
        final ByteBuffer start = ByteBuffer.allocate(EthernetHeaderFlyweight.LENGTH + 20);
        start.position(MacAddress.LENGTH);
        start.putShort((short)0x0200).putInt(0x0000_0099).putShort((short)0x0800);
        start.putInt(0x4500_0000).putInt(0).putInt(0x4011_0000).putInt(0xC633_6409).putInt(0xCB00_7107);
        return start.array();
    }
}
