package org.fibnuma.fibnic.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.lang.invoke.VarHandle;

/**
 * The slots and nodes of {@link Ipv6FibLayout} in one region of native memory.
 * <p>
 * The first block has one word for each region of the address space: the offset of its slots. The low bits of the word
 * are the shift by which the number of a slot becomes an index. A region without prefixes longer than /3 has one entry.
 * <p>
 * One writer. A node is written before a reference to it is stored, and its bitmap never changes; entries change in
 * place while the node is linked. A reader loads the node through the reference, and this dependency orders the loads
 * on every processor.
 */
final class Ipv6FibTable implements AutoCloseable
{
    /** Blocks before the first free one of a table without prefixes. */
    static final int FIRST_BLOCKS = 1 + Ipv6FibLayout.REGIONS;

    /** Blocks of the slots of one region. */
    static final int REGION_BLOCKS =
        (Integer.BYTES << Ipv6FibLayout.REGION_SLOT_BITS) / Ipv6FibLayout.BLOCK_BYTES;

    private static final long OFFSET_MASK = -Ipv6FibLayout.BLOCK_BYTES;
    private static final int FIRST_SHIFT_OF_HIGH = Long.SIZE - Ipv6FibLayout.SLOT_BITS - Ipv6FibLayout.STRIDE;
    private static final int FIRST_SHIFT_OF_LOW = Long.SIZE - Ipv6FibLayout.STRIDE;
    private static final int ENTRIES_PER_BLOCK = Ipv6FibLayout.BLOCK_BYTES / Integer.BYTES;
    private static final int FIRST_RUN = Ipv6FibLayout.RUNS_OFFSET / Integer.BYTES;
    private static final int CELL_MASK = Ipv6FibLayout.CELLS - 1;

    private final MemoryRegion region;
    private final long base;

    /** Creates a table without prefixes. */
    Ipv6FibTable(final int bytes)
    {
        this(MemoryRegion.ofBytes(bytes));
        for (int i = 0; i < Ipv6FibLayout.REGIONS; i++)
        {
            FrameMemory.putLong(base + (long)i * Long.BYTES,
                (1L + i) * Ipv6FibLayout.BLOCK_BYTES | Ipv6FibLayout.REGION_SLOT_BITS);
        }
    }

    private Ipv6FibTable(final MemoryRegion region)
    {
        this.region = region;
        this.base = region.address();
    }

    /** Returns a copy of the first blocks of this table in more memory; references keep their meaning. */
    Ipv6FibTable copy(final int bytes, final int usedBlocks)
    {
        final Ipv6FibTable copy = new Ipv6FibTable(MemoryRegion.ofBytes(bytes));
        FrameMemory.copy(base, copy.base, usedBlocks * Ipv6FibLayout.BLOCK_BYTES);
        return copy;
    }

    long bytes()
    {
        return region.size();
    }

    /** Returns the adjacency of a destination; any thread. */
    int lookup(final long high, final long low)
    {
        int entry = slotEntry(high);
        for (int shift = FIRST_SHIFT_OF_HIGH; entry < 0 && shift >= 0; shift -= Ipv6FibLayout.STRIDE)
        {
            entry = cellEntry(entry, (int)(high >>> shift) & CELL_MASK);
        }
        for (int shift = FIRST_SHIFT_OF_LOW; entry < 0; shift -= Ipv6FibLayout.STRIDE)
        {
            entry = cellEntry(entry, (int)(low >>> shift) & CELL_MASK);
        }
        return entry;
    }

    /**
     * Stores the adjacency of the destinations of the frames in a list; any thread. There are two loops for each depth:
     * the first finds the runs, the second reads their entries. Each waits for one cache line a frame and has few
     * instructions, so that the processor overlaps the memory accesses of many frames.
     *
     * @param pending overwritten with the frames whose entry is still a reference to a node.
     */
    void lookup(final FrameBatch batch, final FrameList list, final FrameList pending)
    {
        final int count = list.size();
        int left = 0;
        for (int k = 0; k < count; k++)
        {
            final int i = FrameBatch.index(list.get(k));
            final int entry = slotEntry(batch.destinationHigh(i));
            batch.adjacency(i, entry);
            pending.set(left, i);
            left += entry >>> Integer.SIZE - 1;
        }
        for (int shift = FIRST_SHIFT_OF_HIGH; left != 0 && shift >= 0; shift -= Ipv6FibLayout.STRIDE)
        {
            findRunsByHigh(batch, pending, left, shift);
            left = readRuns(batch, pending, left);
        }
        for (int shift = FIRST_SHIFT_OF_LOW; left != 0; shift -= Ipv6FibLayout.STRIDE)
        {
            findRunsByLow(batch, pending, left, shift);
            left = readRuns(batch, pending, left);
        }
    }

    /** Replaces references to nodes by the positions of the runs of the destinations, in place of the adjacencies. */
    private void findRunsByHigh(final FrameBatch batch, final FrameList pending, final int count, final int shift)
    {
        for (int k = 0; k < count; k++)
        {
            final int i = FrameBatch.index(pending.get(k));
            final int cell = (int)(batch.destinationHigh(i) >>> shift) & CELL_MASK;
            batch.adjacency(i, position(batch.adjacency(i), cell));
        }
    }

    private void findRunsByLow(final FrameBatch batch, final FrameList pending, final int count, final int shift)
    {
        for (int k = 0; k < count; k++)
        {
            final int i = FrameBatch.index(pending.get(k));
            final int cell = (int)(batch.destinationLow(i) >>> shift) & CELL_MASK;
            batch.adjacency(i, position(batch.adjacency(i), cell));
        }
    }

    /** Replaces positions of runs by their entries; returns how many of these refer to nodes. */
    private int readRuns(final FrameBatch batch, final FrameList pending, final int count)
    {
        int left = 0;
        for (int k = 0; k < count; k++)
        {
            final int i = FrameBatch.index(pending.get(k));
            final int entry = FrameMemory.getInt(base + (long)batch.adjacency(i) * Integer.BYTES);
            batch.adjacency(i, entry);
            pending.set(left, i);
            left += entry >>> Integer.SIZE - 1;
        }
        return left;
    }

    int slotEntry(final long high)
    {
        return FrameMemory.getInt(slotAddress(high));
    }

    /** Stores the entry of the slot of an address; a reader that sees it sees all stores before. */
    void putSlotEntry(final long high, final int entry)
    {
        VarHandle.releaseFence();
        FrameMemory.putInt(slotAddress(high), entry);
    }

    /** Returns whether the region of an address has one entry for each slot instead of one for all. */
    boolean hasSlots(final long high)
    {
        return (int)(regionWord(high) & ~OFFSET_MASK) == 0;
    }

    /** Gives the region of an address an entry for each slot, in free blocks. */
    void openSlots(final long high, final int block)
    {
        final int entry = slotEntry(high);
        final long offset = offset(block);
        final long pair = entry * 0x1_0000_0001L;
        for (int i = 0; i < REGION_BLOCKS * Ipv6FibLayout.BLOCK_BYTES; i += Long.BYTES)
        {
            FrameMemory.putLong(base + offset + i, pair);
        }
        VarHandle.releaseFence();
        FrameMemory.putLong(regionAddress(high), offset);
    }

    /** Returns the entry of a cell of a node; the node is given by the entry that refers to it. */
    int cellEntry(final int node, final int cell)
    {
        return FrameMemory.getInt(runAddress(node, cell));
    }

    /** Stores the entry of the run of a cell; a reader that sees it sees all stores before. */
    void putCellEntry(final int node, final int cell, final int entry)
    {
        VarHandle.releaseFence();
        FrameMemory.putInt(runAddress(node, cell), entry);
    }

    /** Returns whether the run of a cell has no other cell. */
    boolean isAlone(final int node, final int cell)
    {
        return startsRun(node, cell) && (cell == CELL_MASK || startsRun(node, cell + 1));
    }

    /** Returns one long of the bitmap of a node: bit c is set where a run begins at cell 64 x word + c. */
    long starts(final int node, final int word)
    {
        return FrameMemory.getLong(address(node) + (long)word * Long.BYTES);
    }

    /** Returns the number of runs of a node. */
    int runs(final int node)
    {
        final int last = Ipv6FibLayout.WORDS - 1;
        return runsBefore(node, last) + Long.bitCount(starts(node, last));
    }

    /** Writes a node that no reader can find yet. */
    void write(final int node, final long[] starts, final int[] entries, final int runs)
    {
        final long address = address(node);
        int before = 0;
        for (int word = 0; word < Ipv6FibLayout.WORDS; word++)
        {
            FrameMemory.putLong(address + (long)word * Long.BYTES, starts[word]);
            FrameMemory.putByte(address + Ipv6FibLayout.COUNTS_OFFSET + word, before);
            before += Long.bitCount(starts[word]);
        }
        for (int run = 0; run < runs; run++)
        {
            FrameMemory.putInt(address + Ipv6FibLayout.RUNS_OFFSET + (long)run * Integer.BYTES, entries[run]);
        }
    }

    private boolean startsRun(final int node, final int cell)
    {
        return (starts(node, cell / Long.SIZE) >>> cell & 1) != 0;
    }

    private long regionAddress(final long high)
    {
        return base + (high >>> Long.SIZE - Ipv6FibLayout.REGION_BITS) * Long.BYTES;
    }

    private long regionWord(final long high)
    {
        return FrameMemory.getLong(regionAddress(high));
    }

    private long slotAddress(final long high)
    {
        final long word = regionWord(high);
        final long slotInRegion =
            high << Ipv6FibLayout.REGION_BITS >>> Long.SIZE - Ipv6FibLayout.REGION_SLOT_BITS;
        // The shift counts modulo 64, which leaves the low bits of the word.
        return base + (word & OFFSET_MASK) + (slotInRegion >>> (int)word) * Integer.BYTES;
    }

    private long runAddress(final int node, final int cell)
    {
        return base + (long)position(node, cell) * Integer.BYTES;
    }

    /** Returns the position of the run of a cell of a node, in entries from the start of the table. */
    private int position(final int node, final int cell)
    {
        final int word = cell >>> 6;
        // Counts the starts at this cell and below: ~cell is 63 - cell modulo 64.
        final int run = runsBefore(node, word) + Long.bitCount(starts(node, word) << ~cell) - 1;
        return Ipv6FibLayout.blockOf(node) * ENTRIES_PER_BLOCK + FIRST_RUN + run;
    }

    private int runsBefore(final int node, final int word)
    {
        return FrameMemory.getByte(address(node) + Ipv6FibLayout.COUNTS_OFFSET + word) & 0xFF;
    }

    private long address(final int node)
    {
        return base + offset(Ipv6FibLayout.blockOf(node));
    }

    private static long offset(final int block)
    {
        return (long)block * Ipv6FibLayout.BLOCK_BYTES;
    }

    @Override
    public void close()
    {
        region.close();
    }
}
