package org.fibnuma.ipnuma.memcached.store;

import java.util.Arrays;

/** Sizes of chunks. Each class is larger than the previous one by memcached's growth factor. Classes count from 1. */
final class SlabClasses
{
    /** Equals memcached's default: header and 48 bytes. */
    private static final int SMALLEST = 96;
    /** Equals memcached's default. On average a ninth of a chunk is unused. */
    private static final double GROWTH_FACTOR = 1.25;
    private static final int ALIGNMENT = 8;

    private final int[] sizes;

    /** Calculates the sizes. The last class has chunks of a whole slab page. */
    SlabClasses(final int pageSize)
    {
        final int[] found = new int[Byte.MAX_VALUE];
        int count = 1;
        for (double size = SMALLEST; size <= pageSize / GROWTH_FACTOR; size *= GROWTH_FACTOR)
        {
            size = (int)size + ALIGNMENT - 1 & -ALIGNMENT;
            found[count++] = (int)size;
        }
        found[count++] = pageSize;
        sizes = Arrays.copyOf(found, count);
    }

    int last()
    {
        return sizes.length - 1;
    }

    int chunkSize(final int slabClass)
    {
        return sizes[slabClass];
    }

    /** Returns the first class whose chunks have room for this number of bytes. */
    int classOf(final int bytes)
    {
        final int found = Arrays.binarySearch(sizes, bytes);
        return Math.max(1, found >= 0 ? found : -found - 1);
    }
}
