package org.fibnuma.ipnuma.endpoint;

import com.sun.management.ThreadMXBean;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.OrderedMemory;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.window.PageWindow;
import org.fibnuma.ipnuma.window.StoreOrder;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** No message costs an object: a ping-pong of both endpoints on one thread, counted in bytes. */
class AllocationTest
{
    private static final int WARM_UP = 20_000;
    private static final int MESSAGES = 20_000;
    private static final int ROUNDS = 5;
    private static final int PATIENCE = 10_000_000;

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void shouldAllocateNothingForAMessage(final WireFormat format)
    {
        final String link = TestEndpoint.newLink();
        try (MemoryRegion frames = TestEndpoint.frames();
            TestEndpoint near = new TestEndpoint(link, TestEndpoint.pool(frames, 0), 1, 0,
                SystemNanoClock.INSTANCE, ChannelListener.NONE, TestEndpoint.peer(2, format));
            TestEndpoint far = new TestEndpoint(link + "@far", TestEndpoint.pool(frames, 1), 2, 0,
                SystemNanoClock.INSTANCE, ChannelListener.NONE, TestEndpoint.peer(1, format));
            PageWindow there = window(near, 2);
            PageWindow back = window(far, 1))
        {
            for (int i = 0; i < PATIENCE && !(near.agent().channel(2).isUp() && far.agent().channel(1).isUp()); i++)
            {
                near.agent().doWork();
                far.agent().doWork();
            }
            pingPong(near, far, there, back, 0, WARM_UP);
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long id = Thread.currentThread().getId();
            // The first reading allocates itself.
            threads.getThreadAllocatedBytes(id);
            long least = Long.MAX_VALUE;
            // Code that runs for the first time, and what the JIT takes back, may cost a few objects once.
            for (int round = 0; round < ROUNDS && least > 0; round++)
            {
                final long before = threads.getThreadAllocatedBytes(id);
                pingPong(near, far, there, back, WARM_UP + round * MESSAGES, MESSAGES);
                least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
            }
            assertEquals(0, least, "bytes for " + MESSAGES + " messages");
        }
    }

    @Test
    void shouldAllocateNothingForAWriteOfWhichItTells()
    {
        final String link = TestEndpoint.newLink();
        final long[] last = new long[1];
        final ChannelListener listener = new ChannelListener()
        {
            @Override
            public void onWritten(final int pcId, final long tag, final int status)
            {
                last[0] = status == 0 ? tag : 0;
            }
        };
        try (MemoryRegion frames = TestEndpoint.frames();
            MemoryRegion data = MemoryRegion.ofBytes(64);
            TestEndpoint near = new TestEndpoint(link, TestEndpoint.pool(frames, 0), 1, 0,
                SystemNanoClock.INSTANCE, listener, TestEndpoint.peer(2, WireFormat.FIBNUMA));
            TestEndpoint far = new TestEndpoint(link + "@far", TestEndpoint.pool(frames, 1), 2, 0,
                SystemNanoClock.INSTANCE, ChannelListener.NONE, TestEndpoint.peer(1, WireFormat.FIBNUMA)))
        {
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long id = Thread.currentThread().getId();
            threads.getThreadAllocatedBytes(id);
            long least = Long.MAX_VALUE;
            long tag = 0;
            for (int round = 0; round < ROUNDS && least > 0; round++)
            {
                final long before = threads.getThreadAllocatedBytes(id);
                for (int i = 0; i < MESSAGES; i++)
                {
                    tag++;
                    while (!near.agent().channel(2).write(RemoteAddress.of(TestEndpoint.REGION_ID, 0), Region.NO_KEY,
                        data.address(), Long.BYTES, true, tag))
                    {
                        near.agent().doWork();
                    }
                    near.agent().channel(2).flush();
                    for (int turns = 0; turns < PATIENCE && last[0] != tag; turns++)
                    {
                        far.agent().doWork();
                        near.agent().doWork();
                    }
                    assertTrue(last[0] == tag);
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
            }
            assertEquals(0, least, "bytes for " + MESSAGES + " writes");
        }
    }

    private static void pingPong(
        final TestEndpoint near, final TestEndpoint far, final PageWindow there, final PageWindow back, final int from,
        final int count)
    {
        for (int i = from + 1; i <= from + count; i++)
        {
            store(near, far, there, i, far.memory());
            store(far, near, back, i, near.memory());
        }
    }

    private static void store(
        final TestEndpoint from, final TestEndpoint to, final PageWindow window, final int value, final long memory)
    {
        window.putInt(0, value);
        window.flush();
        int turns = 0;
        while (OrderedMemory.getIntAcquire(memory) != value && turns++ < PATIENCE)
        {
            to.agent().doWork();
            from.agent().doWork();
        }
        assertTrue(turns < PATIENCE);
    }

    private static PageWindow window(final TestEndpoint endpoint, final int peer)
    {
        final PageWindow window = new PageWindow(4096, endpoint.agent()::channel, StoreOrder.IN_ORDER);
        window.map(0, 4096, peer, RemoteAddress.of(TestEndpoint.REGION_ID, 0), Region.NO_KEY);
        return window;
    }
}
