package org.fibnuma.ipnuma.memcached.store;

/** One list of items for each slab class, from the most to the least recently used. */
final class LruLists
{
    private final ItemMemory memory;
    private final int[] newest;
    private final int[] oldest;
    private final int[] counts;

    LruLists(final ItemMemory memory, final int classes)
    {
        this.memory = memory;
        this.newest = new int[classes];
        this.oldest = new int[classes];
        this.counts = new int[classes];
    }

    void add(final int item)
    {
        final int slabClass = memory.getByte(item, ItemLayout.CLASS_OFFSET);
        final int next = newest[slabClass];
        memory.putInt(item, ItemLayout.NEWER_OFFSET, 0);
        memory.putInt(item, ItemLayout.OLDER_OFFSET, next);
        newest[slabClass] = item;
        if (next == 0)
        {
            oldest[slabClass] = item;
        }
        else
        {
            memory.putInt(next, ItemLayout.NEWER_OFFSET, item);
        }
        counts[slabClass]++;
    }

    void remove(final int item)
    {
        final int slabClass = memory.getByte(item, ItemLayout.CLASS_OFFSET);
        final int newer = memory.getInt(item, ItemLayout.NEWER_OFFSET);
        final int older = memory.getInt(item, ItemLayout.OLDER_OFFSET);
        if (newer == 0)
        {
            newest[slabClass] = older;
        }
        else
        {
            memory.putInt(newer, ItemLayout.OLDER_OFFSET, older);
        }
        if (older == 0)
        {
            oldest[slabClass] = newer;
        }
        else
        {
            memory.putInt(older, ItemLayout.NEWER_OFFSET, newer);
        }
        counts[slabClass]--;
    }

    void touch(final int item)
    {
        if (memory.getInt(item, ItemLayout.NEWER_OFFSET) != 0)
        {
            remove(item);
            add(item);
        }
    }

    /** Returns the least recently used item, or 0. */
    int oldest(final int slabClass)
    {
        return oldest[slabClass];
    }

    int newer(final int item)
    {
        return memory.getInt(item, ItemLayout.NEWER_OFFSET);
    }

    int count(final int slabClass)
    {
        return counts[slabClass];
    }
}
