package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;

/** Sends complete frames of this router by a port without a lookup: their destination is on its link. */
final class OnLinkOutput
{
    private final EgressQueues egress;
    private final FramePool pool;
    private final FateCounters counters;

    OnLinkOutput(final EgressQueues egress, final FramePool pool)
    {
        this.egress = egress;
        this.pool = pool;
        this.counters = egress.counters();
    }

    /**
     * Sends a frame, or drops it if the port has no room.
     *
     * @param port   index of the port.
     * @param chunk  of the frame, from the worker's pool; {@link FramePool#HEADROOM} bytes before the frame.
     * @param length of the frame in bytes.
     */
    void send(final int port, final long chunk, final int length)
    {
        if (egress.send(port, counters.ownIngress(), chunk, chunk + FramePool.HEADROOM, length))
        {
            counters.forwarded(counters.ownIngress(), 1);
        }
        else
        {
            pool.release(chunk);
            counters.dropped(counters.ownIngress(), DropReason.EGRESS_FULL.id());
        }
    }
}
