package org.fibnuma.fibnic.fib;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.Arrays;

/**
 * The IPv4 forwarding table: longest-prefix match from a destination to an adjacency, exact for any set of prefixes
 * from /0 to /32. An address is a number, {@code 0x0A000001} for 10.0.0.1. A prefix is an address and a length from 0
 * to 32; the bits below the length are 0.
 * <p>
 * The structure is FIBNIC's 22-bit table (see {@link Ipv4FibLayout}) and a second level for prefixes longer than /24.
 * One access to the first level decides all other destinations. Its codes have 2, 4, 8 or 16 bits, the narrowest that
 * hold the adjacencies in use.
 * <p>
 * The {@code lookup} methods are for any number of worker threads, without locks. Each worker registers with the
 * {@link ReaderEpochs} of the FIB and calls {@link ReaderEpochs.Reader#quiesce()} once per duty cycle. The result of a
 * lookup was correct at some moment during the call, for each destination by itself. All other methods are for the one
 * control thread.
 */
public final class Ipv4Fib implements AutoCloseable
{
    /** Highest adjacency that a route can have. */
    public static final int MAX_ADJACENCY = Ipv4FibLayout.LONGER - 1;

    /** Position of {@link #forEachFrom} after the last prefix. */
    public static final int END = -1;

    private static final int LONGEST_IN_TABLE = 24;

    /** Positions of {@link #forEachFrom}, each a /16. */
    private static final int BLOCKS = 1 << 16;

    private final ReaderEpochs epochs;
    private final PrefixTrie prefixes = new PrefixTrie();
    private final LongerPrefixBlocks blocks;
    private final RangePainter painter;
    private int[] tableRoutesOf = new int[16];
    private int adjacenciesInTable;
    private volatile Ipv4FibTable table;

    /**
     * Creates a FIB without routes, at 2 bits a code.
     *
     * @param epochs that every reader of this FIB registers with; shared with the other tables of the same control
     *               thread and workers.
     */
    public Ipv4Fib(final ReaderEpochs epochs)
    {
        this.epochs = epochs;
        this.blocks = new LongerPrefixBlocks(epochs);
        this.painter = new RangePainter(prefixes, blocks);
        this.table = new Ipv4FibTable(NextHopCodes.narrowestFor(0, epochs));
    }

    /**
     * Looks up one destination by longest-prefix match; any thread.
     *
     * @return the adjacency of the longest prefix that covers it, 0 if none does.
     */
    public int lookup(final int destination)
    {
        final int adjacency = table.lookup(destination);
        return adjacency == Ipv4FibLayout.LONGER ? blocks.lookup(destination) : adjacency;
    }

    /**
     * Looks up the destinations of some frames and stores each result in {@link FrameBatch#adjacency(int)}; any thread.
     * This is several times as fast as one by one, because the memory accesses overlap.
     *
     * @param batch whose frames have a {@link FrameBatch#destination(int)}.
     * @param from  index of the first frame.
     * @param to    index after the last frame.
     */
    public void lookup(final FrameBatch batch, final int from, final int to)
    {
        final Ipv4FibTable current = table;
        if (current.lookup(batch, from, to) &&
            (!current.sharesNoRoute() || blocks.settleNoRoute(batch, from, to)))
        {
            lookupLonger(batch, from, to);
        }
    }

    /** Looks up the destinations of the frames of a list, as {@link #lookup(FrameBatch, int, int)} does; any thread. */
    public void lookup(final FrameBatch batch, final FrameList list)
    {
        if (table.lookup(batch, list))
        {
            final int count = list.size();
            for (int k = 0; k < count; k++)
            {
                final int i = list.get(k);
                if (batch.adjacency(i) == Ipv4FibLayout.LONGER)
                {
                    batch.adjacency(i, blocks.lookup(batch.destination(i)));
                }
            }
        }
    }

    private void lookupLonger(final FrameBatch batch, final int from, final int to)
    {
        for (int i = nextLonger(batch, from, to); i < to; i = nextLonger(batch, i + 1, to))
        {
            batch.adjacency(i, blocks.lookup(batch.destination(i)));
        }
    }

    /** A loop without calls: only one frame in a thousand is looked up in the second level. */
    private static int nextLonger(final FrameBatch batch, final int from, final int to)
    {
        int i = FrameBatch.index(from);
        while (i < to && batch.adjacency(i) != Ipv4FibLayout.LONGER)
        {
            i++;
        }
        return i;
    }

    /**
     * Adds a prefix or replaces its adjacency.
     *
     * @param adjacency 1 to {@link #MAX_ADJACENCY}.
     * @throws IllegalArgumentException if the prefix or the adjacency is out of range.
     */
    public void announce(final int prefix, final int length, final int adjacency)
    {
        requirePrefix(prefix, length);
        if (adjacency < 1 || adjacency > MAX_ADJACENCY)
        {
            throw new IllegalArgumentException("adjacency " + adjacency + " is not in 1 to " + MAX_ADJACENCY);
        }
        epochs.reclaim();
        final boolean hadLonger = length > LONGEST_IN_TABLE && prefixes.hasLonger(Ipv4FibLayout.slot(prefix));
        final int replaced = prefixes.put(prefix, length, adjacency);
        if (replaced == adjacency)
        {
            return;
        }
        if (length <= LONGEST_IN_TABLE)
        {
            use(adjacency);
            painter.paint(table, prefix, length, adjacency);
            if (replaced != Ipv4FibLayout.NO_ROUTE)
            {
                unuse(replaced);
            }
        }
        else if (hadLonger)
        {
            painter.paint(table, prefix, length, adjacency);
        }
        else
        {
            openBlock(prefix, length, adjacency);
        }
    }

    /**
     * Removes a prefix; its addresses get the adjacency of the next shorter prefix that covers them.
     *
     * @return false if there was no such prefix.
     * @throws IllegalArgumentException if the prefix is out of range.
     */
    public boolean withdraw(final int prefix, final int length)
    {
        requirePrefix(prefix, length);
        epochs.reclaim();
        final int removed = prefixes.remove(prefix, length);
        if (removed == Ipv4FibLayout.NO_ROUTE)
        {
            return false;
        }
        final int cover = prefixes.coverOf(prefix, length - 1);
        if (length <= LONGEST_IN_TABLE)
        {
            painter.paint(table, prefix, length, cover);
            unuse(removed);
        }
        else if (prefixes.hasLonger(Ipv4FibLayout.slot(prefix)))
        {
            painter.paint(table, prefix, length, cover);
        }
        else
        {
            closeBlock(prefix, length, cover);
        }
        return true;
    }

    /**
     * Returns the adjacency of exactly one prefix, without longest match.
     *
     * @return 1 to {@link #MAX_ADJACENCY}, or 0 if there is no such prefix.
     * @throws IllegalArgumentException if the prefix is out of range.
     */
    public int exact(final int prefix, final int length)
    {
        requirePrefix(prefix, length);
        return prefixes.get(prefix, length);
    }

    /**
     * Passes prefixes to a consumer, in no order, from a position on, and stops when there were enough. The FIB may
     * change between the calls, but not by the consumer. A prefix that is in the FIB all the time is passed once. A
     * call may exceed the number by the prefixes that belong to one /16.
     *
     * @param position 0, or what the last call has returned.
     * @param enough   number of prefixes after which the call returns, at least 1.
     * @param consumer called once for each prefix.
     * @return position of the next call, or {@link #END}.
     */
    public int forEachFrom(final int position, final int enough, final Ipv4RouteConsumer consumer)
    {
        int block = position;
        int count = 0;
        while (block < BLOCKS && count < enough)
        {
            count += prefixes.forEachOf16(block++, consumer);
        }
        return block == BLOCKS ? END : block;
    }

    /** Returns the number of prefixes. */
    public int size()
    {
        return prefixes.size();
    }

    /** Returns the current width of the codes of the first level: 2, 4, 8 or 16 bits. */
    public int codeBits()
    {
        return table.codes().codeBits();
    }

    /** Returns the size of the first level in bytes. */
    public long tableBytes()
    {
        return table.bytes();
    }

    /** Returns the size of the second level in bytes: used and free blocks, and their directory. */
    public long secondLevelBytes()
    {
        return blocks.bytes();
    }

    /**
     * Returns the size in bytes of the prefixes from which the tables are updated, and of the codes. Only the control
     * thread reads them.
     */
    public long prefixBytes()
    {
        return prefixes.bytes() + (long)tableRoutesOf.length * Integer.BYTES + table.codes().bytes();
    }

    /**
     * Returns whether narrower codes would hold twice the adjacencies in use. Then {@link #compact()} makes the table
     * narrower, and some more next hops do not widen it again.
     */
    public boolean isWide()
    {
        return NextHopCodes.bitsFor(2 * adjacenciesInTable) < codeBits();
    }

    /**
     * Changes to the narrowest codes that hold the adjacencies in use, if they are narrower than now; writes a whole
     * table. The FIB widens by itself but never narrows by itself, so that its width does not change with every route.
     */
    public void compact()
    {
        final NextHopCodes narrowest = NextHopCodes.narrowestFor(adjacenciesInTable, epochs);
        if (narrowest.capacity() < table.codes().capacity())
        {
            rebuild(narrowest);
        }
    }

    Ipv4FibTable table()
    {
        return table;
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
        epochs.close("the forwarding table");
        table.close();
        blocks.close();
    }

    private static void requirePrefix(final int prefix, final int length)
    {
        if (length < 0 || length > 32 || (prefix & ~Ipv4Address.mask(length)) != 0)
        {
            throw new IllegalArgumentException("not an IPv4 prefix: " + Ipv4Address.format(prefix) + "/" + length);
        }
    }

    private void use(final int adjacency)
    {
        if (adjacency >= tableRoutesOf.length)
        {
            tableRoutesOf = Arrays.copyOf(tableRoutesOf, Math.min(2 * adjacency, MAX_ADJACENCY + 1));
        }
        if (tableRoutesOf[adjacency]++ == 0)
        {
            adjacenciesInTable++;
            if (table.codes().assign(adjacency) == NextHopCodes.EXHAUSTED)
            {
                rebuild(NextHopCodes.narrowestFor(table.codes().capacity() + 1, epochs));
            }
        }
    }

    private void unuse(final int adjacency)
    {
        if (--tableRoutesOf[adjacency] == 0)
        {
            adjacenciesInTable--;
            table.codes().release(adjacency);
        }
    }

    private void rebuild(final NextHopCodes codes)
    {
        for (int adjacency = 1; adjacency < tableRoutesOf.length; adjacency++)
        {
            if (tableRoutesOf[adjacency] != 0)
            {
                codes.assign(adjacency);
            }
        }
        final Ipv4FibTable before = table;
        final Ipv4FibTable after = new Ipv4FibTable(codes);
        after.copyFrom(before);
        for (final int slot : prefixes.slotsWithLonger())
        {
            after.put(slot, codes.longerCode());
        }
        if (after.sharesNoRoute())
        {
            unlinkRetired(after);
        }
        table = after;
        epochs.retire(before::close);
    }

    private void unlinkRetired(final Ipv4FibTable sharing)
    {
        for (final int slot : blocks.linkedSlots())
        {
            if (!prefixes.hasLonger(slot) && sharing.code(slot) == Ipv4FibLayout.NO_ROUTE)
            {
                blocks.unlink(slot);
            }
        }
    }

    private void openBlock(final int prefix, final int length, final int adjacency)
    {
        final int slot = Ipv4FibLayout.slot(prefix);
        final long block = blocks.allocate();
        LongerPrefixBlocks.fill(block, 0, Ipv4FibLayout.CELL_COUNT, prefixes.coverOf(prefix, LONGEST_IN_TABLE));
        LongerPrefixBlocks.fill(block, Ipv4FibLayout.cell(prefix), 1 << 32 - length, adjacency);
        blocks.link(slot, block);
        table.put(slot, table.codes().longerCode());
    }

    private void closeBlock(final int prefix, final int length, final int cover)
    {
        final int slot = Ipv4FibLayout.slot(prefix);
        final long block = blocks.find(slot);
        LongerPrefixBlocks.fill(block, Ipv4FibLayout.cell(prefix), 1 << 32 - length, cover);
        table.put(slot, table.codes().codeOf(cover));
        blocks.retire(slot, block);
    }
}
