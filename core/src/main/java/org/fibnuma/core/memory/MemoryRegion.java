package org.fibnuma.core.memory;

/** A region of native memory. The caller that allocates it closes it after its last use by any thread. */
public final class MemoryRegion implements AutoCloseable
{
    /** Largest chunk in bytes: a memory page and the headers of a packet buffer. */
    public static final int MAX_CHUNK_SIZE = PageSource.PAGE_SIZE + 512;

    private static final int MIN_CHUNK_SIZE = 2048;
    private static final int CACHE_LINE = 64;

    private final PageSource source;
    private final long address;
    private final long size;
    private boolean closed;

    private MemoryRegion(final PageSource source, final long size, final int chunkSize)
    {
        this.source = source;
        this.size = size;
        this.address = source.allocate(size);
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(address, size, chunkSize);
        }
    }

    /**
     * Allocates zeroed memory for frames. With bounds checks, only the bytes of the frame in each chunk are accessible.
     *
     * @param chunkCount number of chunks, 1 or more.
     * @param chunkSize  in bytes: for AF_XDP a power of two from 2,048 to the memory page size, otherwise a multiple of
     *                   64 up to {@link #MAX_CHUNK_SIZE}. An odd multiple of 64 is best: it distributes the starts of
     *                   chunks over the sets of the processor's caches.
     */
    public static MemoryRegion ofChunks(final int chunkCount, final int chunkSize)
    {
        if (chunkSize % CACHE_LINE != 0 || chunkSize < MIN_CHUNK_SIZE || chunkSize > MAX_CHUNK_SIZE)
        {
            throw new IllegalArgumentException("chunk size must be a multiple of " + CACHE_LINE + " from " +
                MIN_CHUNK_SIZE + " to " + MAX_CHUNK_SIZE + ": " + chunkSize);
        }
        return new MemoryRegion(PageSource.load(), (long)chunkCount * chunkSize, chunkSize);
    }

    /** Allocates zeroed memory for tables; the size is 1 to {@link Integer#MAX_VALUE} bytes. */
    public static MemoryRegion ofBytes(final int size)
    {
        return new MemoryRegion(PageSource.load(), size, size);
    }

    /** Returns the native address of the first byte, a multiple of {@link PageSource#PAGE_SIZE}. */
    public long address()
    {
        return address;
    }

    /** Returns the size in bytes. */
    public long size()
    {
        return size;
    }

    /** Returns whether a native address lies in the region. */
    public boolean contains(final long candidate)
    {
        return candidate >= address && candidate - address < size;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            if (FrameMemory.BOUNDS_CHECKS)
            {
                FrameBounds.unregister(address);
            }
            source.free(address, size);
        }
    }
}
