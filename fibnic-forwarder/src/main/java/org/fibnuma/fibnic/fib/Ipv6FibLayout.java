package org.fibnuma.fibnic.fib;

/**
 * Position of a destination in the IPv6 table, and the layout of a node.
 * <p>
 * The first 24 bits of a destination select a slot. Below a slot are nodes with a stride of eight bits. The depth of a
 * node is 0 for bits 24 to 31, 1 for bits 32 to 39, and 12 for the last eight bits. A slot and a cell of a node hold an
 * entry: an adjacency, 0 for no route, or a negative number for a reference to a node.
 * <p>
 * A node stores its 256 cells as runs of equal entries (as Poptrie's leafvec, Asai and Ohara, SIGCOMM 2015):
 * <pre>
 *  offset 0   four longs    bit c of 256 is set where a run begins at cell c
 *  offset 32  four bytes    runs that begin before cell 0, 64, 128 and 192
 *  offset 36  one int each  the entries of the runs
 * </pre>
 * The memory of the table consists of blocks of one cache line; a node with up to seven runs has one block.
 */
final class Ipv6FibLayout
{
    /** Address bits that select a slot. */
    static final int SLOT_BITS = 24;

    /** Address bits that select a region of slots. */
    static final int REGION_BITS = 3;

    /** Regions of the address space, of which 2000::/3 is one. */
    static final int REGIONS = 1 << REGION_BITS;

    /** Address bits that select a slot of a region. */
    static final int REGION_SLOT_BITS = SLOT_BITS - REGION_BITS;

    /** Address bits that select a cell of a node. */
    static final int STRIDE = 8;

    /** Cells of a node. */
    static final int CELLS = 1 << STRIDE;

    /** Longs of the bitmap of a node. */
    static final int WORDS = CELLS / Long.SIZE;

    /** Depths of nodes: 24 + 13 x 8 bits are 128. */
    static final int DEPTHS = 13;

    /** Size of a block in bytes. */
    static final int BLOCK_BYTES = 64;

    /** Meaning of an entry: no prefix matches. */
    static final int NO_ROUTE = 0;

    /** Offset of the four counts of runs. */
    static final int COUNTS_OFFSET = WORDS * Long.BYTES;

    /** Offset of the entries of the runs. */
    static final int RUNS_OFFSET = COUNTS_OFFSET + WORDS;

    /** Depths whose bits are in the first eight bytes of an address. */
    private static final int DEPTHS_OF_HIGH = (Long.SIZE - SLOT_BITS) / STRIDE;

    private Ipv6FibLayout()
    {
    }

    /** Returns the slot of an address, 0 to 2^24 - 1. */
    static int slot(final long high)
    {
        return (int)(high >>> Long.SIZE - SLOT_BITS);
    }

    /** Returns the cell of an address in the node of a depth, 0 to 255. */
    static int cell(final long high, final long low, final int depth)
    {
        final long half = depth < DEPTHS_OF_HIGH ? high : low;
        return (int)(half >>> shift(depth)) & CELLS - 1;
    }

    /** Returns the first eight bytes of the address of a cell whose other bits are 0. */
    static long highOfCell(final int cell, final int depth)
    {
        return depth < DEPTHS_OF_HIGH ? (long)cell << shift(depth) : 0;
    }

    /** Returns the last eight bytes of the address of a cell whose other bits are 0. */
    static long lowOfCell(final int cell, final int depth)
    {
        return depth < DEPTHS_OF_HIGH ? 0 : (long)cell << shift(depth);
    }

    private static int shift(final int depth)
    {
        final int depthInHalf = depth < DEPTHS_OF_HIGH ? depth + SLOT_BITS / STRIDE : depth - DEPTHS_OF_HIGH;
        return Long.SIZE - STRIDE - STRIDE * depthInHalf;
    }

    /** Returns the depth of the nodes that hold prefixes of a length from 25 to 128. */
    static int depthOf(final int length)
    {
        return (length - SLOT_BITS - 1) / STRIDE;
    }

    /** Returns the number of address bits above the cells of a depth. */
    static int bitsAbove(final int depth)
    {
        return SLOT_BITS + STRIDE * depth;
    }

    /** Returns whether an entry refers to a node. */
    static boolean isNode(final int entry)
    {
        return entry < 0;
    }

    /** Returns the entry that refers to the node that begins at a block. */
    static int nodeAt(final int block)
    {
        return block | Integer.MIN_VALUE;
    }

    /** Returns the first block of the node that an entry refers to. */
    static int blockOf(final int entry)
    {
        return entry & Integer.MAX_VALUE;
    }

    /** Returns the number of blocks of a node. */
    static int blocksFor(final int runs)
    {
        return (RUNS_OFFSET + runs * Integer.BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }
}
