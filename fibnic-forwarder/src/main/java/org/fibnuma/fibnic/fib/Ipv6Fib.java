package org.fibnuma.fibnic.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;

/**
 * The IPv6 forwarding table: longest-prefix match from a destination to an adjacency, exact for any set of prefixes
 * from /0 to /128. An address is two numbers, its first and its last eight bytes: {@code 0x2001_0DB8_0000_0000L} and 1
 * for 2001:db8::1. A prefix is an address and a length from 0 to 128; the bits below the length are 0.
 * <p>
 * The first 24 bits select an entry of a table; below it are nodes with a stride of eight bits and compressed cells
 * (see {@link Ipv6FibLayout}). Every cell has the adjacency of the longest prefix that covers it, so that the last
 * access of a lookup alone gives its result.
 * <p>
 * The {@code lookup} methods are for any number of worker threads, without locks. Each worker registers with the
 * {@link ReaderEpochs} of the FIB and calls {@link ReaderEpochs.Reader#quiesce()} once per duty cycle. The result of a
 * lookup was correct at some moment during the call, for each destination by itself. All other methods are for the one
 * control thread.
 */
public final class Ipv6Fib implements AutoCloseable
{
    /** Position of {@link #forEachFrom} after the last prefix. */
    public static final int END = -1;

    /** Positions of {@link #forEachFrom}, each a /24. */
    private static final int SLOTS = 1 << Ipv6FibLayout.SLOT_BITS;
    private static final int SLOTS_OF_16 = 1 << Ipv6FibLayout.SLOT_BITS - 16;

    /** Slots that {@link #forEachFrom} reads in about a millisecond. */
    private static final int SLOTS_AT_ONCE = 1 << 20;

    /** Stride of {@link PrefixTrie} whose cells are slots. */
    private static final int SLOT_STRIDE = 2;

    private final ReaderEpochs epochs;
    private final Ipv6FibMemory memory;
    private final Ipv6Nodes nodes;
    /** The prefixes up to /24, by the first 32 bits of their addresses. */
    private final PrefixTrie prefixes = new PrefixTrie();
    /** Number of prefixes longer than /24 in each /16. */
    private final int[] longerBelow16 = new int[SLOTS / SLOTS_OF_16];
    private final CellSet[] cellsOfStride = {new CellSet(), new CellSet(), new CellSet()};

    /**
     * Creates a FIB without routes.
     *
     * @param epochs that every reader of this FIB registers with; shared with the other tables of the same control
     *               thread and workers.
     */
    public Ipv6Fib(final ReaderEpochs epochs)
    {
        this.epochs = epochs;
        this.memory = new Ipv6FibMemory(epochs);
        this.nodes = new Ipv6Nodes(memory, epochs);
    }

    /**
     * Looks up one destination by longest-prefix match; any thread.
     *
     * @return the adjacency of the longest prefix that covers it, 0 if none does.
     */
    public int lookup(final long high, final long low)
    {
        return memory.table().lookup(high, low);
    }

    /**
     * Looks up the destinations of some frames and stores each result in {@link FrameBatch#adjacency(int)}; any thread.
     * This is several times as fast as one by one, because the memory accesses overlap.
     *
     * @param batch   whose frames in the list have a {@link FrameBatch#destinationHigh(int)} and a
     *                {@link FrameBatch#destinationLow(int)}.
     * @param list    frames to look up.
     * @param pending a list of the calling thread with undefined contents, which is overwritten.
     */
    public void lookup(final FrameBatch batch, final FrameList list, final FrameList pending)
    {
        memory.table().lookup(batch, list, pending);
    }

    /**
     * Adds a prefix or replaces its adjacency.
     *
     * @param adjacency 1 to {@link Ipv4Fib#MAX_ADJACENCY}.
     * @throws IllegalArgumentException if the prefix or the adjacency is out of range.
     */
    public void announce(final long high, final long low, final int length, final int adjacency)
    {
        requirePrefix(high, low, length);
        if (adjacency < 1 || adjacency > Ipv4Fib.MAX_ADJACENCY)
        {
            throw new IllegalArgumentException(
                "adjacency " + adjacency + " is not in 1 to " + Ipv4Fib.MAX_ADJACENCY);
        }
        epochs.reclaim();
        if (length > Ipv6FibLayout.REGION_BITS)
        {
            memory.openSlots(high);
        }
        if (length > Ipv6FibLayout.SLOT_BITS)
        {
            final int before = nodes.size();
            nodes.announce(high, low, length, adjacency);
            longerBelow16[blockOf16(high)] += nodes.size() - before;
        }
        else if (prefixes.put(inTrie(high), length, adjacency) != adjacency)
        {
            paint(high, length, adjacency);
        }
    }

    /**
     * Removes a prefix; its addresses get the adjacency of the next shorter prefix that covers them.
     *
     * @return false if there was no such prefix.
     * @throws IllegalArgumentException if the prefix is out of range.
     */
    public boolean withdraw(final long high, final long low, final int length)
    {
        requirePrefix(high, low, length);
        epochs.reclaim();
        if (length > Ipv6FibLayout.SLOT_BITS)
        {
            final boolean removed = nodes.withdraw(high, low, length);
            longerBelow16[blockOf16(high)] -= removed ? 1 : 0;
            return removed;
        }
        if (prefixes.remove(inTrie(high), length) == Ipv6FibLayout.NO_ROUTE)
        {
            return false;
        }
        paint(high, length, prefixes.coverOf(inTrie(high), length - 1));
        return true;
    }

    /**
     * Returns the adjacency of exactly one prefix, without longest match.
     *
     * @return 1 to {@link Ipv4Fib#MAX_ADJACENCY}, or 0 if there is no such prefix.
     * @throws IllegalArgumentException if the prefix is out of range.
     */
    public int exact(final long high, final long low, final int length)
    {
        requirePrefix(high, low, length);
        return length > Ipv6FibLayout.SLOT_BITS ?
            nodes.exact(high, low, length) : prefixes.get(inTrie(high), length);
    }

    private static int blockOf16(final long high)
    {
        return (int)(high >>> Long.SIZE - 16);
    }

    /**
     * Passes prefixes to a consumer, in no order, from a position on, and stops when there were enough. The FIB may
     * change between the calls, but not by the consumer. A prefix that is in the FIB all the time is passed once. A
     * call may exceed the number by the prefixes up to /24 that belong to one /16, and by those inside one /24.
     *
     * @param position 0, or what the last call has returned.
     * @param enough   number of prefixes after which the call returns, at least 1.
     * @param consumer called once for each prefix.
     * @return position of the next call, or {@link #END}.
     */
    public int forEachFrom(final int position, final int enough, final Ipv6RouteConsumer consumer)
    {
        final Ipv6FibTable table = memory.table();
        final int end = Math.min(position + SLOTS_AT_ONCE, SLOTS);
        int slot = position;
        int count = 0;
        while (slot < end && count < enough)
        {
            final int block = slot / SLOTS_OF_16;
            final boolean beginsBlock = slot % SLOTS_OF_16 == 0;
            if (beginsBlock)
            {
                count += prefixes.forEachOf16(block, (prefix, length, adjacency) ->
                    consumer.onRoute((long)prefix << Integer.SIZE, 0, length, adjacency));
            }
            if (beginsBlock && longerBelow16[block] == 0)
            {
                slot += SLOTS_OF_16;
            }
            else
            {
                final long high = (long)slot << Long.SIZE - Ipv6FibLayout.SLOT_BITS;
                final int entry = table.slotEntry(high);
                if (Ipv6FibLayout.isNode(entry))
                {
                    count += nodes.forEach(entry, 0, high, 0, consumer);
                }
                slot++;
            }
        }
        return slot == SLOTS ? END : slot;
    }

    /** Returns the number of prefixes. */
    public int size()
    {
        return prefixes.size() + nodes.size();
    }

    /** Returns the size in bytes of the memory that lookups read: the table with its nodes and free blocks. */
    public long tableBytes()
    {
        return memory.table().bytes();
    }

    /**
     * Returns the size in bytes of the prefixes from which the table is updated, and of the lists of its free blocks.
     * Only the control thread reads them.
     */
    public long prefixBytes()
    {
        return prefixes.bytes() + nodes.bytes() + memory.bytes() + (long)longerBelow16.length * Integer.BYTES;
    }

    /**
     * Frees the native memory when every reader has closed; no new reader can register any more.
     *
     * @throws IllegalStateException if a reader is left after 10 s: the memory stays mapped, because that reader may
     *                               access it.
     */
    @Override
    public void close()
    {
        epochs.close("the IPv6 forwarding table");
        memory.close();
    }

    private static void requirePrefix(final long high, final long low, final int length)
    {
        if (length < 0 || length > Ipv6Address.BITS ||
            (high & ~Ipv6Address.maskHigh(length) | low & ~Ipv6Address.maskLow(length)) != 0)
        {
            throw new IllegalArgumentException(
                "not an IPv6 prefix: " + Ipv6Address.format(high, low) + "/" + length);
        }
    }

    /** Returns the part of an address that {@link PrefixTrie} stores of a prefix up to /24. */
    private static int inTrie(final long high)
    {
        return (int)(high >>> Integer.SIZE);
    }

    /** Stores an adjacency for the addresses of a prefix up to /24 that no longer prefix covers. */
    private void paint(final long high, final int length, final int adjacency)
    {
        final int stride = PrefixTrie.strideOf(length);
        final int address = inTrie(high);
        paintCells(address, stride, PrefixTrie.cellOf(address, stride), length - 8 * stride, adjacency);
    }

    private void paintCells(
        final int address, final int stride, final int firstCell, final int length, final int adjacency)
    {
        final CellSet cells = cellsOfStride[stride];
        cells.clear();
        cells.add(firstCell, Ipv6FibLayout.CELLS >>> length);
        prefixes.removeCellsOfLonger(address, stride, length + 8 * stride, cells);
        final int shift = 24 - 8 * stride;
        final int base = address & Ipv4Address.mask(8 * stride);
        for (int word = 0; word < CellSet.WORDS; word++)
        {
            final int firstOfWord = base | word * Long.SIZE << shift;
            for (long rest = cells.word(word); rest != 0; rest &= rest - 1)
            {
                final int cell = firstOfWord + (Long.numberOfTrailingZeros(rest) << shift);
                final long high = (long)cell << Integer.SIZE;
                if (stride == SLOT_STRIDE || !memory.table().hasSlots(high))
                {
                    nodes.cover(high, adjacency);
                }
                else
                {
                    paintCells(cell, stride + 1, 0, 0, adjacency);
                }
            }
        }
    }
}
