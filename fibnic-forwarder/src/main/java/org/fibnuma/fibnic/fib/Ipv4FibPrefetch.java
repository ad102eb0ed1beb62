package org.fibnuma.fibnic.fib;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
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

    /**
     * A prefetch for one FIB.
     *
     * @param fib that the destinations will be looked up in.
     */
    public Ipv4FibPrefetch(final Ipv4Fib fib)
    {
        this.fib = fib;
        this.region = MemoryRegion.ofBytes(FrameBatch.CAPACITY * Long.BYTES);
        this.addresses = region.address();
    }

    /**
     * Starts the prefetch and does not wait. If the table is replaced before the lookup, the prefetch is only useless.
     *
     * @param batch whose frames have a {@link FrameBatch#destination(int)} that will be looked up.
     */
    public void prefetch(final FrameBatch batch)
    {
        if (!available)
        {
            return;
        }
        final Ipv4FibTable table = fib.table();
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            UnsafeApi.putLong(addresses + i * (long)Long.BYTES, table.entryAddress(batch.destination(i)));
        }
        available = prefetch.prefetch(addresses, size);
    }

    /** Frees its memory. */
    @Override
    public void close()
    {
        region.close();
    }
}
