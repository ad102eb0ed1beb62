package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.BitSet;

/**
 * The free chunks of one worker, last in first out, so that the chunk handed out is the one still in the cache. A
 * chunk is named by its handle, the address of its first byte. Owned by one worker thread; ports of the same worker
 * take from it and give back to it on that thread.
 */
public final class FramePool
{
    /** No chunk: what {@link #allocate()} returns when all are in use. */
    public static final long NONE = 0;

    /**
     * Bytes left free before a received frame, where an error message or a tag may grow: what the kernel leaves
     * before an AF_XDP frame (XDP_PACKET_HEADROOM, linux/bpf.h).
     */
    public static final int HEADROOM = 256;

    private final MemoryRegion region;
    private final int chunkSize;
    private final int capacity;
    private final long[] free;
    private final BitSet freeChunks = new BitSet();
    private int top;

    /**
     * A pool over some chunks of a region that may serve several workers.
     *
     * @param region     made by {@link MemoryRegion#ofChunks}.
     * @param chunkSize  in bytes, as given there.
     * @param firstChunk index of the first chunk of this pool.
     * @param chunkCount how many chunks it has, 0 or more.
     */
    public FramePool(final MemoryRegion region, final int chunkSize, final int firstChunk, final int chunkCount)
    {
        if (firstChunk < 0 || chunkCount < 0 || ((long)firstChunk + chunkCount) * chunkSize > region.size())
        {
            throw new IllegalArgumentException("region of " + region.size() + " bytes has no " + chunkCount +
                " chunks from chunk " + firstChunk + " on");
        }
        this.region = region;
        this.chunkSize = chunkSize;
        this.capacity = chunkCount;
        // Any chunk of the region may come back here: a device that several pools share hands out what it has.
        this.free = new long[(int)(region.size() / chunkSize)];
        for (int i = chunkCount - 1; i >= 0; i--)
        {
            release(region.address() + (long)(firstChunk + i) * chunkSize);
        }
    }

    /**
     * Takes a chunk.
     *
     * @return its handle, or {@link #NONE}.
     */
    public long allocate()
    {
        if (top == 0)
        {
            return NONE;
        }
        final long handle = free[--top];
        if (FrameMemory.BOUNDS_CHECKS)
        {
            freeChunks.clear(chunkIndex(handle));
            FrameBounds.frame(handle, chunkSize);
        }
        return handle;
    }

    /**
     * Gives a chunk back.
     *
     * @param handle of a chunk of this pool's region that nobody else holds.
     */
    public void release(final long handle)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            final int chunk = chunkIndex(handle);
            if (freeChunks.get(chunk))
            {
                throw new IllegalStateException("chunk " + chunk + " is given back twice");
            }
            freeChunks.set(chunk);
            FrameBounds.frame(handle, 0);
        }
        free[top++] = handle;
    }

    /**
     * The chunk that an address lies in.
     *
     * @param address anywhere in a chunk of the region.
     * @return the handle of the chunk.
     */
    public long handleOf(final long address)
    {
        return address - (address - region.address()) % chunkSize;
    }

    /**
     * How many chunks are free: equal to {@link #capacity()} when no frame is anywhere. More than that while chunks of
     * the region that were with a device have come back here.
     *
     * @return 0 or more.
     */
    public int available()
    {
        return top;
    }

    /**
     * How many chunks it was made with.
     *
     * @return 0 or more.
     */
    public int capacity()
    {
        return capacity;
    }

    /**
     * Size of a chunk; the longest frame is {@link #HEADROOM} shorter.
     *
     * @return bytes.
     */
    public int chunkSize()
    {
        return chunkSize;
    }

    /**
     * The memory that the chunks lie in.
     *
     * @return the region, shared by the pools of all workers.
     */
    public MemoryRegion region()
    {
        return region;
    }

    private int chunkIndex(final long handle)
    {
        final long offset = handle - region.address();
        if (offset < 0 || offset >= region.size() || offset % chunkSize != 0)
        {
            throw new IllegalArgumentException("no chunk of this region: 0x" + Long.toHexString(handle));
        }
        return (int)(offset / chunkSize);
    }
}
