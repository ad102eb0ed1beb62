package org.fibnuma.bench.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.fibnic.fib.Ipv4Fib;

/** A full batch of frames that have only a destination. Used by one thread. */
final class DestinationBatch implements AutoCloseable
{
    /** Most frames that a worker passes to the FIB at once. */
    static final int SIZE = FrameBatch.CAPACITY;

    private static final int CHUNK = 2048;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK);
    private final FrameBatch frames = new FrameBatch();

    DestinationBatch()
    {
        for (int i = 0; i < SIZE; i++)
        {
            frames.add(region.address(), region.address(), CHUNK, 0);
        }
    }

    /** Looks up the destinations between two indexes, at most {@link #SIZE}. */
    void lookup(final Ipv4Fib fib, final int[] destinations, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            frames.destination(i - from, destinations[i]);
        }
        fib.lookup(frames, 0, to - from);
    }

    /** Returns the adjacency of the destination at an index of the batch, from the last lookup. */
    int adjacency(final int i)
    {
        return frames.adjacency(i);
    }

    @Override
    public void close()
    {
        region.close();
    }
}
