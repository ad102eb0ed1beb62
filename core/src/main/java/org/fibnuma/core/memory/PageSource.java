package org.fibnuma.core.memory;

import java.util.ServiceLoader;

/**
 * Where large native memory comes from. The binding module provides one over mmap that uses huge pages where the
 * machine has them; without it memory is taken from the C heap.
 */
public interface PageSource
{
    /** Alignment of everything that {@link #allocate} returns, in bytes. */
    int PAGE_SIZE = 4096;

    /**
     * The source to use in this process.
     *
     * @return the provided one, or one over the C heap.
     */
    static PageSource load()
    {
        return ServiceLoader.load(PageSource.class).findFirst().orElseGet(HeapPageSource::new);
    }

    /**
     * Zeroed memory that is resident before the call returns, so that the data path takes no page fault.
     *
     * @param size in bytes, above 0.
     * @return its address, a multiple of {@link #PAGE_SIZE}.
     * @throws OutOfMemoryError where the machine has not got it.
     */
    long allocate(long size);

    /**
     * Gives memory back.
     *
     * @param address that {@link #allocate} returned.
     * @param size    that it was called with.
     */
    void free(long address, long size);
}
