package org.fibnuma.ipnuma.memcached.store;

/**
 * Limits of a store.
 *
 * @param memoryBytes  maximum memory of slab pages, 1 MiB to 16 GiB. The index uses 3 % more, on the heap.
 * @param maxItemBytes maximum bytes of an item with its key and memcached's overhead, 1 KiB to 128 MiB and not more
 *                     than the memory.
 */
public record StoreSettings(long memoryBytes, int maxItemBytes)
{
    /** Equals memcached's default, 64 MiB. */
    public static final long DEFAULT_MEMORY_BYTES = 64L << 20;
    /** Equals memcached's default, 1 MiB. */
    public static final int DEFAULT_MAX_ITEM_BYTES = 1 << 20;

    private static final long MIN_MEMORY_BYTES = 1L << 20;
    private static final long MAX_MEMORY_BYTES = (16L << 30) - (1L << 28);
    private static final int MIN_ITEM_BYTES = 1 << 10;
    private static final int MAX_ITEM_BYTES = 1 << 27;

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public StoreSettings
    {
        if (memoryBytes < MIN_MEMORY_BYTES || memoryBytes > MAX_MEMORY_BYTES)
        {
            throw new IllegalArgumentException("memory of " + (memoryBytes >> 20) + " MiB; give 1 to " +
                (MAX_MEMORY_BYTES >> 20));
        }
        if (maxItemBytes < MIN_ITEM_BYTES || maxItemBytes > MAX_ITEM_BYTES || maxItemBytes > memoryBytes)
        {
            throw new IllegalArgumentException("items of " + maxItemBytes + " bytes; give " + MIN_ITEM_BYTES + " to " +
                MAX_ITEM_BYTES + ", and not more than the memory");
        }
    }

    /** Returns memcached's limits. */
    public static StoreSettings defaults()
    {
        return new StoreSettings(DEFAULT_MEMORY_BYTES, DEFAULT_MAX_ITEM_BYTES);
    }
}
