package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;

/** One receive queue of a port. Used by one worker thread only; never blocks, never throws on input. */
public interface RxQueue
{
    /**
     * Adds received frames to a batch as far as it has room. The caller owns their chunks from then on.
     *
     * @param batch to add to.
     * @return number of frames added.
     */
    int receive(FrameBatch batch);
}
