package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;

/** One transmit queue of a port. Used by one worker thread only; never blocks. */
public interface TxQueue
{
    /**
     * Queues a frame for transmission, which happens at the latest in {@link #flush}. If this returns true, the queue
     * owns the chunk and releases it to the worker's pool after transmission.
     *
     * @param handle  chunk of the frame.
     * @param address native address of its first byte.
     * @param length  in bytes, without FCS.
     * @return false if the queue is full; the caller still owns the frame then.
     */
    boolean offer(long handle, long address, int length);

    /**
     * Queues the frames of a batch from an index to another one, which is excluded, in order, until the queue is full.
     *
     * @return number of queued frames; the caller still owns the others.
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
     * duty cycle, also if nothing was queued: while many frames arrive between two calls, a queue may delay them to
     * send more at once. The first call with few or no new frames sends all of them.
     */
    void flush();
}
