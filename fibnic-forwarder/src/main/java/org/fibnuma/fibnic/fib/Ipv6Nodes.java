package org.fibnuma.fibnic.fib;

import org.agrona.collections.IntArrayList;

import java.util.Arrays;

/**
 * The prefixes longer than /24 and the nodes of the IPv6 table that they make.
 * <p>
 * Each node has a list of its own prefixes in {@link RouteBuckets} and a cover: the adjacency of the addresses below it
 * that no prefix of its own covers. A change that leaves the runs of a node as they are is one store into the node. Any
 * other change writes the node again in free blocks, with the nodes below it whose cover changes, and stores one
 * reference. Control thread only.
 */
final class Ipv6Nodes
{
    private static final int NO_CELL = -1;

    private final Ipv6FibMemory memory;
    private final ReaderEpochs epochs;
    private final RouteBuckets buckets = new RouteBuckets(0);
    private final IntArrayList freeBuckets = new IntArrayList();
    private int[] bucketOfBlock = new int[0];
    private char[] coverOfBucket = new char[0];
    private int bucketCount;
    private int size;

    /** The nodes on the way to a prefix, filled by {@link #descend}. */
    private final int[] path = new int[Ipv6FibLayout.DEPTHS];
    private final int[][] cellsOfDepth = new int[Ipv6FibLayout.DEPTHS][Ipv6FibLayout.CELLS];
    private final long[] starts = new long[Ipv6FibLayout.WORDS];
    private final int[] entries = new int[Ipv6FibLayout.CELLS];
    private final IntArrayList replacedBlocks = new IntArrayList();

    Ipv6Nodes(final Ipv6FibMemory memory, final ReaderEpochs epochs)
    {
        this.memory = memory;
        this.epochs = epochs;
    }

    int size()
    {
        return size;
    }

    long bytes()
    {
        return buckets.bytes() + (long)bucketOfBlock.length * Integer.BYTES +
            (long)coverOfBucket.length * Character.BYTES + (long)freeBuckets.capacity() * Integer.BYTES;
    }

    /** Returns the adjacency of exactly one prefix of 25 to 128 bits, or 0. */
    int exact(final long high, final long low, final int length)
    {
        final int depth = Ipv6FibLayout.depthOf(length);
        if (descend(high, low, depth) <= depth)
        {
            return Ipv6FibLayout.NO_ROUTE;
        }
        final int bucket = bucketOf(path[depth]);
        final int position = find(bucket, high, low, length);
        return position == RouteBuckets.ABSENT ?
            Ipv6FibLayout.NO_ROUTE : RouteBuckets.adjacency(buckets.entryAt(bucket, position));
    }

    /** Adds a prefix of 25 to 128 bits or replaces its adjacency. The region of the address must have slots. */
    void announce(final long high, final long low, final int length, final int adjacency)
    {
        final int depth = Ipv6FibLayout.depthOf(length);
        final int reached = descend(high, low, depth);
        final int cell = Ipv6FibLayout.cell(high, low, depth);
        final int prefix = RouteBuckets.entry(cell, length - Ipv6FibLayout.bitsAbove(depth), adjacency);
        if (reached <= depth)
        {
            size++;
            attach(high, low, reached, branch(high, low, reached, depth, prefix));
        }
        else
        {
            final int bucket = bucketOf(path[depth]);
            final int position = find(bucket, high, low, length);
            if (position == RouteBuckets.ABSENT)
            {
                size++;
                buckets.add(bucket, prefix);
            }
            else if (buckets.entryAt(bucket, position) == prefix)
            {
                return;
            }
            else
            {
                buckets.replace(bucket, position, prefix);
            }
            update(high, low, depth, prefix);
        }
        retireReplaced();
    }

    /** Removes a prefix of 25 to 128 bits; returns false where there is none. */
    boolean withdraw(final long high, final long low, final int length)
    {
        final int depth = Ipv6FibLayout.depthOf(length);
        if (descend(high, low, depth) <= depth)
        {
            return false;
        }
        final int bucket = bucketOf(path[depth]);
        final int position = find(bucket, high, low, length);
        if (position == RouteBuckets.ABSENT)
        {
            return false;
        }
        size--;
        final int prefix = buckets.entryAt(bucket, position);
        buckets.remove(bucket, position);
        if (isNeeded(path[depth], NO_CELL))
        {
            update(high, low, depth, prefix);
        }
        else
        {
            prune(high, low, depth);
        }
        retireReplaced();
        return true;
    }

    /** Stores the adjacency of the addresses of a slot that no prefix longer than /24 covers. */
    void cover(final long high, final int adjacency)
    {
        final int entry = memory.table().slotEntry(high);
        final int covered = Ipv6FibLayout.isNode(entry) ? withCover(entry, 0, adjacency) : adjacency;
        memory.table().putSlotEntry(high, covered);
        retireReplaced();
    }

    /**
     * Passes the prefixes below an entry, whose address bits above the depth are given, to a consumer; returns their
     * number.
     */
    int forEach(
        final int entry, final int depth, final long high, final long low, final Ipv6RouteConsumer consumer)
    {
        final int bucket = bucketOf(entry);
        for (int i = 0; i < buckets.count(bucket); i++)
        {
            final int prefix = buckets.entryAt(bucket, i);
            final int cell = RouteBuckets.index(prefix);
            consumer.onRoute(
                high | Ipv6FibLayout.highOfCell(cell, depth), low | Ipv6FibLayout.lowOfCell(cell, depth),
                Ipv6FibLayout.bitsAbove(depth) + RouteBuckets.length(prefix), RouteBuckets.adjacency(prefix));
        }
        int count = buckets.count(bucket);
        final Ipv6FibTable table = memory.table();
        for (int cell = nextChild(entry, 0); cell < Ipv6FibLayout.CELLS; cell = nextChild(entry, cell + 1))
        {
            count += forEach(
                table.cellEntry(entry, cell), depth + 1,
                high | Ipv6FibLayout.highOfCell(cell, depth), low | Ipv6FibLayout.lowOfCell(cell, depth), consumer);
        }
        return count;
    }

    /**
     * Fills the path to the node of a depth; returns the depth that has no node, or more than the wanted depth if the
     * path is complete.
     */
    private int descend(final long high, final long low, final int depth)
    {
        final Ipv6FibTable table = memory.table();
        int reached = 0;
        int entry = table.slotEntry(high);
        while (Ipv6FibLayout.isNode(entry) && reached < depth)
        {
            path[reached] = entry;
            entry = table.cellEntry(entry, Ipv6FibLayout.cell(high, low, reached));
            reached++;
        }
        path[reached] = entry;
        return Ipv6FibLayout.isNode(entry) ? reached + 1 : reached;
    }

    /** Writes nodes from a depth that has none down to a prefix; returns the entry of the first. */
    private int branch(final long high, final long low, final int first, final int last, final int prefix)
    {
        final int cover = path[first];
        int below = Ipv6FibLayout.NO_ROUTE;
        for (int depth = last; depth >= first; depth--)
        {
            final int bucket = openBucket(cover);
            if (depth == last)
            {
                buckets.add(bucket, prefix);
            }
            final int[] cells = paint(bucket, depth);
            if (depth != last)
            {
                cells[Ipv6FibLayout.cell(high, low, depth)] = below;
            }
            below = write(cells, bucket);
        }
        return below;
    }

    /** Changes the table after a prefix was added to the node at the end of the path, changed or removed. */
    private void update(final long high, final long low, final int depth, final int prefix)
    {
        final int node = path[depth];
        final int cell = RouteBuckets.index(prefix);
        final Ipv6FibTable table = memory.table();
        if (RouteBuckets.length(prefix) == Ipv6FibLayout.STRIDE && table.isAlone(node, cell))
        {
            final int entry = table.cellEntry(node, cell);
            final int adjacency = adjacencyOf(bucketOf(node), cell);
            final int covered =
                Ipv6FibLayout.isNode(entry) ? withCover(entry, depth + 1, adjacency) : adjacency;
            memory.table().putCellEntry(node, cell, covered);
        }
        else
        {
            attach(high, low, depth, rewrite(node, depth, NO_CELL, Ipv6FibLayout.NO_ROUTE));
        }
    }

    /** Removes the node at the end of the path and those above it that have nothing else. */
    private void prune(final long high, final long low, final int depth)
    {
        int top = depth;
        while (top > 0 && !isNeeded(path[top - 1], Ipv6FibLayout.cell(high, low, top - 1)))
        {
            top--;
        }
        final int cover = coverOfBucket[bucketOf(path[top])];
        for (int i = top; i <= depth; i++)
        {
            freeBuckets.addInt(bucketOf(path[i]));
            replacedBlocks.addInt(Ipv6FibLayout.blockOf(path[i]));
        }
        attach(high, low, top, cover);
    }

    /** Returns whether a node has a prefix, or a node below it in any cell but one. */
    private boolean isNeeded(final int node, final int exceptCell)
    {
        if (buckets.count(bucketOf(node)) != 0)
        {
            return true;
        }
        int child = nextChild(node, 0);
        if (child == exceptCell)
        {
            child = nextChild(node, child + 1);
        }
        return child < Ipv6FibLayout.CELLS;
    }

    /** Stores an entry in the cell of the path above a depth. */
    private void attach(final long high, final long low, final int depth, final int entry)
    {
        if (depth == 0)
        {
            memory.table().putSlotEntry(high, entry);
            return;
        }
        final int node = path[depth - 1];
        final int cell = Ipv6FibLayout.cell(high, low, depth - 1);
        if (memory.table().isAlone(node, cell))
        {
            memory.table().putCellEntry(node, cell, entry);
        }
        else
        {
            attach(high, low, depth - 1, rewrite(node, depth - 1, cell, entry));
        }
    }

    private int withCover(final int node, final int depth, final int cover)
    {
        final int bucket = bucketOf(node);
        if (coverOfBucket[bucket] == cover)
        {
            return node;
        }
        coverOfBucket[bucket] = (char)cover;
        return rewrite(node, depth, NO_CELL, Ipv6FibLayout.NO_ROUTE);
    }

    /** Writes a node again, from its prefixes and the nodes below it, with another entry in one cell. */
    private int rewrite(final int node, final int depth, final int changedCell, final int changedEntry)
    {
        final int bucket = bucketOf(node);
        final int[] cells = paint(bucket, depth);
        for (int cell = nextChild(node, 0); cell < Ipv6FibLayout.CELLS; cell = nextChild(node, cell + 1))
        {
            cells[cell] = withCover(memory.table().cellEntry(node, cell), depth + 1, cells[cell]);
        }
        if (changedCell != NO_CELL)
        {
            cells[changedCell] = changedEntry;
        }
        replacedBlocks.addInt(Ipv6FibLayout.blockOf(node));
        return write(cells, bucket);
    }

    /** Returns the first cell from one on whose entry is a node, or 256. */
    private int nextChild(final int node, final int from)
    {
        final Ipv6FibTable table = memory.table();
        for (int cell = nextStart(table, node, from); cell < Ipv6FibLayout.CELLS;
            cell = nextStart(table, node, cell + 1))
        {
            if (Ipv6FibLayout.isNode(table.cellEntry(node, cell)))
            {
                return cell;
            }
        }
        return Ipv6FibLayout.CELLS;
    }

    private static int nextStart(final Ipv6FibTable table, final int node, final int from)
    {
        int word = from / Long.SIZE;
        long rest = word < Ipv6FibLayout.WORDS ? table.starts(node, word) & -1L << from : 0;
        while (rest == 0 && ++word < Ipv6FibLayout.WORDS)
        {
            rest = table.starts(node, word);
        }
        return rest == 0 ? Ipv6FibLayout.CELLS : word * Long.SIZE + Long.numberOfTrailingZeros(rest);
    }

    /** Returns the adjacency of each cell of a node by its cover and its own prefixes, the shorter ones first. */
    private int[] paint(final int bucket, final int depth)
    {
        final int[] cells = cellsOfDepth[depth];
        Arrays.fill(cells, coverOfBucket[bucket]);
        final int count = buckets.count(bucket);
        int lengths = 0;
        for (int i = 0; i < count; i++)
        {
            lengths |= 1 << RouteBuckets.length(buckets.entryAt(bucket, i));
        }
        for (int rest = lengths; rest != 0; rest &= rest - 1)
        {
            final int length = Integer.numberOfTrailingZeros(rest);
            for (int i = 0; i < count; i++)
            {
                final int prefix = buckets.entryAt(bucket, i);
                if (RouteBuckets.length(prefix) == length)
                {
                    final int cell = RouteBuckets.index(prefix);
                    Arrays.fill(
                        cells, cell, cell + (Ipv6FibLayout.CELLS >>> length), RouteBuckets.adjacency(prefix));
                }
            }
        }
        return cells;
    }

    private int write(final int[] cells, final int bucket)
    {
        int runs = 0;
        int before = ~cells[0];
        for (int word = 0; word < Ipv6FibLayout.WORDS; word++)
        {
            long bits = 0;
            for (int bit = 0; bit < Long.SIZE; bit++)
            {
                final int entry = cells[word * Long.SIZE + bit];
                if (entry != before)
                {
                    bits |= 1L << bit;
                    entries[runs++] = entry;
                    before = entry;
                }
            }
            starts[word] = bits;
        }
        final int block = memory.allocateNode(runs);
        if (block >= bucketOfBlock.length)
        {
            bucketOfBlock = Arrays.copyOf(bucketOfBlock, memory.capacity());
        }
        bucketOfBlock[block] = bucket;
        final int node = Ipv6FibLayout.nodeAt(block);
        memory.table().write(node, starts, entries, runs);
        return node;
    }

    /** Frees replaced nodes once no reader can hold them; after the store that unlinks them. */
    private void retireReplaced()
    {
        if (replacedBlocks.size() == 1)
        {
            final int block = replacedBlocks.popInt();
            epochs.retire(() -> memory.freeNode(block));
        }
        else if (!replacedBlocks.isEmpty())
        {
            final int[] blocks = replacedBlocks.toIntArray();
            replacedBlocks.clear();
            epochs.retire(() -> Arrays.stream(blocks).forEach(memory::freeNode));
        }
    }

    private int bucketOf(final int node)
    {
        return bucketOfBlock[Ipv6FibLayout.blockOf(node)];
    }

    private int openBucket(final int cover)
    {
        final int bucket = freeBuckets.isEmpty() ? bucketCount++ : freeBuckets.popInt();
        buckets.ensureBuckets(bucket + 1);
        if (bucket >= coverOfBucket.length)
        {
            coverOfBucket = Arrays.copyOf(coverOfBucket, bucket + (bucket >> 2) + 16);
        }
        coverOfBucket[bucket] = (char)cover;
        return bucket;
    }

    private int adjacencyOf(final int bucket, final int cell)
    {
        final int prefix = buckets.findCover(bucket, cell, Ipv6FibLayout.STRIDE);
        return prefix == RouteBuckets.ABSENT ? coverOfBucket[bucket] : RouteBuckets.adjacency(prefix);
    }

    private int find(final int bucket, final long high, final long low, final int length)
    {
        final int depth = Ipv6FibLayout.depthOf(length);
        return buckets.find(
            bucket, Ipv6FibLayout.cell(high, low, depth), length - Ipv6FibLayout.bitsAbove(depth));
    }
}
