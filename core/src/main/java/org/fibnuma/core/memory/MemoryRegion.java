package org.fibnuma.core.memory;

/**
 * A stretch of native memory and the pages behind it. Whoever opens it closes it, after the last thread has stopped
 * touching it.
 */
public final class MemoryRegion implements AutoCloseable
{
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
     * @param chunkSize  in bytes, a power of two from 2,048 to the page size, as AF_XDP asks of aligned chunks.
     * @return the region.
     */
    public static MemoryRegion ofChunks(final int chunkCount, final int chunkSize)
    {
        if (Integer.bitCount(chunkSize) != 1 || chunkSize < 2048 || chunkSize > PageSource.PAGE_SIZE)
        {
            throw new IllegalArgumentException("chunk size must be 2048 or 4096: " + chunkSize);
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
