package org.fibnuma.fibnic.fib;

import org.agrona.collections.LongArrayList;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The second level: for each /24 that has longer prefixes one block of 256 adjacencies, one for each address, found
 * through a {@link BlockDirectory}.
 * <p>
 * One writer, readers without locks. A reader whose first-level code said "longer" finds a block, because a block is
 * linked before that code is stored and stays linked until no reader can hold that code. A retired block shows
 * everywhere what the /24 showed when its last longer prefix was withdrawn. Memory grows by chunks, is used again, and
 * goes back to the system when the FIB is closed.
 */
final class LongerPrefixBlocks implements AutoCloseable
{
    private static final int BLOCK_BYTES = BlockDirectory.BLOCK_ALIGNMENT;
    private static final int FIRST_CHUNK_BYTES = 1 << 16;
    private static final int LAST_CHUNK_BYTES = 1 << 21;

    private final List<MemoryRegion> chunks = new ArrayList<>();
    private final LongArrayList freeBlocks = new LongArrayList();
    private final ReaderEpochs epochs;
    private volatile BlockDirectory directory = BlockDirectory.empty();
    private int chunkBytes = FIRST_CHUNK_BYTES;

    LongerPrefixBlocks(final ReaderEpochs epochs)
    {
        this.epochs = epochs;
    }

    /** The adjacency of a destination whose first-level code said "longer"; any thread. */
    int lookup(final int destination)
    {
        // The directory must not be read ahead of the code that led here; only the branch on it would order the two.
        VarHandle.acquireFence();
        final long block = directory.find(Ipv4FibLayout.slot(destination));
        return block == BlockDirectory.ABSENT ?
            Ipv4FibLayout.NO_ROUTE :
            FrameMemory.getShort(block + (long)Ipv4FibLayout.cell(destination) * Short.BYTES);
    }

    /**
     * For first-level codes that may say either, turns {@link Ipv4FibLayout#LONGER} into "no route" where the /16 has
     * no block, without branches, because traffic to unrouted addresses comes and goes as it likes; any thread.
     *
     * @return whether {@link Ipv4FibLayout#LONGER} is left.
     */
    boolean settleNoRoute(final FrameBatch batch, final int from, final int to)
    {
        VarHandle.acquireFence();
        final BlockDirectory current = directory;
        int longer = 0;
        for (int i = from; i < to; i++)
        {
            final int adjacency = batch.adjacency(i);
            final int isLonger = adjacency + 1 >>> Short.SIZE;
            final int isSettled = isLonger & ~current.mayHaveBelow16(batch.destination(i));
            batch.adjacency(i, adjacency & isSettled - 1);
            longer |= isLonger & ~isSettled;
        }
        return longer != 0;
    }

    /** The block linked for a slot, or {@link BlockDirectory#ABSENT}. */
    long find(final int slot)
    {
        return directory.find(slot);
    }

    /** Stores the adjacency of a range of cells of a block. */
    static void fill(final long block, final int firstCell, final int count, final int adjacency)
    {
        for (int cell = firstCell; cell < firstCell + count; cell++)
        {
            FrameMemory.putShort(block + (long)cell * Short.BYTES, adjacency);
        }
    }

    /** A block of any contents that nobody can see. */
    long allocate()
    {
        if (freeBlocks.isEmpty())
        {
            final MemoryRegion chunk = MemoryRegion.ofBytes(chunkBytes);
            chunks.add(chunk);
            for (long offset = chunk.size() - BLOCK_BYTES; offset >= 0; offset -= BLOCK_BYTES)
            {
                freeBlocks.addLong(chunk.address() + offset);
            }
            chunkBytes = Math.min(2 * chunkBytes, LAST_CHUNK_BYTES);
        }
        return freeBlocks.popLong();
    }

    /** Makes a filled block the one of a slot, in place of one that is retired. */
    void link(final int slot, final long block)
    {
        if (directory.isFull())
        {
            directory = directory.larger();
        }
        directory.put(slot, block);
    }

    /** Gives a block back, after the first level has ceased to say "longer" for its slot. */
    void retire(final int slot, final long block)
    {
        epochs.retire(
            () ->
            {
                if (find(slot) == block)
                {
                    unlink(slot);
                }
                freeBlocks.addLong(block);
            });
    }

    /** Makes {@link #lookup} yield "no route" for a slot. */
    void unlink(final int slot)
    {
        if (find(slot) != BlockDirectory.ABSENT)
        {
            directory.put(slot, BlockDirectory.ABSENT);
        }
    }

    /** Every slot that has a block, also those whose block is retired. */
    int[] linkedSlots()
    {
        return directory.slots();
    }

    long bytes()
    {
        return directory.bytes() + chunks.stream().mapToLong(MemoryRegion::size).sum();
    }

    @Override
    public void close()
    {
        chunks.forEach(MemoryRegion::close);
    }
}
