package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;

/** Allocates and sends the frames of this endpoint. Endpoint's thread. */
final class FrameOutput
{
    private final FramePool pool;
    private final TxQueue txQueue;
    private final EndpointCounters counters;

    FrameOutput(final FramePool pool, final TxQueue txQueue, final EndpointCounters counters)
    {
        this.pool = pool;
        this.txQueue = txQueue;
        this.counters = counters;
    }

    /** Allocates a chunk for a frame. If all chunks are in use, counts this and returns {@link FramePool#NONE}. */
    long allocate()
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            counters.add(EndpointCounter.NO_MEMORY, 1);
        }
        return chunk;
    }

    /**
     * Sends a frame, padded to the minimum length of Ethernet, with the next {@link #flush} at the latest.
     *
     * @param chunk  of the frame; owned by the port afterwards.
     * @param frame  address of its first byte.
     * @param length of the frame in bytes.
     */
    void send(final long chunk, final long frame, final int length)
    {
        int padded = length;
        if (length < EthernetHeaderFlyweight.MIN_FRAME_LENGTH)
        {
            padded = EthernetHeaderFlyweight.MIN_FRAME_LENGTH;
            FrameMemory.zero(frame + length, padded - length);
        }
        if (txQueue.offer(chunk, frame, padded))
        {
            counters.add(EndpointCounter.SENT, 1);
            counters.add(EndpointCounter.SENT_BYTES, padded);
        }
        else
        {
            pool.release(chunk);
            counters.add(EndpointCounter.SENT_LOST, 1);
        }
    }

    /** Sends all frames and reclaims the chunks of sent ones. */
    void flush()
    {
        txQueue.flush();
    }

    EndpointCounters counters()
    {
        return counters;
    }
}
