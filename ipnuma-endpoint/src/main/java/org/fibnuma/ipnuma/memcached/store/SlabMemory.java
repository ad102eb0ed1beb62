package org.fibnuma.ipnuma.memcached.store;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/**
 * Chunks of slab pages. A slab page belongs to one class, which divides it into chunks of its size. If all slab pages
 * are in use, a class without any item gets a slab page of the class that has most.
 */
final class SlabMemory
{
    private final ItemMemory memory;
    private final SlabClasses classes;
    private final byte[] classOfPage;
    private final int[] freeHead;
    private final int[] pages;
    private final int[] used;
    /** The slab page of each class with chunks that were never used. The next field has the first of these chunks. */
    private final int[] cutPage;
    private final int[] cutOffset;

    SlabMemory(final ItemMemory memory, final SlabClasses classes)
    {
        this.memory = memory;
        this.classes = classes;
        final int count = classes.last() + 1;
        this.classOfPage = new byte[memory.maxPages() + 1];
        this.freeHead = new int[count];
        this.pages = new int[count];
        this.used = new int[count];
        this.cutPage = new int[count];
        this.cutOffset = new int[count];
    }

    /** Returns a chunk, marked as used, or 0 if there is neither a chunk nor memory for a slab page. */
    int allocate(final int slabClass)
    {
        int item = freeHead[slabClass];
        if (item != 0)
        {
            freeHead[slabClass] = memory.getInt(item, ItemLayout.NEXT_OFFSET);
        }
        else
        {
            item = cut(slabClass);
        }
        if (item != 0)
        {
            used[slabClass]++;
            memory.putByte(item, ItemLayout.CLASS_OFFSET, slabClass);
            memory.setState(item, ItemLayout.USED);
        }
        return item;
    }

    /** Returns whether a class has a chunk without another slab page. */
    boolean hasChunk(final int slabClass)
    {
        return freeHead[slabClass] != 0 || cutPage[slabClass] != 0;
    }

    /** Returns whether there is memory for a slab page. */
    boolean canGrow()
    {
        return memory.pageCount() < memory.maxPages();
    }

    /** Adds a slab page to a class. Returns false if there is no memory for it. */
    boolean grow(final int slabClass)
    {
        final int page = memory.addPage();
        if (page < 0)
        {
            return false;
        }
        give(page, slabClass);
        return true;
    }

    private int cut(final int slabClass)
    {
        if (cutPage[slabClass] == 0 && !grow(slabClass))
        {
            return 0;
        }
        final int item = memory.handle(cutPage[slabClass], cutOffset[slabClass]);
        cutOffset[slabClass] += classes.chunkSize(slabClass);
        if (cutOffset[slabClass] + classes.chunkSize(slabClass) > memory.pageSize())
        {
            cutPage[slabClass] = 0;
        }
        return item;
    }

    private void give(final int page, final int slabClass)
    {
        classOfPage[page] = (byte)slabClass;
        pages[slabClass]++;
        cutPage[slabClass] = page;
        cutOffset[slabClass] = 0;
    }

    void free(final int item)
    {
        final int slabClass = memory.getByte(item, ItemLayout.CLASS_OFFSET);
        memory.setState(item, 0);
        memory.putInt(item, ItemLayout.NEXT_OFFSET, freeHead[slabClass]);
        freeHead[slabClass] = item;
        used[slabClass]--;
    }

    /**
     * Moves a slab page to a class from the class that has most.
     *
     * @param slabClass that has neither a free chunk nor an item to evict.
     * @param pinned    item that must stay, 0 for none.
     * @param evictor   removes a linked item.
     * @return false if every slab page has an item that is being received.
     */
    boolean takePage(final int slabClass, final int pinned, final IntConsumer evictor)
    {
        int richest = 0;
        for (int i = 1; i < pages.length; i++)
        {
            richest = i != slabClass && pages[i] > pages[richest] ? i : richest;
        }
        for (int page = 1; richest != 0 && page <= memory.pageCount(); page++)
        {
            if (classOfPage[page] == richest && isMovable(page, richest, pinned))
            {
                empty(page, richest, evictor);
                give(page, slabClass);
                return true;
            }
        }
        return false;
    }

    private boolean isMovable(final int page, final int slabClass, final int pinned)
    {
        final int size = classes.chunkSize(slabClass);
        for (int offset = 0; offset + size <= memory.pageSize(); offset += size)
        {
            final int item = memory.handle(page, offset);
            final int state = memory.state(item);
            if (item == pinned || (state & (ItemLayout.USED | ItemLayout.LINKED)) == ItemLayout.USED)
            {
                return false;
            }
        }
        return true;
    }

    private void empty(final int page, final int slabClass, final IntConsumer evictor)
    {
        final int size = classes.chunkSize(slabClass);
        for (int offset = 0; offset + size <= memory.pageSize(); offset += size)
        {
            final int item = memory.handle(page, offset);
            if (memory.state(item) != 0)
            {
                evictor.accept(item);
            }
        }
        int kept = 0;
        for (int item = freeHead[slabClass]; item != 0;)
        {
            final int next = memory.getInt(item, ItemLayout.NEXT_OFFSET);
            if (memory.page(item) != page)
            {
                memory.putInt(item, ItemLayout.NEXT_OFFSET, kept);
                kept = item;
            }
            item = next;
        }
        freeHead[slabClass] = kept;
        if (cutPage[slabClass] == page)
        {
            cutPage[slabClass] = 0;
        }
        pages[slabClass]--;
        // The states of the new chunks must not be bytes of old values.
        final ByteBuffer window = memory.window(memory.handle(page, 0), 0, memory.pageSize());
        while (window.hasRemaining())
        {
            window.putLong(0);
        }
    }

    int pages(final int slabClass)
    {
        return pages[slabClass];
    }

    int used(final int slabClass)
    {
        return used[slabClass];
    }

    int totalPages()
    {
        return memory.pageCount();
    }
}
