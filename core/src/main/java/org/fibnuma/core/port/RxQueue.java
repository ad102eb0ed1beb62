package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;

/** One receive queue of a port. Used by one worker thread only; never blocks, never throws on input. */
public interface RxQueue
{
    /**
     * Adds received frames to a batch, as many as there are and as it has room for. Their chunks belong to the caller
     * from then on.
     *
     * @param batch to add to.
     * @return how many frames were added.
     */
    int receive(FrameBatch batch);
}
