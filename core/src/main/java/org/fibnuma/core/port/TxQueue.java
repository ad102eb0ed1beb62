package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;

/** One transmit queue of a port. Used by one worker thread only; never blocks. */
public interface TxQueue
{
    /**
     * Queues a frame for transmission, at the latest by {@link #flush}. If this returns true, the queue owns the chunk
     * and releases it to the worker's pool after transmission.
     *
     * @param handle  chunk of the frame.
     * @param address native address of its first byte.
     * @param length  in bytes, without FCS.
     * @return false if the queue is full; the caller still owns the frame then.
     */
    boolean offer(long handle, long address, int length);

    /**
     * Queues frames as {@link #offer(long, long, int)} does, in order, until the queue is full.
     *
     * @param batch with the frames.
     * @param from  index of the first.
     * @param to    index after the last.
     * @return number of queued frames from the first on; the caller still owns the others.
     */
    default int offer(final FrameBatch batch, final int from, final int to)
    {
        int i = from;
        while (i < to && offer(batch.handle(i), batch.address(i), batch.length(i)))
        {
            i++;
        }
        return i - from;
    }

    /**
     * Sends queued frames and releases the chunks of transmitted frames to the pool. Cheap if idle. Called in every
     * duty cycle, also if nothing was queued: a queue may delay frames to send more at once while many arrive between
     * two calls; the first call with few or no new frames sends all of them.
     */
    void flush();
}
