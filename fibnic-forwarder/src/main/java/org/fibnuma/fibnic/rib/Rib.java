package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.Ipv4Address;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The routing information base: all routes of all sources, chained from best to worst for each prefix. A route is a row
 * of 28 bytes in pages that never move, so an added page copies nothing. The rows of each /16 are chained too, in no
 * order, so that a part of the address space can be read without the rest. A million routes take 28 MB, and 32 MB for
 * the map from prefix to best route. Control thread only.
 */
final class Rib
{
    /** No row. */
    static final int NONE = -1;

    private static final int PAGE_SHIFT = 13;
    private static final int PAGE_ROWS = 1 << PAGE_SHIFT;

    private static final int PREFIX = 0;
    /** Length of the prefix in the lowest byte, then the ordinal of the source, then the generation. */
    private static final int TAG = 1;
    private static final int METRIC = 2;
    private static final int NEXT_HOP = 3;
    /** Next worse row of the same prefix, or next free row. */
    private static final int NEXT = 4;
    private static final int NEXT_OF_BLOCK = 5;
    private static final int PREVIOUS_OF_BLOCK = 6;
    private static final int ROW_INTS = 7;

    private static final int BYTE_MASK = 0xFF;
    private static final int SOURCE_SHIFT = 8;
    private static final int GENERATION_SHIFT = 16;
    private static final int FREE_TAG = BYTE_MASK << SOURCE_SHIFT;

    private static final int BLOCK_BITS = 16;
    private static final int BLOCKS = 1 << BLOCK_BITS;

    private final int[] firstOfBlock = new int[BLOCKS];
    private final RouteHeads headByKey = new RouteHeads();
    private final int[] prefixesByLength = new int[Integer.SIZE + 1];
    private int[][] pages = new int[0][];
    private int rowLimit;
    private int firstFree = NONE;
    private int size;
    private int generation;

    Rib()
    {
        Arrays.fill(firstOfBlock, NONE);
    }

    /** Number of rows. */
    int size()
    {
        return size;
    }

    /** Number of distinct prefixes. */
    int prefixCount()
    {
        return headByKey.size();
    }

    /** Memory of rows and maps in bytes, including what is free for more routes. */
    long bytes()
    {
        return (long)pages.length * PAGE_ROWS * ROW_INTS * Integer.BYTES + (long)BLOCKS * Integer.BYTES +
            headByKey.bytes();
    }

    /** One more than the highest row number; rows below may be free. */
    int rowLimit()
    {
        return rowLimit;
    }

    boolean isFree(final int row)
    {
        return sourceOrdinal(row) == BYTE_MASK;
    }

    long key(final int row)
    {
        return RouteKey.of(get(row, PREFIX), get(row, TAG) & BYTE_MASK);
    }

    int metric(final int row)
    {
        return get(row, METRIC);
    }

    int nextHop(final int row)
    {
        return get(row, NEXT_HOP);
    }

    RouteSource source(final int row)
    {
        return RouteSource.of(sourceOrdinal(row));
    }

    /** The best route of a prefix, or {@link #NONE}. */
    int head(final long key)
    {
        return headByKey.get(key);
    }

    /** The row of a prefix, source and metric, of which there is at most one, or {@link #NONE}. */
    int find(final long key, final RouteSource source, final int metric)
    {
        int row = head(key);
        while (row != NONE && !(sourceOrdinal(row) == source.ordinal() && metric(row) == metric))
        {
            row = get(row, NEXT);
        }
        return row;
    }

    /** Adds a row for a prefix, source and metric that have none. */
    int add(final long key, final RouteSource source, final int metric, final int nextHop)
    {
        final int row = takeRow();
        set(row, PREFIX, RouteKey.prefix(key));
        set(row, TAG, generation << GENERATION_SHIFT | source.ordinal() << SOURCE_SHIFT | RouteKey.length(key));
        set(row, METRIC, metric);
        set(row, NEXT_HOP, nextHop);
        int previous = NONE;
        int next = head(key);
        while (next != NONE && !worse(next, source, metric))
        {
            previous = next;
            next = get(next, NEXT);
        }
        set(row, NEXT, next);
        if (previous == NONE)
        {
            prefixesByLength[RouteKey.length(key)] += next == NONE ? 1 : 0;
            headByKey.put(key, row);
        }
        else
        {
            set(previous, NEXT, row);
        }
        linkInBlock(row);
        size++;
        return row;
    }

    /** Changes the next hop of a row and marks the row. */
    void replaceNextHop(final int row, final int nextHop)
    {
        set(row, NEXT_HOP, nextHop);
        mark(row);
    }

    void remove(final int row)
    {
        final long key = key(row);
        final int head = head(key);
        if (head != row)
        {
            int previous = head;
            while (get(previous, NEXT) != row)
            {
                previous = get(previous, NEXT);
            }
            set(previous, NEXT, get(row, NEXT));
        }
        else if (get(row, NEXT) == NONE)
        {
            headByKey.remove(key);
            prefixesByLength[RouteKey.length(key)]--;
        }
        else
        {
            headByKey.put(key, get(row, NEXT));
        }
        unlinkFromBlock(row);
        set(row, TAG, FREE_TAG);
        set(row, NEXT, firstFree);
        firstFree = row;
        size--;
    }

    /** Makes all rows stale that are not added or marked after this call. */
    void nextGeneration()
    {
        generation = generation + 1 & BYTE_MASK;
    }

    void mark(final int row)
    {
        set(row, TAG, get(row, TAG) & (1 << GENERATION_SHIFT) - 1 | generation << GENERATION_SHIFT);
    }

    boolean isStale(final int row)
    {
        return get(row, TAG) >>> GENERATION_SHIFT != generation;
    }

    /** The best route of the longest prefix, up to a length, that contains an address, or {@link #NONE}. */
    int longestMatch(final int address, final int maxLength)
    {
        for (int length = maxLength; length >= 0; length--)
        {
            if (prefixesByLength[length] > 0)
            {
                final int row = head(RouteKey.of(address & Ipv4Address.mask(length), length));
                if (row != NONE)
                {
                    return row;
                }
            }
        }
        return NONE;
    }

    /** The first prefixes above a key, in order; fewer than the limit where there are no more. */
    long[] keysAfter(final long after, final int limit)
    {
        long[] page = new long[limit];
        int count = 0;
        for (int block = after < 0 ? 0 : blockOf(after); block < BLOCKS && count < limit; block++)
        {
            final int firstInPage = count;
            for (int row = firstOfBlock[block]; row != NONE; row = get(row, NEXT_OF_BLOCK))
            {
                final long key = key(row);
                if (key > after && head(key) == row)
                {
                    page = count < page.length ? page : Arrays.copyOf(page, 2 * count);
                    page[count++] = key;
                }
            }
            Arrays.sort(page, firstInPage, count);
        }
        return Arrays.copyOf(page, Math.min(count, limit));
    }

    /** Passes every prefix that another one covers to a consumer, which must not change the routes. */
    void forEachHeadIn(final long outer, final LongConsumer consumer)
    {
        final int last = RouteKey.prefix(outer) | ~Ipv4Address.mask(RouteKey.length(outer));
        for (int block = blockOf(outer); block <= last >>> BLOCK_BITS; block++)
        {
            for (int row = firstOfBlock[block]; row != NONE; row = get(row, NEXT_OF_BLOCK))
            {
                if (RouteKey.covers(outer, key(row)) && head(key(row)) == row)
                {
                    consumer.accept(key(row));
                }
            }
        }
    }

    private static int blockOf(final long key)
    {
        return RouteKey.prefix(key) >>> BLOCK_BITS;
    }

    private void linkInBlock(final int row)
    {
        final int block = blockOf(key(row));
        final int next = firstOfBlock[block];
        set(row, NEXT_OF_BLOCK, next);
        set(row, PREVIOUS_OF_BLOCK, NONE);
        firstOfBlock[block] = row;
        if (next != NONE)
        {
            set(next, PREVIOUS_OF_BLOCK, row);
        }
    }

    private void unlinkFromBlock(final int row)
    {
        final int previous = get(row, PREVIOUS_OF_BLOCK);
        final int next = get(row, NEXT_OF_BLOCK);
        if (previous == NONE)
        {
            firstOfBlock[blockOf(key(row))] = next;
        }
        else
        {
            set(previous, NEXT_OF_BLOCK, next);
        }
        if (next != NONE)
        {
            set(next, PREVIOUS_OF_BLOCK, previous);
        }
    }

    private boolean worse(final int row, final RouteSource source, final int metric)
    {
        return sourceOrdinal(row) > source.ordinal() ||
            sourceOrdinal(row) == source.ordinal() && Integer.compareUnsigned(metric(row), metric) > 0;
    }

    private int takeRow()
    {
        if (firstFree != NONE)
        {
            final int row = firstFree;
            firstFree = get(row, NEXT);
            return row;
        }
        if (rowLimit >>> PAGE_SHIFT == pages.length)
        {
            pages = Arrays.copyOf(pages, pages.length + 1);
            pages[pages.length - 1] = new int[PAGE_ROWS * ROW_INTS];
        }
        return rowLimit++;
    }

    private int sourceOrdinal(final int row)
    {
        return get(row, TAG) >>> SOURCE_SHIFT & BYTE_MASK;
    }

    private int get(final int row, final int field)
    {
        return pages[row >>> PAGE_SHIFT][(row & PAGE_ROWS - 1) * ROW_INTS + field];
    }

    private void set(final int row, final int field, final int value)
    {
        pages[row >>> PAGE_SHIFT][(row & PAGE_ROWS - 1) * ROW_INTS + field] = value;
    }
}
