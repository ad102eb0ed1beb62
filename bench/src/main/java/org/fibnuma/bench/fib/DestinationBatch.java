package org.fibnuma.bench.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;

/** A full batch of frames that have only a destination, of either family. Used by one thread. */
final class DestinationBatch implements AutoCloseable
{
    /** Most frames that a worker passes to the FIB at once. */
    static final int SIZE = FrameBatch.CAPACITY;

    private static final int CHUNK = 2048;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK);
    private final FrameBatch frames = new FrameBatch();
    private final FrameList list = new FrameList();
    private final FrameList pending = new FrameList();

    DestinationBatch()
    {
        for (int i = 0; i < SIZE; i++)
        {
            frames.add(region.address(), region.address(), CHUNK, 0);
        }
        list.setAll(SIZE);
    }

    /** Looks up the IPv4 destinations between two indexes, at most {@link #SIZE}. */
    void lookup(final Ipv4Fib fib, final int[] destinations, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            frames.destination(i - from, destinations[i]);
        }
        fib.lookup(frames, 0, to - from);
    }

    /** Looks up {@link #SIZE} IPv6 destinations from an index on, each in two halves. */
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
