package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.OrderedMemory;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.window.PageWindow;
import org.fibnuma.ipnuma.window.StoreOrder;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two endpoints on a link in memory, on one thread and one clock. */
class EndpointAgentTest
{
    private static final int TURNS = 20_000;
    private static final long TURN_NS = 5_000;
    private static final long BOX = RemoteAddress.of(TestEndpoint.REGION_ID, 0);

    private final String link = TestEndpoint.newLink();
    private final MemoryRegion frames = TestEndpoint.frames();
    private final List<String> events = new ArrayList<>();
    private final List<TestEndpoint> open = new ArrayList<>();
    private long time;
    private final NanoClock clock = () -> time;

    @AfterEach
    void close()
    {
        open.forEach(TestEndpoint::close);
        frames.close();
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void shouldLetAStoreLandInThePeersRegion(final WireFormat format)
    {
        final TestEndpoint near = near(format);
        final TestEndpoint far = far(format);
        try (PageWindow window = window(near))
        {
            await(() -> near.agent().channel(2).isUp());
            assertTrue(window.putInt(0, 0x1234_5678));
            assertTrue(window.putLong(4096 + 8, 0x0102_0304_0506_0708L));
            assertTrue(window.flush());
            await(() -> FrameMemory.getLong(far.memory() + 4096 + 8) != 0);
            assertEquals(0x1234_5678, FrameMemory.getInt(far.memory()));
            assertEquals(0x0102_0304_0506_0708L, FrameMemory.getLong(far.memory() + 4096 + 8));
            assertEquals(0, FrameMemory.getInt(far.memory() + 4));
        }
        assertTrue(near.agent().counters().isBalanced());
        assertTrue(far.agent().counters().isBalanced());
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void shouldCarryLongStores(final WireFormat format)
    {
        final TestEndpoint near = near(format);
        final TestEndpoint far = far(format);
        try (PageWindow window = window(near); MemoryRegion data = MemoryRegion.ofBytes(5000))
        {
            for (int i = 0; i < 5000; i++)
            {
                FrameMemory.putByte(data.address() + i, i * 7);
            }
            await(() -> near.agent().channel(2).isUp());
            int done = 0;
            for (int turn = 0; turn < TURNS && done < 5000; turn++)
            {
                done += window.putBytes(100 + done, data.address() + done, 5000 - done);
                window.flush();
                turn();
            }
            await(() -> FrameMemory.getByte(far.memory() + 5099) != 0);
            for (int i = 0; i < 5000; i++)
            {
                assertEquals((byte)(i * 7), FrameMemory.getByte(far.memory() + 100 + i), "byte " + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = WireFormat.class, names = { "FIBNUMA", "IPNUMA_10G", "NETTLP", "NETTLP_PSMEM" })
    void shouldReadAndChangeThePeersMemory(final WireFormat format)
    {
        final TestEndpoint near = near(format);
        final TestEndpoint far = far(format);
        try (PageWindow window = window(near))
        {
            await(() -> near.agent().channel(2).isUp());
            FrameMemory.putLong(far.memory() + 16, 41);
            events.clear();
            assertTrue(window.read(16, Long.BYTES, 7));
            await(() -> events.contains("read 7: 41 ok"));
            assertTrue(window.atomic(AtomicOperation.FETCH_ADD, 16, 1, 0, Long.BYTES, 8));
            await(() -> events.contains("atomic 8: 41 ok"));
            assertEquals(42, FrameMemory.getLong(far.memory() + 16));
            assertTrue(window.atomic(AtomicOperation.COMPARE_SWAP, 16, 99, 42, Long.BYTES, 9));
            await(() -> events.contains("atomic 9: 42 ok"));
            assertEquals(99, OrderedMemory.getLongAcquire(far.memory() + 16));
        }
    }

    @Test
    void shouldSayWhatThePeerRefuses()
    {
        final TestEndpoint near = near(WireFormat.FIBNUMA);
        far(WireFormat.FIBNUMA);
        final PeerChannel channel = near.agent().channel(2);
        await(channel::isUp);
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            final long outside = RemoteAddress.of(TestEndpoint.REGION_ID, TestEndpoint.REGION_LENGTH);
            assertTrue(channel.write(outside, Region.NO_KEY, data.address(), 4, true));
            channel.flush();
            await(() -> events.contains("error " + AccessStatus.OUT_OF_RANGE));
            assertTrue(channel.read(RemoteAddress.of(9, 0), Region.NO_KEY, Long.BYTES, 1));
            channel.flush();
            await(() -> events.contains("read 1: 0 no region"));
        }
    }

    @Test
    void shouldTellWhenThePeerIsStartedAnew()
    {
        final TestEndpoint near = near(WireFormat.FIBNUMA);
        final TestEndpoint first = far(WireFormat.FIBNUMA);
        await(() -> near.agent().channel(2).isUp());
        // As kill -9 leaves it: without a word.
        open.remove(first);
        first.closePort();
        final TestEndpoint second = far(WireFormat.FIBNUMA, 2);
        await(() -> events.stream().anyMatch(event -> event.startsWith("restarted")));
        try (PageWindow window = window(near))
        {
            await(() -> near.agent().channel(2).isUp());
            assertTrue(window.putInt(0, 5));
            assertTrue(window.flush());
            await(() -> FrameMemory.getInt(second.memory()) == 5);
        }
        assertEquals(0, FrameMemory.getInt(first.memory()));
        first.closeMemory();
    }

    @Test
    void shouldRingAtThePeer()
    {
        final TestEndpoint near = near(WireFormat.FIBNUMA);
        far(WireFormat.FIBNUMA);
        await(() -> near.agent().channel(2).isUp());
        assertTrue(near.agent().channel(2).doorbell());
        near.agent().channel(2).flush();
        await(() -> events.contains("doorbell"));
    }

    @Test
    void shouldGoByTheGatewayToAnotherSegment()
    {
        final TestEndpoint near = add(new TestEndpoint(
            link, TestEndpoint.pool(frames, 0), 1, TestEndpoint.ipv4(2), clock, listener(),
            new Peer(7, 0x0A08_0007, WireFormat.IPNUMA_10G)));
        final TestEndpoint gateway = far(WireFormat.FIBNUMA);
        await(() -> near.agent().channel(7).isUp());
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            near.agent().channel(7).write(BOX, Region.NO_KEY, data.address(), 4, true);
            near.agent().channel(7).flush();
        }
        await(() -> gateway.agent().counters().get(DropReason.OTHER_ADDRESS) == 1);
        assertEquals(0, near.agent().counters().get(EndpointCounter.SENT_LOST));
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void shouldTellWhatIsKnownOfAWrite(final WireFormat format)
    {
        final TestEndpoint near = near(format);
        final TestEndpoint far = far(format);
        await(() -> near.agent().channel(2).isUp());
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            FrameMemory.putInt(data.address(), 4711);
            assertTrue(near.agent().channel(2).write(BOX, Region.NO_KEY, data.address(), 4, true, 7));
            near.agent().channel(2).flush();
        }
        final String told = format == WireFormat.FIBNUMA ? "written 7 0" : "written 7 " + AccessStatus.UNCONFIRMED;
        await(() -> events.contains(told));
        await(() -> FrameMemory.getInt(far.memory()) == 4711);
        assertEquals(1, events.stream().filter(event -> event.startsWith("written")).count());
    }

    @Test
    void shouldGiveEveryFrameBack()
    {
        final TestEndpoint near = near(WireFormat.FIBNUMA);
        final TestEndpoint far = far(WireFormat.FIBNUMA);
        final int before = near.pool().available() + far.pool().available();
        await(() -> near.agent().channel(2).isUp());
        try (PageWindow window = window(near))
        {
            for (int i = 1; i <= 1000; i++)
            {
                final int value = i;
                window.putInt(0, value);
                window.flush();
                await(() -> OrderedMemory.getIntAcquire(far.memory()) == value);
            }
        }
        assertFalse(near.pool().available() + far.pool().available() < before - 2, "frames are lost");
    }

    private PageWindow window(final TestEndpoint endpoint)
    {
        final PageWindow window = new PageWindow(8192, endpoint.agent()::channel, StoreOrder.IN_ORDER);
        window.map(0, 8192, 2, BOX, Region.NO_KEY);
        return window;
    }

    private TestEndpoint near(final WireFormat format)
    {
        return add(new TestEndpoint(link, TestEndpoint.pool(frames, 0), 1, 0, clock, listener(),
            TestEndpoint.peer(2, format)));
    }

    private TestEndpoint far(final WireFormat format)
    {
        return far(format, 1);
    }

    private TestEndpoint far(final WireFormat format, final int pool)
    {
        return add(new TestEndpoint(link + "@far", TestEndpoint.pool(frames, pool), 2, 0, clock, listener(),
            TestEndpoint.peer(1, format)));
    }

    private TestEndpoint add(final TestEndpoint endpoint)
    {
        open.add(endpoint);
        return endpoint;
    }

    private void turn()
    {
        time += TURN_NS;
        open.forEach(endpoint -> endpoint.agent().doWork());
    }

    private void await(final BooleanSupplier wanted)
    {
        for (int i = 0; i < TURNS && !wanted.getAsBoolean(); i++)
        {
            turn();
        }
        assertTrue(wanted.getAsBoolean(), () -> "not within " + TURNS * TURN_NS / 1_000_000 + " ms: " + events);
    }

    private ChannelListener listener()
    {
        return new ChannelListener()
        {
            @Override
            public void onPeerRestarted(final int pcId, final long lostWrites)
            {
                events.add("restarted " + lostWrites);
            }

            @Override
            public void onRead(
                final int pcId, final long tag, final long address, final int length, final int status)
            {
                events.add("read " + tag + ": " + FrameMemory.getLong(address) + " " + AccessStatus.label(status));
            }

            @Override
            public void onAtomic(final int pcId, final long tag, final long previous, final int status)
            {
                events.add("atomic " + tag + ": " + previous + " " + AccessStatus.label(status));
            }

            @Override
            public void onWritten(final int pcId, final long tag, final int status)
            {
                events.add("written " + tag + " " + status);
            }

            @Override
            public void onDoorbell(final int pcId)
            {
                events.add("doorbell");
            }

            @Override
            public void onError(final int pcId, final int status, final long remoteAddress)
            {
                events.add("error " + status);
            }
        };
    }
}
