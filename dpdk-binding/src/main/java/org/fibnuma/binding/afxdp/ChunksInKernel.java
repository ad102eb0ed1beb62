package org.fibnuma.binding.afxdp;

import org.fibnuma.core.frame.FramePool;

import java.util.Arrays;

/**
 * Which chunks a socket has: in its rings, or with the kernel behind them. Rings alone do not tell, since the kernel
 * keeps chunks for itself that it has taken from FILL. One byte a chunk; used by the queue's worker.
 */
final class ChunksInKernel
{
    private final byte[] taken;
    private final long base;
    private final int chunkShift;

    /**
     * None at first.
     *
     * @param pool of the worker; its chunks have a power of two as size.
     */
    ChunksInKernel(final FramePool pool)
    {
        this.base = pool.region().address();
        this.chunkShift = Integer.numberOfTrailingZeros(pool.chunkSize());
        this.taken = new byte[(int)(pool.region().size() >>> chunkShift)];
    }

    /** A chunk goes to the socket; any offset into it. */
    void add(final long offset)
    {
        taken[(int)(offset >>> chunkShift)] = 1;
    }

    /** A chunk has come back; any offset into it. */
    void remove(final long offset)
    {
        taken[(int)(offset >>> chunkShift)] = 0;
    }

    /** Gives all of them to the pool, once the kernel uses none any more; yields how many there were. */
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
