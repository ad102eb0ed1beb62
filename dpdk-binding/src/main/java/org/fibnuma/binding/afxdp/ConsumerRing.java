package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;

/**
 * A ring that the kernel fills and we empty: RX, COMPLETION. Indexes are 32 bits and wrap; the consumer index is
 * ours. Used by one thread.
 */
final class ConsumerRing
{
    private final long producerAddress;
    private final long consumerAddress;
    private final long entries;
    private final int entrySize;
    private final int mask;
    private int consumer;

    ConsumerRing(final RingMapping mapping, final int entrySize)
    {
        this(mapping.producer(), mapping.consumer(), mapping.entries(), mapping.size(), entrySize);
    }

    ConsumerRing(
        final long producerAddress,
        final long consumerAddress,
        final long entries,
        final int size,
        final int entrySize)
    {
        this.producerAddress = producerAddress;
        this.consumerAddress = consumerAddress;
        this.entries = entries;
        this.entrySize = entrySize;
        this.mask = size - 1;
    }

    /** How many entries can be read: acquire, so that they and the frames are seen with the index. */
    int readable()
    {
        return UnsafeApi.getIntAcquire(null, producerAddress) - consumer;
    }

    /** Address of a readable entry, 0 for the oldest. */
    long entry(final int i)
    {
        return entries + (long)(consumer + i & mask) * entrySize;
    }

    /** Gives the oldest entries back: release, so that they have been read before. */
    void release(final int count)
    {
        consumer += count;
        UnsafeApi.putIntRelease(null, consumerAddress, consumer);
    }
}
