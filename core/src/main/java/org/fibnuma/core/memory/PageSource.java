package org.fibnuma.core.memory;

import java.util.ServiceLoader;

/**
 * Allocates large native memory. The binding module implements it with mmap and huge pages if available. Without that
 * module memory comes from the C heap.
 */
public interface PageSource
{
    /** Alignment of everything that {@link #allocate} returns, in bytes. */
    int PAGE_SIZE = 4096;

    /** Returns the provided page source of this process, or one over the C heap. */
    static PageSource load()
    {
        return ServiceLoader.load(PageSource.class).findFirst().orElseGet(HeapPageSource::new);
    }

    /**
     * Allocates zeroed memory that is resident when the call returns, so that the data path takes no page fault.
     *
     * @param size in bytes, above 0.
     * @return native address, a multiple of {@link #PAGE_SIZE}.
     * @throws OutOfMemoryError if the machine has not enough memory.
     */
    long allocate(long size);

    /** Frees memory of an address and a size in bytes from {@link #allocate}. */
    void free(long address, long size);
}
