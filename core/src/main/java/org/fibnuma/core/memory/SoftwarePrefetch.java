package org.fibnuma.core.memory;

import java.util.ServiceLoader;

/**
 * Prefetches cache lines without waiting for them. Java has no such instruction, and a load would stall later
 * instructions until the cache line arrives. The binding module implements it for supported processors.
 */
public interface SoftwarePrefetch
{
    /** Returns the provided prefetch of this process, or one that does nothing. */
    static SoftwarePrefetch load()
    {
        return ServiceLoader.load(SoftwarePrefetch.class).findFirst().orElse((addresses, count) -> false);
    }

    /**
     * Starts to load cache lines into the first-level cache; any thread. A call costs about 10 ns and each line less
     * than 1 ns, so it helps only for whole batches. An invalid address causes no fault.
     *
     * @param addresses native address of an array of addresses, 8 bytes each in the machine's byte order.
     * @param count     number of addresses, 0 or more.
     * @return false if prefetching is not supported here.
     */
    boolean prefetch(long addresses, int count);
}
