package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;

/** One transmit queue of a port. Used by one worker thread only; never blocks. */
public interface TxQueue
{
    /**
     * Takes a frame for transmission. It may wait for {@link #flush}. Its chunk belongs to the queue once this
     * returned true and goes back to the worker's pool after it was sent.
     *
     * @param handle  chunk of the frame.
     * @param address of its first byte.
     * @param length  in bytes, without FCS.
     * @return false where the queue is full: the frame is still the caller's.
     */
    boolean offer(long handle, long address, int length);

    /**
     * Takes frames for transmission as {@link #offer(long, long, int)} does, one after the other until one finds no
     * room.
     *
     * @param batch that has them.
     * @param from  index of the first.
     * @param to    index after the last.
     * @return how many were taken, from the first on; the others are still the caller's.
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
     * Sends what was offered and gives chunks of frames that have been sent back to the pool. Cheap when idle; called
     * in every duty cycle, also when nothing was offered: while many frames come between two calls a queue may hold
     * them back to send more at once, and the first call that brings few or none sends them all.
     */
    void flush();
}
