package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;

/** One receive queue of a port. Used by one worker thread only; never blocks, never throws on input. */
public interface RxQueue
{
    /**
     * Adds received frames to a batch as far as it has room, and returns their number. The caller owns their chunks
     * from then on.
     */
    int receive(FrameBatch batch);
}
