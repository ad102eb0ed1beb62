package org.fibnuma.bench.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.fibnic.fib.Ipv6Fib;

/** A full batch of frames that have only an IPv6 destination. Used by one thread. */
final class Destination6Batch implements AutoCloseable
{
    /** Most frames that a worker passes to the FIB at once. */
    static final int SIZE = FrameBatch.CAPACITY;

    private static final int CHUNK = 2048;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK);
    private final FrameBatch frames = new FrameBatch();
    private final FrameList list = new FrameList();
    private final FrameList pending = new FrameList();

    Destination6Batch()
    {
        for (int i = 0; i < SIZE; i++)
        {
            frames.add(region.address(), region.address(), CHUNK, 0);
        }
        list.setAll(SIZE);
    }

    /** Looks up {@link #SIZE} destinations from an index on. */
    void lookup(final Ipv6Fib fib, final long[] highs, final long[] lows, final int from)
    {
        for (int i = 0; i < SIZE; i++)
        {
            frames.destinationHigh(i, highs[from + i]);
            frames.destinationLow(i, lows[from + i]);
        }
        fib.lookup(frames, list, pending);
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
