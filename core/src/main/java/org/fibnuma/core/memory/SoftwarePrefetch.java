package org.fibnuma.core.memory;

import java.util.ServiceLoader;

/**
 * Asks the processor for cache lines before they are needed, without waiting for them. Java has no such instruction,
 * and a load in its place would hold up everything behind it until the line is there. The binding module provides it
 * for the processors that it knows.
 */
public interface SoftwarePrefetch
{
    /**
     * The prefetch of this process.
     *
     * @return the provided one, or one that does nothing.
     */
    static SoftwarePrefetch load()
    {
        return ServiceLoader.load(SoftwarePrefetch.class).findFirst().orElse((addresses, count) -> false);
    }

    /**
     * Starts to bring lines into the first cache; any thread. A call costs some ten nanoseconds and each line less than
     * one, so it is for whole batches. It is a hint: no address faults, whatever it is.
     *
     * @param addresses native address of an array of addresses, 8 bytes each in the machine's byte order.
     * @param count     how many, 0 or more.
     * @return false where nothing can be asked for here, so that there is no use in calling again.
     */
    boolean prefetch(long addresses, int count);
}
