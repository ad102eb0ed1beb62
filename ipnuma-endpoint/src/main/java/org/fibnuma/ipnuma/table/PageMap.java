package org.fibnuma.ipnuma.table;

/**
 * Page map table (thesis, section 3.3.1 and figure 3.11): for each page of 4 KiB of a window the peer and the page of
 * its memory that a store goes to. Pages of one window may lead to different peers. An entry has 8 bytes, so that a
 * window of 1 GiB, 262,144 pages, takes 2 MiB: PC ID in bits 63 to 48, remote address of the page in those below; 0
 * where the page leads nowhere.
 */
public final class PageMap
{
    /** Bytes of a page, as a shift. */
    public static final int PAGE_SHIFT = 12;
    /** Bytes of a page. */
    public static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    /** Largest PC ID; the smallest is 1. */
    public static final int MAX_PC_ID = 0xFFFF;

    private static final long PAGE_OFFSET_MASK = PAGE_SIZE - 1;

    private final long[] entries;

    /**
     * A map of pages that lead nowhere.
     *
     * @param pageCount of the window, 1 or more.
     */
    public PageMap(final int pageCount)
    {
        if (pageCount < 1)
        {
            throw new IllegalArgumentException("a window has 1 page or more, not " + pageCount);
        }
        entries = new long[pageCount];
    }

    /**
     * Pages of the window.
     *
     * @return 1 or more.
     */
    public int pageCount()
    {
        return entries.length;
    }

    /**
     * Lets a page lead to a page of a peer.
     *
     * @param page          0 to {@link #pageCount()} - 1.
     * @param pcId          1 to 65,535.
     * @param remoteAddress of the page: 48 bits, a multiple of 4,096.
     * @throws IllegalArgumentException saying which of them is out of range.
     */
    public void map(final int page, final int pcId, final long remoteAddress)
    {
        if (page < 0 || page >= entries.length)
        {
            throw new IllegalArgumentException("page " + page + " is not in 0 to " + (entries.length - 1));
        }
        if (pcId < 1 || pcId > MAX_PC_ID)
        {
            throw new IllegalArgumentException("PC ID " + pcId + " is not in 1 to " + MAX_PC_ID);
        }
        if ((remoteAddress & ~RemoteAddress.MASK) != 0 || (remoteAddress & PAGE_OFFSET_MASK) != 0)
        {
            throw new IllegalArgumentException("remote address 0x" + Long.toHexString(remoteAddress) +
                " is not a multiple of " + PAGE_SIZE + " below 2^" + RemoteAddress.BITS);
        }
        entries[page] = (long)pcId << RemoteAddress.BITS | remoteAddress;
    }

    /**
     * Lets a page lead nowhere.
     *
     * @param page 0 to {@link #pageCount()} - 1.
     */
    public void unmap(final int page)
    {
        entries[page] = 0;
    }

    /**
     * Where a page leads to.
     *
     * @param page any; outside the window as if not mapped.
     * @return the entry, 0 for nowhere.
     */
    public long entry(final int page)
    {
        return page >= 0 && page < entries.length ? entries[page] : 0;
    }

    /**
     * The peer of an entry.
     *
     * @param entry from {@link #entry}.
     * @return 1 to 65,535; 0 for nowhere.
     */
    public static int pcId(final long entry)
    {
        return (int)(entry >>> RemoteAddress.BITS);
    }

    /**
     * Where a byte of a page lies in the memory of its peer.
     *
     * @param entry        from {@link #entry}, not 0.
     * @param windowOffset of the byte in the window, any multiple of the page size more or less.
     * @return 48 bits.
     */
    public static long remoteAddress(final long entry, final long windowOffset)
    {
        return entry & RemoteAddress.MASK | windowOffset & PAGE_OFFSET_MASK;
    }
}
