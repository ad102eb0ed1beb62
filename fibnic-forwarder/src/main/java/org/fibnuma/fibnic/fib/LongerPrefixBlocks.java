package org.fibnuma.fibnic.fib;

import org.agrona.BitUtil;
import org.agrona.collections.LongArrayList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The second level: for each /24 that has longer prefixes one block of 256 adjacencies, one for each address, found
 * through a directory, a hash table by slot with linear probing.
 * <p>
 * One writer, readers without locks. A reader whose first-level code said "longer" finds a block, because a block is
 * linked before that code is stored and stays linked until no reader can hold that code. A retired block shows
 * everywhere what the /24 showed when its last longer prefix was withdrawn.
 */
final class LongerPrefixBlocks implements AutoCloseable
{
    /** What {@link #find} yields for a slot without a block. */
    static final long ABSENT = 0;

    /** Bytes of a block, and its alignment. */
    static final int BLOCK_BYTES = Ipv4FibLayout.CELL_COUNT * Short.BYTES;

    private static final int BLOCK_SHIFT = 9;
    private static final int KEY_BITS = 25;
    private static final long KEY_MASK = (1L << KEY_BITS) - 1;
    private static final int FIRST_CHUNK_BYTES = 1 << 16;
    private static final int LAST_CHUNK_BYTES = 1 << 21;
    private static final int FIRST_DIRECTORY_SIZE = 64;
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);

    private final List<MemoryRegion> chunks = new ArrayList<>();
    private final LongArrayList freeBlocks = new LongArrayList();
    private final ReaderEpochs epochs;
    private volatile long[] directory = new long[FIRST_DIRECTORY_SIZE];
    private int usedEntries;
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
        final long block = find(Ipv4FibLayout.slot(destination));
        return block == ABSENT ? Ipv4FibLayout.NO_ROUTE : get(block, Ipv4FibLayout.cell(destination));
    }

    /** The block linked for a slot, or {@link #ABSENT}; any thread. */
    long find(final int slot)
    {
        final long[] entries = directory;
        for (int i = firstProbe(slot, entries.length);; i = i + 1 & entries.length - 1)
        {
            final long entry = (long)ENTRY.getAcquire(entries, i);
            if (entry == 0 || (entry & KEY_MASK) == slot + 1)
            {
                return entry >>> KEY_BITS << BLOCK_SHIFT;
            }
        }
    }

    /** The adjacency of a cell of a block. */
    static int get(final long block, final int cell)
    {
        return FrameMemory.getShort(block + (long)cell * Short.BYTES);
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
        long[] entries = directory;
        int i = indexOf(slot, entries);
        if (entries[i] == 0)
        {
            if (2 * (usedEntries + 1) > entries.length)
            {
                entries = copyOfLive(entries);
                i = indexOf(slot, entries);
                directory = entries;
            }
            usedEntries++;
        }
        ENTRY.setRelease(entries, i, block >>> BLOCK_SHIFT << KEY_BITS | slot + 1);
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
        if (find(slot) != ABSENT)
        {
            ENTRY.setRelease(directory, indexOf(slot, directory), slot + 1L);
        }
    }

    /** Every slot that has a block, also those whose block is retired. */
    int[] linkedSlots()
    {
        return Arrays.stream(directory)
            .filter(entry -> entry >>> KEY_BITS != 0)
            .mapToInt(entry -> (int)(entry & KEY_MASK) - 1)
            .toArray();
    }

    long bytes()
    {
        long bytes = (long)directory.length * Long.BYTES;
        for (final MemoryRegion chunk : chunks)
        {
            bytes += chunk.size();
        }
        return bytes;
    }

    @Override
    public void close()
    {
        chunks.forEach(MemoryRegion::close);
    }

    private static int firstProbe(final int slot, final int length)
    {
        return slot * 0x9E3779B1 >>> Integer.numberOfLeadingZeros(length - 1);
    }

    private static int indexOf(final int slot, final long[] entries)
    {
        int i = firstProbe(slot, entries.length);
        while (entries[i] != 0 && (entries[i] & KEY_MASK) != slot + 1)
        {
            i = i + 1 & entries.length - 1;
        }
        return i;
    }

    private long[] copyOfLive(final long[] entries)
    {
        int live = 0;
        for (final long entry : entries)
        {
            live += entry >>> KEY_BITS == 0 ? 0 : 1;
        }
        final long[] copy = new long[
            Math.max(FIRST_DIRECTORY_SIZE, BitUtil.findNextPositivePowerOfTwo(4 * (live + 1)))];
        for (final long entry : entries)
        {
            if (entry >>> KEY_BITS != 0)
            {
                copy[indexOf((int)(entry & KEY_MASK) - 1, copy)] = entry;
            }
        }
        usedEntries = live;
        return copy;
    }
}
