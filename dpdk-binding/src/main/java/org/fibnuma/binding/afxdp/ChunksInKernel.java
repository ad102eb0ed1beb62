package org.fibnuma.binding.afxdp;

import org.fibnuma.core.frame.FramePool;

import java.util.Arrays;

/**
 * Records the chunks that a socket has, in its rings or in the kernel. The rings alone are not sufficient, because the
 * kernel holds chunks from FILL. One byte for each chunk; used by the queue's worker.
 */
final class ChunksInKernel
{
    private final byte[] taken;
    private final long base;
    private final int chunkShift;

    /** Starts with no chunk in the kernel. The chunk size of the worker's pool is a power of two. */
    ChunksInKernel(final FramePool pool)
    {
        this.base = pool.region().address();
        this.chunkShift = Integer.numberOfTrailingZeros(pool.chunkSize());
        this.taken = new byte[(int)(pool.region().size() >>> chunkShift)];
    }

    /** Records that a chunk was passed to the socket; any offset into it. */
    void add(final long offset)
    {
        taken[(int)(offset >>> chunkShift)] = 1;
    }

    /** Records that a chunk was returned; any offset into it. */
    void remove(final long offset)
    {
        taken[(int)(offset >>> chunkShift)] = 0;
    }

    /** Returns all chunks to the pool after the socket was closed. Returns their number. */
    int release(final FramePool pool)
    {
        int count = 0;
        for (int chunk = 0; chunk < taken.length; chunk++)
        {
            if (taken[chunk] != 0)
            {
                pool.release(base + ((long)chunk << chunkShift));
                count++;
            }
        }
        Arrays.fill(taken, (byte)0);
        return count;
    }
}
