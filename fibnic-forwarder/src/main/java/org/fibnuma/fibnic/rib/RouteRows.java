package org.fibnuma.fibnic.rib;

import java.util.Arrays;

/**
 * The columns of {@link RouteStore}, 30 bytes a row, in pages: room for more rows is one more page, and no row moves.
 */
final class RouteRows
{
    private static final int PAGE_SHIFT = 13;
    private static final int PAGE_ROWS = 1 << PAGE_SHIFT;
    private static final int PAGE_MASK = PAGE_ROWS - 1;

    private Page[] pages = new Page[0];

    /** Makes room for one row more where there is none for it. */
    void ensure(final int row)
    {
        final int page = row >>> PAGE_SHIFT;
        if (page == pages.length)
        {
            pages = Arrays.copyOf(pages, page + 1);
            pages[page] = new Page();
        }
    }

    long key(final int row)
    {
        return page(row).keys[row & PAGE_MASK];
    }

    void key(final int row, final long key)
    {
        page(row).keys[row & PAGE_MASK] = key;
    }

    int metric(final int row)
    {
        return page(row).metrics[row & PAGE_MASK];
    }

    void metric(final int row, final int metric)
    {
        page(row).metrics[row & PAGE_MASK] = metric;
    }

    int nextHop(final int row)
    {
        return page(row).nextHops[row & PAGE_MASK];
    }

    void nextHop(final int row, final int nextHop)
    {
        page(row).nextHops[row & PAGE_MASK] = nextHop;
    }

    /** The next worse row of the same prefix, or the next free one. */
    int next(final int row)
    {
        return page(row).nextRows[row & PAGE_MASK];
    }

    void next(final int row, final int next)
    {
        page(row).nextRows[row & PAGE_MASK] = next;
    }

    int nextOfBlock(final int row)
    {
        return page(row).nextOfBlock[row & PAGE_MASK];
    }

    void nextOfBlock(final int row, final int next)
    {
        page(row).nextOfBlock[row & PAGE_MASK] = next;
    }

    int previousOfBlock(final int row)
    {
        return page(row).previousOfBlock[row & PAGE_MASK];
    }

    void previousOfBlock(final int row, final int previous)
    {
        page(row).previousOfBlock[row & PAGE_MASK] = previous;
    }

    byte source(final int row)
    {
        return page(row).sources[row & PAGE_MASK];
    }

    void source(final int row, final byte source)
    {
        page(row).sources[row & PAGE_MASK] = source;
    }

    byte generation(final int row)
    {
        return page(row).generations[row & PAGE_MASK];
    }

    void generation(final int row, final byte generation)
    {
        page(row).generations[row & PAGE_MASK] = generation;
    }

    private Page page(final int row)
    {
        return pages[row >>> PAGE_SHIFT];
    }

    private static final class Page
    {
        private final long[] keys = new long[PAGE_ROWS];
        private final int[] metrics = new int[PAGE_ROWS];
        private final int[] nextHops = new int[PAGE_ROWS];
        private final int[] nextRows = new int[PAGE_ROWS];
        private final int[] nextOfBlock = new int[PAGE_ROWS];
        private final int[] previousOfBlock = new int[PAGE_ROWS];
        private final byte[] sources = new byte[PAGE_ROWS];
        private final byte[] generations = new byte[PAGE_ROWS];
    }
}
