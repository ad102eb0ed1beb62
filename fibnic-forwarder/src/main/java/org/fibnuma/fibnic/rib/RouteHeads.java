package org.fibnuma.fibnic.rib;

import org.agrona.collections.Long2LongHashMap;

import java.util.Arrays;

/**
 * Maps each prefix to the row of its best route. Many small maps instead of one: the growth of one moves a thousand
 * entries, whereas a map of a million prefixes would stop the control thread for tens of ms.
 */
final class RouteHeads
{
    private static final int SEGMENT_BITS = 10;
    private static final int INITIAL_KEYS = 8;
    private static final float LOAD_FACTOR = 0.65f;
    /** 2^64 over the golden ratio (Knuth, TAOCP 6.4): its product has well mixed upper bits. */
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final Long2LongHashMap[] segments = new Long2LongHashMap[1 << SEGMENT_BITS];
    private int size;

    RouteHeads()
    {
        for (int i = 0; i < segments.length; i++)
        {
            segments[i] = new Long2LongHashMap(INITIAL_KEYS, LOAD_FACTOR, Rib.NONE);
        }
    }

    /** Memory in bytes, including free entries. */
    long bytes()
    {
        return Arrays.stream(segments).mapToLong(Long2LongHashMap::capacity).sum() * 2 * Long.BYTES;
    }

    /** Number of prefixes. */
    int size()
    {
        return size;
    }

    /** The row of a prefix, or {@link Rib#NONE}. */
    int get(final long key)
    {
        return (int)segmentOf(key).get(key);
    }

    void put(final long key, final int row)
    {
        size += segmentOf(key).put(key, row) == Rib.NONE ? 1 : 0;
    }

    void remove(final long key)
    {
        size -= segmentOf(key).remove(key) == Rib.NONE ? 0 : 1;
    }

    private Long2LongHashMap segmentOf(final long key)
    {
        return segments[(int)(key * MULTIPLIER >>> Long.SIZE - SEGMENT_BITS)];
    }
}
