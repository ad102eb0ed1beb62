package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.VlanTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.fibnuma.core.port.ContractFrames.assertFrames;
import static org.fibnuma.core.port.ContractFrames.bytes;
import static org.fibnuma.core.port.ContractFrames.frame;
import static org.fibnuma.core.port.ContractFrames.frames;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Behaviour of every kind of port, tested with two ports and a link between them. Frames are IPv4 to the receiving
 * port's MAC address and to an unused destination, as frames to be forwarded are.
 */
public abstract class PortContract
{
    /** Index of the near port. */
    protected static final int NEAR_INDEX = 3;
    /** Index of the far port. */
    protected static final int FAR_INDEX = 5;

    private static final int BURST = 30;

    private static final int RING_SIZE = 64;
    private static final int CHUNK_SIZE = 2048;
    private static final int POOL_SIZE = 512;

    private MemoryRegion region;
    private PortEnd near;
    private PortEnd far;
    private boolean open;

    /**
     * Opens the port under test and the one at the other end of its link.
     *
     * @param nearPool of the port under test.
     * @param farPool  of the other, in the same region.
     * @param settings of both.
     * @return the near and the far port, not started.
     * @throws Exception if the machine does not support the port.
     */
    protected abstract Port[] open(FramePool nearPool, FramePool farPool, PortSettings settings) throws Exception;

    /** Returns the size of a chunk in bytes: enough for Ethernet frames, or more if a port needs more. */
    protected int chunkSize()
    {
        return CHUNK_SIZE;
    }

    @BeforeEach
    void openPorts() throws Exception
    {
        region = MemoryRegion.ofChunks(2 * POOL_SIZE, chunkSize());
        final FramePool nearPool = new FramePool(region, chunkSize(), 0, POOL_SIZE);
        final FramePool farPool = new FramePool(region, chunkSize(), POOL_SIZE, POOL_SIZE);
        final Port[] ports = open(nearPool, farPool, new PortSettings(RING_SIZE, RING_SIZE, 0, 64, true));
        near = new PortEnd(ports[0], nearPool, NEAR_INDEX);
        far = new PortEnd(ports[1], farPool, FAR_INDEX);
        open = true;
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
            near.exchange(far, frames(far, first, 10 + round));
            far.exchange(near, frames(near, first, 10 + round));
        }
    }

    @Test
    void shouldCarryFramesThatBeginInTheHeadroom()
    {
        startBoth();
        final List<byte[]> frames = frames(far, 1, 10);
        for (final byte[] frame : frames)
        {
            assertTrue(near.offer(near.pool().allocate(), FramePool.HEADROOM - VlanTag.DOUBLE_LENGTH, frame));
        }
        near.flush();
        far.expect(near, frames);
    }

    @Test
    void shouldCarryShortestAndLongestFrames()
    {
        startBoth();
        final int longest = EthernetHeaderFlyweight.LENGTH + far.port().mtu();

        near.exchange(far, List.of(
            frame(far, EthernetHeaderFlyweight.MIN_FRAME_LENGTH, 1), frame(far, longest, 2), frame(far, 61, 3),
            frame(far, longest - 1, 4)));
    }

    @Test
    void shouldReceiveNothingBeforeStart()
    {
        far.port().start();
        far.send(frames(near, 1, 5));

        assertTrue(near.receive(1).isEmpty());
        near.port().start();
        final byte[] later = frame(near, 100, 77);
        far.send(List.of(later));
        final List<byte[]> received = near.receiveUntil(later);
        assertArrayEquals(later, received.get(received.size() - 1));
    }

    @Test
    void shouldAddNoMoreThanTheBatchHasRoomFor()
    {
        startBoth();
        final List<byte[]> sent = frames(near, 1, 10);
        far.send(sent);
        final FrameBatch batch = new FrameBatch();
        final List<byte[]> received = new ArrayList<>();
        final long deadline = PortEnd.deadline(PortEnd.PATIENCE_MS);
        while (received.size() < sent.size() && System.nanoTime() < deadline)
        {
            batch.clear();
            final long mine = near.pool().allocate();
            for (int i = 0; i < FrameBatch.CAPACITY - 3; i++)
            {
                batch.add(mine, mine, 60, 0);
            }
            final int count = near.port().rxQueue(0).receive(batch);
            assertTrue(count <= 3, "received " + count);
            assertEquals(FrameBatch.CAPACITY - 3 + count, batch.size());
            for (int i = FrameBatch.CAPACITY - 3; i < batch.size(); i++)
            {
                received.add(bytes(batch, i));
                near.pool().release(batch.handle(i));
            }
            near.pool().release(mine);
            far.flush();
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
            final long chunk = near.pool().allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            if (near.offer(chunk, bytes))
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
            assertEquals(refused, near.pool().handleOf(refused));
            near.pool().release(refused);
        }
        near.flush();
        final List<byte[]> received = far.receive(taken);
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
        while (taken == offered && sent.size() < 8 * RING_SIZE && near.pool().available() > BURST)
        {
            final FrameBatch batch = new FrameBatch();
            final List<byte[]> frames = frames(far, sent.size(), BURST);
            final long before = near.pool().allocate();
            batch.add(before, before, 0, 0);
            for (final byte[] frame : frames)
            {
                final long chunk = near.pool().allocate();
                FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
                batch.add(chunk, chunk + FramePool.HEADROOM, frame.length, 0);
            }
            near.pool().release(before);
            offered = frames.size();
            taken = near.port().txQueue(0).offer(batch, 1, batch.size());
            for (int i = 1 + taken; i < batch.size(); i++)
            {
                near.pool().release(batch.handle(i));
            }
            sent.addAll(frames.subList(0, taken));
        }
        near.flush();

        assertTrue(sent.size() >= RING_SIZE, "took only " + sent.size());
        final List<byte[]> received = far.receive(RING_SIZE);
        assertTrue(received.size() >= RING_SIZE, "only " + received.size() + " arrived");
        assertFrames(sent.subList(0, received.size()), received);
    }

    @Test
    void shouldGiveEveryChunkBack()
    {
        startBoth();
        for (int round = 0; round < 50; round++)
        {
            near.exchange(far, frames(far, round, 30));
            far.exchange(near, frames(near, round, 30));
        }
        near.flush();
        far.flush();

        closeBoth();

        assertEquals(POOL_SIZE, near.pool().available());
        assertEquals(POOL_SIZE, far.pool().available());
    }

    @Test
    void shouldLoseNoChunkOfFramesThatTheLinkDoesNotCarry()
    {
        startBoth();
        final byte[] tooLong = frame(far, EthernetHeaderFlyweight.LENGTH + far.port().mtu() + 100, 1);
        final byte[] tooShort = new byte[8];
        near.send(List.of(tooLong, tooShort));

        final byte[] good = frame(far, 100, 2);
        near.send(List.of(good));
        final List<byte[]> received = far.receiveUntil(good);
        assertArrayEquals(good, received.get(received.size() - 1));
        near.flush();
        closeBoth();
        assertEquals(2 * POOL_SIZE, near.pool().available() + far.pool().available());
    }

    @Test
    void shouldDescribeItself()
    {
        assertEquals(1, near.port().queueCount());
        assertFalse(near.port().mode().isEmpty());
        assertTrue(near.port().device().contains(":"), near.port().device());
        assertTrue(near.port().mtu() >= EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH);
        for (final PortCounter counter : PortCounter.values())
        {
            assertEquals(0, near.port().deviceCounter(counter), counter.label());
        }
        near.port().capability(SharedInterface.class).ifPresent(shared ->
        {
            shared.localAddress(IpAddress.parse("10.0.0.1"), true);
            shared.localAddress(IpAddress.parse("10.0.0.1"), false);
            shared.localAddress(IpAddress.parse("2001:db8::1"), true);
            shared.localAddress(IpAddress.parse("2001:db8::1"), false);
        });
    }

    private void startBoth()
    {
        near.port().start();
        far.port().start();
    }

    private void closeBoth()
    {
        if (open)
        {
            open = false;
            near.port().close();
            far.port().close();
        }
    }
}
