package org.fibnuma.fibnic.rib;

import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * All routes, also those that lose: rows in parallel arrays, 30 bytes each, chained from best to worst for each
 * prefix. The rows of each /16 are chained too, in no order: a part of the address space and a page of the routes in
 * order are found without looking at the others. A million routes take 30 MB and 32 MB for the map from prefix to
 * chain.
 */
final class RouteStore
{
    /** No row. */
    static final int NONE = -1;

    private static final int INITIAL_ROWS = 1024;
    private static final int INITIAL_KEYS = 1024;
    private static final float LOAD_FACTOR = 0.65f;
    private static final byte FREE = -1;
    private static final int BLOCK_BITS = 16;
    private static final int BLOCKS = 1 << BLOCK_BITS;

    private final int[] firstOfBlock = new int[BLOCKS];
    private final Long2LongHashMap headByKey = new Long2LongHashMap(INITIAL_KEYS, LOAD_FACTOR, NONE);
    private final int[] prefixesByLength = new int[Integer.SIZE + 1];
    private long[] keys = new long[INITIAL_ROWS];
    private int[] metrics = new int[INITIAL_ROWS];
    private int[] nextHops = new int[INITIAL_ROWS];
    private int[] nextRows = new int[INITIAL_ROWS];
    private int[] nextOfBlock = new int[INITIAL_ROWS];
    private int[] previousOfBlock = new int[INITIAL_ROWS];
    private byte[] sources = new byte[INITIAL_ROWS];
    private byte[] generations = new byte[INITIAL_ROWS];
    private int rowLimit;
    private int firstFree = NONE;
    private int size;
    private byte generation;

    RouteStore()
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

    /** One more than the highest row number; rows below may be free. */
    int rowLimit()
    {
        return rowLimit;
    }

    boolean isFree(final int row)
    {
        return sources[row] == FREE;
    }

    long key(final int row)
    {
        return keys[row];
    }

    int metric(final int row)
    {
        return metrics[row];
    }

    int nextHop(final int row)
    {
        return nextHops[row];
    }

    RouteSource source(final int row)
    {
        return RouteSource.of(sources[row]);
    }

    /** The best route of a prefix, or {@link #NONE}. */
    int head(final long key)
    {
        return (int)headByKey.get(key);
    }

    /** The row of a source and metric, of which there is never more than one for a prefix, or {@link #NONE}. */
    int find(final long key, final RouteSource source, final int metric)
    {
        int row = head(key);
        while (row != NONE && !(sources[row] == source.ordinal() && metrics[row] == metric))
        {
            row = nextRows[row];
        }
        return row;
    }

    /** Adds a row for a prefix, source and metric that have none. */
    int add(final long key, final RouteSource source, final int metric, final int nextHop)
    {
        final int row = takeRow();
        keys[row] = key;
        metrics[row] = metric;
        nextHops[row] = nextHop;
        sources[row] = (byte)source.ordinal();
        generations[row] = generation;
        int previous = NONE;
        int next = head(key);
        while (next != NONE && !worse(next, source, metric))
        {
            previous = next;
            next = nextRows[next];
        }
        nextRows[row] = next;
        if (previous == NONE)
        {
            prefixesByLength[RouteKey.length(key)] += next == NONE ? 1 : 0;
            headByKey.put(key, row);
        }
        else
        {
            nextRows[previous] = row;
        }
        linkInBlock(row);
        size++;
        return row;
    }

    /** Lets a row lead elsewhere. */
    void replaceNextHop(final int row, final int nextHop)
    {
        nextHops[row] = nextHop;
        mark(row);
    }

    void remove(final int row)
    {
        final long key = keys[row];
        final int head = head(key);
        if (head != row)
        {
            int previous = head;
            while (nextRows[previous] != row)
            {
                previous = nextRows[previous];
            }
            nextRows[previous] = nextRows[row];
        }
        else if (nextRows[row] == NONE)
        {
            headByKey.remove(key);
            prefixesByLength[RouteKey.length(key)]--;
        }
        else
        {
            headByKey.put(key, nextRows[row]);
        }
        unlinkFromBlock(row);
        sources[row] = FREE;
        nextRows[row] = firstFree;
        firstFree = row;
        size--;
    }

    /** From now on rows that are not added or marked are stale. */
    void nextGeneration()
    {
        generation++;
    }

    void mark(final int row)
    {
        generations[row] = generation;
    }

    boolean isStale(final int row)
    {
        return generations[row] != generation;
    }

    /** The best route of the longest prefix up to a length that an address lies in, or {@link #NONE}. */
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

    /** The first prefixes above one, in order; fewer than the limit where there are no more. */
    long[] keysAfter(final long after, final int limit)
    {
        long[] page = new long[limit];
        int count = 0;
        for (int block = after < 0 ? 0 : blockOf(after); block < BLOCKS && count < limit; block++)
        {
            final int firstInPage = count;
            for (int row = firstOfBlock[block]; row != NONE; row = nextOfBlock[row])
            {
                final long key = keys[row];
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

    /** The best route of each prefix inside another, or the same; the routes must not be changed meanwhile. */
    void forEachHeadIn(final long outer, final LongConsumer consumer)
    {
        final int last = RouteKey.prefix(outer) | ~Ipv4Address.mask(RouteKey.length(outer));
        for (int block = blockOf(outer); block <= last >>> BLOCK_BITS; block++)
        {
            for (int row = firstOfBlock[block]; row != NONE; row = nextOfBlock[row])
            {
                if (RouteKey.covers(outer, keys[row]) && head(keys[row]) == row)
                {
                    consumer.accept(keys[row]);
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
        final int block = blockOf(keys[row]);
        final int next = firstOfBlock[block];
        nextOfBlock[row] = next;
        previousOfBlock[row] = NONE;
        firstOfBlock[block] = row;
        if (next != NONE)
        {
            previousOfBlock[next] = row;
        }
    }

    private void unlinkFromBlock(final int row)
    {
        final int previous = previousOfBlock[row];
        final int next = nextOfBlock[row];
        if (previous == NONE)
        {
            firstOfBlock[blockOf(keys[row])] = next;
        }
        else
        {
            nextOfBlock[previous] = next;
        }
        if (next != NONE)
        {
            previousOfBlock[next] = previous;
        }
    }

    private boolean worse(final int row, final RouteSource source, final int metric)
    {
        return sources[row] > source.ordinal() ||
            sources[row] == source.ordinal() && Integer.compareUnsigned(metrics[row], metric) > 0;
    }

    private int takeRow()
    {
        if (firstFree != NONE)
        {
            final int row = firstFree;
            firstFree = nextRows[row];
            return row;
        }
        if (rowLimit == keys.length)
        {
            final int capacity = 2 * rowLimit;
            keys = Arrays.copyOf(keys, capacity);
            metrics = Arrays.copyOf(metrics, capacity);
            nextHops = Arrays.copyOf(nextHops, capacity);
            nextRows = Arrays.copyOf(nextRows, capacity);
            nextOfBlock = Arrays.copyOf(nextOfBlock, capacity);
            previousOfBlock = Arrays.copyOf(previousOfBlock, capacity);
            sources = Arrays.copyOf(sources, capacity);
            generations = Arrays.copyOf(generations, capacity);
        }
        return rowLimit++;
    }
}
