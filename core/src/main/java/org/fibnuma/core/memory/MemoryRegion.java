package org.fibnuma.core.memory;

/**
 * A stretch of native memory and the pages behind it. Whoever opens it closes it, after the last thread has stopped
 * touching it.
 */
public final class MemoryRegion implements AutoCloseable
{
    /** A page and the headers of a packet buffer. */
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
     * Zeroed memory for frames: while bounds checks are on, each chunk admits only the frame in it.
     *
     * @param chunkCount how many frames, 1 or more.
     * @param chunkSize  in bytes: a power of two from 2,048 to the page size, as AF_XDP asks of aligned chunks; or, for
     *                   ports that ask nothing, a multiple of 64 up to {@link #MAX_CHUNK_SIZE}, an odd one best: then
     *                   the starts of chunks do not all meet in the same few sets of the processor's caches.
     * @return the region.
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

    /**
     * Zeroed memory for tables.
     *
     * @param size in bytes, 1 to {@link Integer#MAX_VALUE}.
     * @return the region.
     */
    public static MemoryRegion ofBytes(final int size)
    {
        return new MemoryRegion(PageSource.load(), size, size);
    }

    /**
     * Where it starts.
     *
     * @return the native address of the first byte, a multiple of {@link PageSource#PAGE_SIZE}.
     */
    public long address()
    {
        return address;
    }

    /**
     * How large it is.
     *
     * @return bytes.
     */
    public long size()
    {
        return size;
    }

    /**
     * Whether an address lies in it.
     *
     * @param candidate any native address.
     * @return true from the first byte to the last.
     */
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
