package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.MemoryRegion;

import java.util.BitSet;

/**
 * The free chunks of one worker, in LIFO order, so that the allocated chunk is likely to be in the cache. A chunk's
 * handle is the native address of its first byte. Used by one worker thread and the ports of that worker.
 */
public final class FramePool
{
    /** Result of {@link #allocate()} if no chunk is free. */
    public static final long NONE = 0;

    /**
     * Free bytes before a received frame, for an ICMP error or a VLAN tag: as many as the kernel reserves before an
     * AF_XDP frame (XDP_PACKET_HEADROOM, linux/bpf.h).
     */
    public static final int HEADROOM = 256;

    private final MemoryRegion region;
    private final int chunkSize;
    private final int capacity;
    private final long[] free;
    private final BitSet freeChunks = new BitSet();
    private int top;

    /**
     * Creates a pool of some chunks of a region, which several workers may share.
     *
     * @param region     region from {@link MemoryRegion#ofChunks}.
     * @param chunkSize  size of a chunk in bytes, as passed there.
     * @param firstChunk index of the first chunk of this pool.
     * @param chunkCount number of chunks, 0 or more.
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
        // A device that several pools share may return any chunk of the region to this pool.
        this.free = new long[(int)(region.size() / chunkSize)];
        for (int i = chunkCount - 1; i >= 0; i--)
        {
            release(region.address() + (long)(firstChunk + i) * chunkSize);
        }
    }

    /** Allocates a free chunk; returns its handle, or {@link #NONE} if no chunk is free. */
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

    /** Returns a chunk to the pool. It is a chunk of the region of this pool, and not in use elsewhere. */
    public void release(final long handle)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            final int chunk = chunkIndex(handle);
            if (freeChunks.get(chunk))
            {
                throw new IllegalStateException("chunk " + chunk + " is released twice");
            }
            freeChunks.set(chunk);
            FrameBounds.frame(handle, 0);
        }
        free[top++] = handle;
    }

    /** Returns the handle of the chunk that contains a native address in the region. */
    public long handleOf(final long address)
    {
        return address - (address - region.address()) % chunkSize;
    }

    /**
     * Returns the number of free chunks, 0 or more. It equals {@link #capacity()} if no frame is in use. It is larger
     * if a device that several pools share returned chunks of other pools to this one.
     */
    public int available()
    {
        return top;
    }

    /** Returns the number of chunks that the pool was made with, 0 or more. */
    public int capacity()
    {
        return capacity;
    }

    /** Returns the size of a chunk in bytes; the longest frame is {@link #HEADROOM} shorter. */
    public int chunkSize()
    {
        return chunkSize;
    }

    /** Returns the memory of the chunks, shared by the pools of all workers. */
    public MemoryRegion region()
    {
        return region;
    }

    private int chunkIndex(final long handle)
    {
        final long offset = handle - region.address();
        if (offset < 0 || offset >= region.size() || offset % chunkSize != 0)
        {
            throw new IllegalArgumentException(
                "not the address of a chunk of this region: 0x" + Long.toHexString(handle));
        }
        return (int)(offset / chunkSize);
    }
}
