package org.fibnuma.ipnuma.table;

/**
 * Page map table (thesis, section 3.3.1 and figure 3.11): the peer and the page of its memory for each memory page of 4
 * KiB of a window. Pages of one window may have different peers. An entry has 8 bytes: PC ID in bits 63 to 48, remote
 * address of the page below, or 0 for an unmapped page. A window of 1 GiB has 262,144 entries in 2 MiB.
 */
public final class PageMap
{
    public static final int PAGE_SHIFT = 12;
    public static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    /** Largest PC ID; the smallest is 1. */
    public static final int MAX_PC_ID = 0xFFFF;

    private static final long PAGE_OFFSET_MASK = PAGE_SIZE - 1;

    private final long[] entries;

    /** Creates a map of 1 or more unmapped pages. */
    public PageMap(final int pageCount)
    {
        if (pageCount < 1)
        {
            throw new IllegalArgumentException("a window has 1 page or more, not " + pageCount);
        }
        entries = new long[pageCount];
    }

    /** Returns the number of pages, 1 or more. */
    public int pageCount()
    {
        return entries.length;
    }

    /**
     * Maps a page to a page of a peer.
     *
     * @param page          0 to {@link #pageCount()} - 1.
     * @param pcId          1 to 65,535.
     * @param remoteAddress of the page: 48 bits, a multiple of 4,096.
     * @throws IllegalArgumentException if a value is out of range.
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

    /** Unmaps a page, 0 to {@link #pageCount()} - 1. */
    public void unmap(final int page)
    {
        entries[page] = 0;
    }

    /** Returns the entry of a page, or 0 if the page is unmapped or outside the window. */
    public long entry(final int page)
    {
        return page >= 0 && page < entries.length ? entries[page] : 0;
    }

    /** Returns the PC ID of an entry, 1 to 65,535, or 0 if it is unmapped. */
    public static int pcId(final long entry)
    {
        return (int)(entry >>> RemoteAddress.BITS);
    }

    /**
     * Returns the remote address of a byte.
     *
     * @param entry        of its page, mapped.
     * @param windowOffset of the byte in the window, of which only the offset in the page is used.
     * @return 48 bits.
     */
    public static long remoteAddress(final long entry, final long windowOffset)
    {
        return entry & RemoteAddress.MASK | windowOffset & PAGE_OFFSET_MASK;
    }
}
