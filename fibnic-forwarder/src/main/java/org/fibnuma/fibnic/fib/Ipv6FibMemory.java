package org.fibnuma.fibnic.fib;

import org.agrona.BitUtil;
import org.agrona.collections.IntArrayList;

import java.util.Arrays;

/**
 * Allocates the blocks of the IPv6 table. When they are used up it publishes a larger copy of the table. References in
 * the copy are the same: only the address of the whole table changes. Control thread, except {@link #table}.
 */
final class Ipv6FibMemory implements AutoCloseable
{
    private static final int FIRST_BYTES = 1 << 16;
    private static final int MOST_BYTES = 1 << 30;
    private static final int LARGEST_NODE = Ipv6FibLayout.blocksFor(Ipv6FibLayout.CELLS);

    private final ReaderEpochs epochs;
    private final IntArrayList[] freeOfSize = new IntArrayList[LARGEST_NODE + 1];
    private volatile Ipv6FibTable table = new Ipv6FibTable(FIRST_BYTES);
    private int used = Ipv6FibTable.FIRST_BLOCKS;

    Ipv6FibMemory(final ReaderEpochs epochs)
    {
        this.epochs = epochs;
        Arrays.setAll(freeOfSize, size -> new IntArrayList());
    }

    /** Returns the current table, which the next allocation may replace; any thread. */
    Ipv6FibTable table()
    {
        return table;
    }

    /** Allocates a node with room for some runs; returns its first block. */
    int allocateNode(final int runs)
    {
        final int blocks = Ipv6FibLayout.blocksFor(runs);
        final IntArrayList free = freeOfSize[blocks];
        return free.isEmpty() ? allocate(blocks) : free.popInt();
    }

    /** Frees a node that no reader can hold. */
    void freeNode(final int block)
    {
        freeOfSize[Ipv6FibLayout.blocksFor(table.runs(Ipv6FibLayout.nodeAt(block)))].addInt(block);
    }

    /** Gives the region of an address an entry for each slot, unless it has them. */
    void openSlots(final long high)
    {
        if (!table.hasSlots(high))
        {
            final int block = allocate(Ipv6FibTable.REGION_BLOCKS);
            table.openSlots(high, block);
        }
    }

    /** Returns the number of blocks that the table has room for. */
    int capacity()
    {
        return (int)(table.bytes() / Ipv6FibLayout.BLOCK_BYTES);
    }

    /** Returns the size in bytes of the lists of free blocks. */
    long bytes()
    {
        return Arrays.stream(freeOfSize).mapToLong(free -> (long)free.capacity() * Integer.BYTES).sum();
    }

    private int allocate(final int blocks)
    {
        final int block = used;
        if (block + blocks > capacity())
        {
            grow((long)(block + blocks) * Ipv6FibLayout.BLOCK_BYTES);
        }
        used = block + blocks;
        return block;
    }

    private void grow(final long bytes)
    {
        if (bytes > MOST_BYTES)
        {
            throw new IllegalStateException("the IPv6 forwarding table would be larger than " + MOST_BYTES + " bytes");
        }
        final Ipv6FibTable before = table;
        table = before.copy(BitUtil.findNextPositivePowerOfTwo((int)bytes), used);
        epochs.retire(before::close);
    }

    @Override
    public void close()
    {
        table.close();
    }
}
