package org.fibnuma.ipnuma.channel;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;

/** Chunks for frames of our own, and their way to the port. Endpoint's thread. */
public final class FrameOutput
{
    private final FramePool pool;
    private final TxQueue txQueue;
    private final EndpointCounters counters;

    /**
     * The way out by a queue.
     *
     * @param pool     of the endpoint.
     * @param txQueue  of its port.
     * @param counters of what is sent.
     */
    public FrameOutput(final FramePool pool, final TxQueue txQueue, final EndpointCounters counters)
    {
        this.pool = pool;
        this.txQueue = txQueue;
        this.counters = counters;
    }

    /**
     * Takes a chunk for a frame.
     *
     * @return its handle, or {@link FramePool#NONE} where all are in use, which is counted.
     */
    public long allocate()
    {
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            counters.add(EndpointCounter.NO_MEMORY, 1);
        }
        return chunk;
    }

    /**
     * Gives a chunk back that no frame was made in.
     *
     * @param chunk from {@link #allocate}.
     */
    public void release(final long chunk)
    {
        pool.release(chunk);
    }

    /**
     * Sends a frame, padded to the shortest that Ethernet has; it leaves with the next {@link #flush} at the latest.
     *
     * @param chunk  that it is in, which is not the caller's any more.
     * @param frame  address of its first byte.
     * @param length in bytes.
     */
    public void send(final long chunk, final long frame, final int length)
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

    /** Lets everything leave that was sent, and takes chunks back. */
    public void flush()
    {
        txQueue.flush();
    }

    /**
     * What is counted of the endpoint.
     *
     * @return its counters.
     */
    public EndpointCounters counters()
    {
        return counters;
    }
}
