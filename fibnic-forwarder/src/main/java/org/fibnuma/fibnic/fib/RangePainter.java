package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.Ipv4Address;

/**
 * Stores an adjacency for those addresses of a prefix that no longer prefix covers: the part of the tables that changes
 * when the prefix is announced or withdrawn. It walks down the strides of the {@link PrefixTrie} from that of the
 * prefix and leaves out the cells of longer prefixes. Control thread only.
 */
final class RangePainter
{
    private static final int TABLE_STRIDE = 2;
    private static final long ALL_CELLS = -1L;

    private final PrefixTrie prefixes;
    private final LongerPrefixBlocks blocks;
    private final CellSet[] cellsOfStride = new CellSet[PrefixTrie.STRIDES];
    private Ipv4FibTable table;
    private int adjacency;
    private int code;

    RangePainter(final PrefixTrie prefixes, final LongerPrefixBlocks blocks)
    {
        this.prefixes = prefixes;
        this.blocks = blocks;
        for (int i = 0; i < cellsOfStride.length; i++)
        {
            cellsOfStride[i] = new CellSet();
        }
    }

    /** Paints a prefix; up to /24 the adjacency must have a code in the table or be 0 for "no route". */
    void paint(final Ipv4FibTable target, final int prefix, final int length, final int newAdjacency)
    {
        table = target;
        adjacency = newAdjacency;
        final int stride = PrefixTrie.strideOf(length);
        code = stride == PrefixTrie.LONGER_STRIDE ? Ipv4FibLayout.NO_ROUTE : target.codes().codeOf(newAdjacency);
        final int lengthInStride = length - 8 * stride;
        paintNode(prefix, stride, PrefixTrie.cellOf(prefix, stride), lengthInStride);
    }

    private void paintNode(final int address, final int stride, final int firstCell, final int length)
    {
        final CellSet cells = cellsOfStride[stride];
        cells.clear();
        cells.add(firstCell, Ipv4FibLayout.CELL_COUNT >>> length);
        prefixes.removeCellsOfLonger(address, stride, length + 8 * stride, cells);
        final int base = address & Ipv4Address.mask(8 * stride);
        for (int i = 0; i < CellSet.WORDS; i++)
        {
            final int firstOfWord = base | i << 30 - 8 * stride;
            if (stride == TABLE_STRIDE)
            {
                paintSlots(firstOfWord, cells.word(i));
            }
            else if (stride == PrefixTrie.LONGER_STRIDE)
            {
                paintBlock(firstOfWord, cells.word(i));
            }
            else
            {
                paintChildren(firstOfWord, stride, cells.word(i));
            }
        }
    }

    private void paintChildren(final int base, final int stride, final long cells)
    {
        for (long rest = cells; rest != 0; rest &= rest - 1)
        {
            final int address = base + (Long.numberOfTrailingZeros(rest) << 24 - 8 * stride);
            if (!fillCell(address, stride))
            {
                paintNode(address, stride + 1, 0, 0);
            }
        }
    }

    /**
     * Paints a /8 or /16 without longer prefixes at once, because a default route has thousands of them.
     *
     * @return whether it did.
     */
    private boolean fillCell(final int address, final int stride)
    {
        final int firstSlot = Ipv4FibLayout.slot(address);
        final int count = Ipv4FibLayout.SLOT_COUNT >>> 8 + 8 * stride;
        if (!prefixes.hasNoneBelow(address, stride) ||
            code == table.codes().longerCode() && blocks.mayHave(firstSlot, count))
        {
            return false;
        }
        table.fill(firstSlot, count, code);
        return true;
    }

    private void paintSlots(final int base, final long cells)
    {
        final int firstSlot = Ipv4FibLayout.slot(base);
        final boolean plain = prefixes.longerSlotsBelow16(base) == 0;
        if (plain && cells == ALL_CELLS)
        {
            table.fill(firstSlot, Long.SIZE, code);
            unlinkRetired(firstSlot, cells);
            return;
        }
        for (long rest = cells; rest != 0; rest &= rest - 1)
        {
            final int slot = firstSlot + Long.numberOfTrailingZeros(rest);
            if (plain || !prefixes.hasLonger(slot))
            {
                table.put(slot, code);
                unlinkRetired(slot, 1);
            }
            else
            {
                paintNode(Ipv4FibLayout.addressOfSlot(slot), PrefixTrie.LONGER_STRIDE, 0, 0);
            }
        }
    }

    /** Unlinks retired blocks where one code means "no route" and "longer", so that lookups find no route. */
    private void unlinkRetired(final int firstSlot, final long slots)
    {
        if (code == table.codes().longerCode())
        {
            for (long rest = slots; rest != 0; rest &= rest - 1)
            {
                blocks.unlink(firstSlot + Long.numberOfTrailingZeros(rest));
            }
        }
    }

    private void paintBlock(final int base, final long cells)
    {
        final long block = blocks.find(Ipv4FibLayout.slot(base));
        final int firstCell = Ipv4FibLayout.cell(base);
        for (long rest = cells; rest != 0; rest &= rest - 1)
        {
            LongerPrefixBlocks.fill(block, firstCell + Long.numberOfTrailingZeros(rest), 1, adjacency);
        }
    }
}
