package org.fibnuma.fibnic.fib;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.SoftwarePrefetch;

/**
 * Prefetches the cache lines of the first level for a batch of destinations, some hundred nanoseconds before the
 * lookup. One for each worker, used by its thread only.
 */
public final class Ipv4FibPrefetch implements AutoCloseable
{
    private final Ipv4Fib fib;
    private final SoftwarePrefetch prefetch = SoftwarePrefetch.load();
    private final MemoryRegion region;
    private final long addresses;
    private boolean available = true;

    /** Creates the prefetch for the FIB in which the destinations will be looked up. */
    public Ipv4FibPrefetch(final Ipv4Fib fib)
    {
        this.fib = fib;
        this.region = MemoryRegion.ofBytes(FrameBatch.CAPACITY * Long.BYTES);
        this.addresses = region.address();
    }

    /**
     * Starts the prefetch for the frames of a batch and does not wait. The prefetch does no harm if a frame is too
     * short for a destination, or if the table is replaced before the lookup.
     *
     * @param batch             frames whose headers may be unchecked.
     * @param destinationOffset bytes from the start of a frame to its IPv4 destination.
     */
    public void prefetch(final FrameBatch batch, final int destinationOffset)
    {
        if (!available)
        {
            return;
        }
        final Ipv4FibTable table = fib.table();
        final long base = table.base();
        final int shift = table.entryShift();
        final long to = addresses;
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            final int destination = FrameMemory.BOUNDS_CHECKS && batch.length(i) < destinationOffset + Integer.BYTES ?
                0 : FrameMemory.getIntBE(batch.address(i) + destinationOffset);
            UnsafeApi.putLong(to + (long)i * Long.BYTES, base + (destination >>> shift));
        }
        available = prefetch.prefetch(to, size);
    }

    @Override
    public void close()
    {
        region.close();
    }
}
