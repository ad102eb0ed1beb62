package org.fibnuma.core.memory;

import java.util.ServiceLoader;

/**
 * Prefetches cache lines without waiting for them. Java has no such instruction, and a load would stall the
 * instructions after it until the line arrives. The binding module provides it for supported processors.
 */
public interface SoftwarePrefetch
{
    /** Returns the provided prefetch of this process, or one that does nothing. */
    static SoftwarePrefetch load()
    {
        return ServiceLoader.load(SoftwarePrefetch.class).findFirst().orElse((addresses, count) -> false);
    }

    /**
     * Starts to load lines into the first-level cache; any thread. A call costs about 10 ns and each line less than 1
     * ns, so it pays only for whole batches. An invalid address causes no fault.
     *
     * @param addresses native address of an array of addresses, 8 bytes each in the machine's byte order.
     * @param count     number of addresses, 0 or more.
     * @return false if prefetching is not supported here, so that the caller can stop calling.
     */
    boolean prefetch(long addresses, int count);
}
