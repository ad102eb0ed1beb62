package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Mempool;

/**
 * Frees and counts received frames that are not in a single mbuf of the pool. One worker; any thread reads the count.
 */
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
        // Only the worker writes the count, so the increment need not be atomic.
        final long before = count;
        count = before + 1;
    }

    long count()
    {
        return count;
    }
}
