package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Mempool;

/** Frees and counts received frames that do not lie in one piece in an mbuf of ours. One worker; any thread reads. */
final class SegmentedFrames
{
    private final Mempool mempool;
    private volatile long count;

    SegmentedFrames(final Mempool mempool)
    {
        this.mempool = mempool;
    }

    void free(final long mbufPointer)
    {
        mempool.freeFrames(mbufPointer, 1);
        // Only the worker stores it, so that reading and adding need not be one step.
        final long before = count;
        count = before + 1;
    }

    long count()
    {
        return count;
    }
}
