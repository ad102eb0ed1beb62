package org.fibnuma.fibnic.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.MemoryRegion;

/**
 * Looks up any number of IPv6 destinations as a worker does: in every batch, each third frame is of another class and
 * not in the list. Used by one thread.
 */
final class BatchLookup6 implements AutoCloseable
{
    private static final int CHUNK = 2048;
    private static final int UNTOUCHED = -7;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK);
    private final FrameBatch frames = new FrameBatch();
    private final FrameList list = new FrameList();
    private final FrameList pending = new FrameList();

    BatchLookup6()
    {
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            frames.add(region.address(), region.address(), CHUNK, 0);
        }
    }

    /** The adjacencies of the first {@code count} destinations go to the same indexes. */
    void lookup(final Ipv6Fib fib, final long[] highs, final long[] lows, final int[] adjacencies, final int count)
    {
        for (int from = 0; from < count;)
        {
            from = lookup(fib, highs, lows, adjacencies, from, count);
        }
    }

    private int lookup(
        final Ipv6Fib fib, final long[] highs, final long[] lows, final int[] adjacencies, final int from, final int to)
    {
        list.clear();
        int next = from;
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            frames.adjacency(i, UNTOUCHED);
            if (i % 3 != 1 && next < to)
            {
                frames.destinationHigh(i, highs[next]);
                frames.destinationLow(i, lows[next]);
                list.add(i);
                next++;
            }
        }
        fib.lookup(frames, list, pending);
        for (int k = 0; k < list.size(); k++)
        {
            adjacencies[from + k] = frames.adjacency(list.get(k));
            frames.adjacency(list.get(k), UNTOUCHED);
        }
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            if (frames.adjacency(i) != UNTOUCHED)
            {
                throw new AssertionError("frame " + i + " is not in the list and was looked up");
            }
        }
        return next;
    }

    @Override
    public void close()
    {
        region.close();
    }
}
