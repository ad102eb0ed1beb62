package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An endpoint that finds a frame in every single turn. */
class EndpointUnderLoadTest
{
    private static final long TURN_NS = 100_000;
    private static final int TURNS = 3_000;
    private static final int FRAME_LENGTH = 60;
    private static final int ETHER_TYPE_OFFSET = 12;
    private static final int ARP = 0x0806;
    private static final int ARP_OPERATION_OFFSET = 14 + 6;
    private static final int ARP_TARGET_OFFSET = 14 + 24;

    private long time;

    @Test
    void shouldRepeatArpRequestsWhileFramesArrive()
    {
        final String link = TestEndpoint.newLink();
        try (MemoryRegion frames = TestEndpoint.frames())
        {
            final FramePool pool = TestEndpoint.pool(frames, 1);
            final Port far = Ports.open(new PortRequest(
                "far", link + "@far", 0, List.of(pool), new PortSettings(64, 64, 0, 64, true)));
            far.start();
            try (far; TestEndpoint near = new TestEndpoint(
                link, TestEndpoint.pool(frames, 0), 1, 0, () -> time, ChannelListener.NONE,
                TestEndpoint.peer(2, WireFormat.FIBNUMA)))
            {
                int questions = 0;
                for (int turn = 0; turn < TURNS; turn++)
                {
                    time += TURN_NS;
                    send(far, pool);
                    assertTrue(near.agent().doWork() > 0);
                    questions += questions(far, pool);
                }
                // At 0, 20, 60, 140 and 300 ms: the wait doubles.
                assertEquals(4, questions);
            }
        }
    }

    private static void send(final Port far, final FramePool pool)
    {
        final long chunk = pool.allocate();
        final long frame = chunk + FramePool.HEADROOM;
        FrameMemory.zero(frame, FRAME_LENGTH);
        assertTrue(far.txQueue(0).offer(chunk, frame, FRAME_LENGTH));
        far.txQueue(0).flush();
    }

    /** ARP requests for the peer among what has arrived. */
    private static int questions(final Port far, final FramePool pool)
    {
        final FrameBatch batch = new FrameBatch();
        far.rxQueue(0).receive(batch);
        int questions = 0;
        for (int i = 0; i < batch.size(); i++)
        {
            final long frame = batch.address(i);
            if (FrameMemory.getShortBE(frame + ETHER_TYPE_OFFSET) == ARP &&
                FrameMemory.getShortBE(frame + ARP_OPERATION_OFFSET) == 1 &&
                FrameMemory.getIntBE(frame + ARP_TARGET_OFFSET) == TestEndpoint.ipv4(2))
            {
                questions++;
            }
            pool.release(batch.handle(i));
        }
        return questions;
    }
}
