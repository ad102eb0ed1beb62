package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;

/**
 * A ring that this process fills and the kernel empties: FILL, TX. Indices have 32 bits and wrap; only this process
 * writes the producer index. The consumer index is read only when its local copy indicates a full ring. Used by one
 * thread.
 */
final class ProducerRing
{
    private final long producerAddress;
    private final long consumerAddress;
    private final long flagsAddress;
    private final long entries;
    private final int entrySize;
    private final int size;
    private final int mask;
    private int producer;
    private int published;
    private int consumerCopy;

    ProducerRing(final RingMapping mapping, final int entrySize)
    {
        this(mapping.producer(), mapping.consumer(), mapping.flags(), mapping.entries(), mapping.size(), entrySize);
    }

    ProducerRing(
        final long producerAddress,
        final long consumerAddress,
        final long flagsAddress,
        final long entries,
        final int size,
        final int entrySize)
    {
        this.producerAddress = producerAddress;
        this.consumerAddress = consumerAddress;
        this.flagsAddress = flagsAddress;
        this.entries = entries;
        this.entrySize = entrySize;
        this.size = size;
        this.mask = size - 1;
    }

    boolean hasRoom()
    {
        if (producer - consumerCopy == size)
        {
            consumerCopy = UnsafeApi.getIntAcquire(null, consumerAddress);
            return producer - consumerCopy != size;
        }
        return true;
    }

    /**
     * Returns the address of the next entry, visible to the kernel after {@link #publish}; requires room in the ring.
     */
    long next()
    {
        return entry(producer++);
    }

    /** Makes all added entries visible. Release: entries and frames are visible with the index. */
    void publish()
    {
        published = producer;
        UnsafeApi.putIntRelease(null, producerAddress, producer);
    }

    /** Returns the number of entries added since {@link #publish}. */
    int unpublished()
    {
        return producer - published;
    }

    /** Returns the address of an unpublished entry, 0 for the oldest. */
    long unpublishedEntry(final int i)
    {
        return entry(published + i);
    }

    /** Removes the oldest unpublished entries; the others move up. */
    void withdraw(final int count)
    {
        final int left = unpublished() - count;
        for (int i = 0; i < left; i++)
        {
            UnsafeApi.copyMemory(unpublishedEntry(count + i), unpublishedEntry(i), entrySize);
        }
        producer -= count;
    }

    /** Returns the number of published entries that the kernel has not consumed. */
    int unconsumed()
    {
        consumerCopy = UnsafeApi.getIntAcquire(null, consumerAddress);
        return published - consumerCopy;
    }

    boolean needsWakeup()
    {
        return (UnsafeApi.getIntVolatile(null, flagsAddress) & XdpLayout.XDP_RING_NEED_WAKEUP) != 0;
    }

    private long entry(final int index)
    {
        return entries + (long)(index & mask) * entrySize;
    }
}
