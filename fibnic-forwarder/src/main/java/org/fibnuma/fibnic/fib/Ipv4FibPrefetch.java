package org.fibnuma.fibnic.fib;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.SoftwarePrefetch;

/**
 * Asks for the parts of the table that a batch of destinations will be looked up in, some hundred nanoseconds before.
 * One for each worker, used by its thread alone.
 */
public final class Ipv4FibPrefetch implements AutoCloseable
{
    private final Ipv4Fib fib;
    private final SoftwarePrefetch prefetch = SoftwarePrefetch.load();
    private final MemoryRegion region;
    private final long addresses;
    private boolean available = true;

    /**
     * Into a table.
     *
     * @param fib      that the destinations will be looked up in.
     * @param capacity most destinations at once.
     */
    public Ipv4FibPrefetch(final Ipv4Fib fib, final int capacity)
    {
        this.fib = fib;
        this.region = MemoryRegion.ofBytes(capacity * Long.BYTES);
        this.addresses = region.address();
    }

    /**
     * Asks for them. They come while the caller does something else; a table that is replaced meanwhile is a hint in
     * vain and nothing worse.
     *
     * @param destinations the first {@code count} of which will be looked up.
     * @param count        0 to the capacity.
     */
    public void prefetch(final int[] destinations, final int count)
    {
        if (!available)
        {
            return;
        }
        final Ipv4FibTable table = fib.table();
        for (int i = 0; i < count; i++)
        {
            UnsafeApi.putLong(addresses + i * (long)Long.BYTES, table.entryAddress(destinations[i]));
        }
        available = prefetch.prefetch(addresses, count);
    }

    /** Frees its memory. */
    @Override
    public void close()
    {
        region.close();
    }
}
