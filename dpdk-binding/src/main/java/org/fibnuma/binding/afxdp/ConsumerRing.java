package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;

/**
 * A ring that the kernel fills and this process empties: RX, COMPLETION. Indices have 32 bits and wrap; only this
 * process writes the consumer index. Used by one thread.
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

    /** Returns the number of readable entries. Acquire: entries and frames are visible with the index. */
    int readable()
    {
        return UnsafeApi.getIntAcquire(null, producerAddress) - consumer;
    }

    /** Returns the address of a readable entry, 0 for the oldest. */
    long entry(final int i)
    {
        return entries + (long)(consumer + i & mask) * entrySize;
    }

    /** Returns the oldest entries to the kernel. Release: they were read before. */
    void release(final int count)
    {
        consumer += count;
        UnsafeApi.putIntRelease(null, consumerAddress, consumer);
    }
}
