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
 * One writer, readers without locks. A reader of a first-level code "longer" finds a block, because a block is linked
 * before that code is stored and stays linked until no reader can hold that code. All cells of a retired block contain
 * the adjacency of the /24 when its last longer prefix was withdrawn. Memory grows by chunks, is reused, and is freed
 * when the FIB is closed.
 */
final class LongerPrefixBlocks implements AutoCloseable
{
    private static final int BLOCK_BYTES = BlockDirectory.BLOCK_ALIGNMENT;
    private static final int FIRST_CHUNK_BYTES = 1 << 16;
    private static final int LAST_CHUNK_BYTES = 1 << 21;

    private final List<MemoryRegion> chunks = new ArrayList<>();
    private final LongArrayList freeBlocks = new LongArrayList();
    private final ReaderEpochs epochs;
    private volatile BlockDirectory directory = new BlockDirectory();
    private int chunkBytes = FIRST_CHUNK_BYTES;

    LongerPrefixBlocks(final ReaderEpochs epochs)
    {
        this.epochs = epochs;
    }

    /** Returns the adjacency of a destination whose first-level code is "longer"; any thread. */
    int lookup(final int destination)
    {
        // The directory must not be read before the code; the branch on the code does not order the two loads.
        VarHandle.acquireFence();
        final long block = directory.find(Ipv4FibLayout.slot(destination));
        return block == BlockDirectory.ABSENT ?
            Ipv4FibLayout.NO_ROUTE :
            FrameMemory.getShort(block + (long)Ipv4FibLayout.cell(destination) * Short.BYTES);
    }

    /**
     * Replaces {@link Ipv4FibLayout#LONGER} by "no route" where the /16 has no block, for codes that may mean either.
     * Without branches, because the processor cannot predict traffic to unrouted addresses. Any thread.
     *
     * @return whether any {@link Ipv4FibLayout#LONGER} is left.
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

    /** Returns the block linked for a slot, or {@link BlockDirectory#ABSENT}. */
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

    /** Allocates a block with undefined contents that is not linked. */
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

    /** Links a filled block to a slot, in place of a retired one. */
    void link(final int slot, final long block)
    {
        if (directory.isFull())
        {
            directory = directory.larger();
        }
        directory.put(slot, block);
    }

    /** Releases a block, after the code of its slot was changed from "longer". */
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

    /** Makes {@link #lookup} return "no route" for a slot. */
    void unlink(final int slot)
    {
        if (find(slot) != BlockDirectory.ABSENT)
        {
            directory.put(slot, BlockDirectory.ABSENT);
        }
    }

    /** Returns false if no slot of a range has a block; the range is a multiple of 256 slots from such a multiple. */
    boolean mayHave(final int firstSlot, final int count)
    {
        return directory.mayHave(firstSlot, count);
    }

    /** Returns every slot that has a block, including retired blocks. */
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
