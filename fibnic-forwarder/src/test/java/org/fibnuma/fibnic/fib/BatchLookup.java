package org.fibnuma.fibnic.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.MemoryRegion;

/**
 * Looks up any number of destinations as a worker does, a batch of frames at a time, in turn as a range and as a list.
 * Used by one thread.
 */
final class BatchLookup implements AutoCloseable
{
    private static final int CHUNK = 2048;
    /** So that a batch begins and ends at indexes of the frames that it does not look up. */
    private static final int MARGIN = 3;
    private static final int MOST = FrameBatch.CAPACITY - 2 * MARGIN;
    private static final int UNTOUCHED = -7;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, CHUNK);
    private final FrameBatch frames = new FrameBatch();
    private final FrameList list = new FrameList();
    private boolean isByList;

    BatchLookup()
    {
        for (int i = 0; i < FrameBatch.CAPACITY; i++)
        {
            frames.add(region.address(), region.address(), CHUNK, 0);
        }
    }

    /** The adjacencies of the first {@code count} destinations go to the same indexes. */
    void lookup(final Ipv4Fib fib, final int[] destinations, final int[] adjacencies, final int count)
    {
        for (int from = 0; from < count; from += MOST)
        {
            lookup(fib, destinations, adjacencies, from, Math.min(MOST, count - from));
        }
    }

    private void lookup(
        final Ipv4Fib fib, final int[] destinations, final int[] adjacencies, final int from, final int count)
    {
        frames.adjacency(MARGIN - 1, UNTOUCHED);
        frames.adjacency(MARGIN + count, UNTOUCHED);
        list.clear();
        for (int i = 0; i < count; i++)
        {
            frames.destination(MARGIN + i, destinations[from + i]);
            list.add(MARGIN + i);
        }
        isByList = !isByList;
        if (isByList)
        {
            fib.lookup(frames, list);
        }
        else
        {
            fib.lookup(frames, MARGIN, MARGIN + count);
        }
        for (int i = 0; i < count; i++)
        {
            adjacencies[from + i] = frames.adjacency(MARGIN + i);
        }
        if (frames.adjacency(MARGIN - 1) != UNTOUCHED || frames.adjacency(MARGIN + count) != UNTOUCHED)
        {
            throw new AssertionError("frames outside " + MARGIN + " to " + (MARGIN + count) + " were looked up");
        }
    }

    @Override
    public void close()
    {
        region.close();
    }
}
