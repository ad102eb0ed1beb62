package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;

/**
 * A ring that we fill and the kernel empties: FILL, TX. Indexes are 32 bits and wrap; the producer index is ours, the
 * consumer index is read only when our copy of it says that the ring is full. Used by one thread.
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

    /** Address of the next entry, which the kernel sees after {@link #publish}. Only where there is room. */
    long next()
    {
        return entry(producer++);
    }

    /** Makes everything added visible: release, so that the entries and the frames are seen with the index. */
    void publish()
    {
        published = producer;
        UnsafeApi.putIntRelease(null, producerAddress, producer);
    }

    /** How many entries were added since {@link #publish}. */
    int unpublished()
    {
        return producer - published;
    }

    /** Address of an entry that is not published, 0 for the oldest. */
    long unpublishedEntry(final int i)
    {
        return entry(published + i);
    }

    /** Takes the oldest entries back that are not published; younger ones move up. */
    void withdraw(final int count)
    {
        final int left = unpublished() - count;
        for (int i = 0; i < left; i++)
        {
            UnsafeApi.copyMemory(unpublishedEntry(count + i), unpublishedEntry(i), entrySize);
        }
        producer -= count;
    }

    /** How many published entries the kernel has not taken yet. */
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
