package org.fibnuma.fibnic.rib;

import java.util.Arrays;

/**
 * Maps each prefix to the row of its best route, by a hash table with open addressing. An entry has the number of a
 * row, which has the prefix, and a byte of the hash: hardly any row of another prefix is read. The table consists of
 * many small segments. The growth of one moves a thousand entries, whereas the growth of a single table of a million
 * prefixes would stop the control thread for tens of ms.
 */
final class RouteHeads
{
    private static final int SEGMENT_BITS = 10;
    private static final int INITIAL_ENTRIES = 8;
    private static final int SLOT_SHIFT = 22;
    /** An entry is a row in the lower bits, and in the upper ones the lowest bits of the hash. */
    private static final int ROW_BITS = 24;
    private static final int ROW_MASK = (1 << ROW_BITS) - 1;

    /** Most rows: the entry of a further row could be equal to {@link Rib#NONE}. */
    static final int MAX_ROWS = ROW_MASK;

    /** 2^64 over the golden ratio (Knuth, TAOCP 6.4): its product has well mixed upper bits. */
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final RouteRows rows;
    private final int[][] segments = new int[1 << SEGMENT_BITS][INITIAL_ENTRIES];
    private final int[] sizes = new int[1 << SEGMENT_BITS];
    private int size;

    /** The rows of heads must not be freed before they are replaced or removed. */
    RouteHeads(final RouteRows rows)
    {
        this.rows = rows;
        for (final int[] segment : segments)
        {
            Arrays.fill(segment, Rib.NONE);
        }
    }

    /** Returns the memory in bytes, with free entries. */
    long bytes()
    {
        return Arrays.stream(segments).mapToLong(segment -> segment.length).sum() * Integer.BYTES;
    }

    int size()
    {
        return size;
    }

    /** Returns the row of a prefix, or {@link Rib#NONE}; the address bits below the length are 0. */
    int get(final long high, final long low, final int bits)
    {
        final long hash = hash(high, low, bits);
        final int[] segment = segments[segmentOf(hash)];
        return rowOf(segment[slotOf(segment, hash, high, low, bits)]);
    }

    /** Makes a row the head of its prefix. */
    void put(final int row)
    {
        final long hash = hash(row);
        final int number = segmentOf(hash);
        int[] segment = segments[number];
        int slot = slotOf(segment, hash, rows.high(row), rows.low(row), rows.bits(row));
        if (segment[slot] == Rib.NONE)
        {
            // A search is short while at most two thirds of the slots are in use.
            if (3 * (sizes[number] + 1) > 2 * segment.length)
            {
                segment = grow(number);
                slot = slotOf(segment, hash, rows.high(row), rows.low(row), rows.bits(row));
            }
            sizes[number]++;
            size++;
        }
        segment[slot] = entry(hash, row);
    }

    /** Removes the prefix of a row, which has a head. */
    void remove(final int row)
    {
        final long hash = hash(row);
        final int number = segmentOf(hash);
        final int[] segment = segments[number];
        final int mask = segment.length - 1;
        int gap = slotOf(segment, hash, rows.high(row), rows.low(row), rows.bits(row));
        segment[gap] = Rib.NONE;
        sizes[number]--;
        size--;
        // An entry behind the gap moves into it, unless the gap is before the slot where the entry's search begins.
        for (int slot = gap + 1 & mask; segment[slot] != Rib.NONE; slot = slot + 1 & mask)
        {
            final int wanted = (int)(hash(rowOf(segment[slot])) >>> SLOT_SHIFT) & mask;
            if ((slot - wanted & mask) >= (slot - gap & mask))
            {
                segment[gap] = segment[slot];
                segment[slot] = Rib.NONE;
                gap = slot;
            }
        }
    }

    private int[] grow(final int number)
    {
        final int[] old = segments[number];
        final int[] segment = new int[2 * old.length];
        Arrays.fill(segment, Rib.NONE);
        final int mask = segment.length - 1;
        for (final int entry : old)
        {
            if (entry != Rib.NONE)
            {
                int slot = (int)(hash(rowOf(entry)) >>> SLOT_SHIFT) & mask;
                while (segment[slot] != Rib.NONE)
                {
                    slot = slot + 1 & mask;
                }
                segment[slot] = entry;
            }
        }
        segments[number] = segment;
        return segment;
    }

    /** Returns the slot of a prefix, or the free slot for it. */
    private int slotOf(final int[] segment, final long hash, final long high, final long low, final int bits)
    {
        final int mask = segment.length - 1;
        int slot = (int)(hash >>> SLOT_SHIFT) & mask;
        while (segment[slot] != Rib.NONE && !isOf(segment[slot], hash, high, low, bits))
        {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean isOf(final int entry, final long hash, final long high, final long low, final int bits)
    {
        final int row = entry & ROW_MASK;
        return entry == entry(hash, row) &&
            rows.low(row) == low && rows.high(row) == high && rows.bits(row) == bits;
    }

    private static int entry(final long hash, final int row)
    {
        return (int)hash << ROW_BITS | row;
    }

    private static int rowOf(final int entry)
    {
        return entry == Rib.NONE ? Rib.NONE : entry & ROW_MASK;
    }

    private long hash(final int row)
    {
        return hash(rows.high(row), rows.low(row), rows.bits(row));
    }

    private static int segmentOf(final long hash)
    {
        return (int)(hash >>> Long.SIZE - SEGMENT_BITS);
    }

    private static long hash(final long high, final long low, final int bits)
    {
        final long mixed = ((high * MULTIPLIER ^ low) + bits) * MULTIPLIER;
        return (mixed ^ mixed >>> Integer.SIZE) * MULTIPLIER;
    }
}
