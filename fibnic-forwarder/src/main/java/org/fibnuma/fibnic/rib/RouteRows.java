package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.Arrays;

/**
 * The memory of the routes of one family: rows of integers, 28 bytes for an IPv4 route and 40 for an IPv6 route. Rows
 * are in arrays that never move, so that growth copies no row. Control thread only.
 */
final class RouteRows
{
    /** Length of the prefix in the lowest byte, then the ordinal of the source, then the generation. */
    static final int TAG = 0;
    static final int METRIC = 1;
    static final int NEXT_HOP = 2;
    /** Next worse row of the same prefix, or next free row. */
    static final int NEXT = 3;
    static final int NEXT_OF_BLOCK = 4;
    static final int PREVIOUS_OF_BLOCK = 5;

    /** An IPv4 address, or the four integers of an IPv6 address, the highest first. */
    private static final int ADDRESS = 6;
    private static final int IPV4_INTS = ADDRESS + 1;
    private static final int IPV6_INTS = ADDRESS + 4;

    private static final int PAGE_SHIFT = 13;
    private static final int PAGE_ROWS = 1 << PAGE_SHIFT;

    private static final int BYTE_MASK = 0xFF;
    private static final int SOURCE_SHIFT = 8;
    private static final int GENERATION_SHIFT = 16;
    private static final int FREE_TAG = BYTE_MASK << SOURCE_SHIFT;
    private static final long LOW_WORD = 0xFFFF_FFFFL;

    private final boolean isIpv6;
    private final int rowInts;
    private int[][] pages = new int[0][];
    private int limit;
    private int firstFree = Rib.NONE;

    RouteRows(final boolean isIpv6)
    {
        this.isIpv6 = isIpv6;
        this.rowInts = isIpv6 ? IPV6_INTS : IPV4_INTS;
    }

    boolean isIpv6()
    {
        return isIpv6;
    }

    /** Returns the memory in bytes, with free rows. */
    long bytes()
    {
        return (long)pages.length * PAGE_ROWS * rowInts * Integer.BYTES;
    }

    /** Returns the highest row number plus 1; rows below may be free. */
    int limit()
    {
        return limit;
    }

    /** Takes a free row and sets its prefix, source and generation only. */
    int take(final IpPrefix prefix, final RouteSource source, final int generation)
    {
        final int row = takeRow();
        set(row, TAG, generation << GENERATION_SHIFT | source.ordinal() << SOURCE_SHIFT | prefix.bits());
        if (isIpv6)
        {
            set(row, ADDRESS, (int)(prefix.high() >>> Integer.SIZE));
            set(row, ADDRESS + 1, (int)prefix.high());
            set(row, ADDRESS + 2, (int)(prefix.low() >>> Integer.SIZE));
            set(row, ADDRESS + 3, (int)prefix.low());
        }
        else
        {
            set(row, ADDRESS, prefix.ipv4());
        }
        return row;
    }

    void free(final int row)
    {
        set(row, TAG, FREE_TAG);
        set(row, NEXT, firstFree);
        firstFree = row;
    }

    boolean isFree(final int row)
    {
        return sourceOrdinal(row) == BYTE_MASK;
    }

    int sourceOrdinal(final int row)
    {
        return get(row, TAG) >>> SOURCE_SHIFT & BYTE_MASK;
    }

    int generation(final int row)
    {
        return get(row, TAG) >>> GENERATION_SHIFT;
    }

    void generation(final int row, final int generation)
    {
        set(row, TAG, get(row, TAG) & (1 << GENERATION_SHIFT) - 1 | generation << GENERATION_SHIFT);
    }

    IpPrefix prefix(final int row)
    {
        return new IpPrefix(isIpv6, high(row), low(row), bits(row));
    }

    /** Returns the first eight bytes of the address of a row's prefix, in the format of {@link IpAddress}. */
    long high(final int row)
    {
        return isIpv6 ? (long)get(row, ADDRESS) << Integer.SIZE | get(row, ADDRESS + 1) & LOW_WORD : 0;
    }

    /** Returns the last eight bytes of the address of a row's prefix, in the format of {@link IpAddress}. */
    long low(final int row)
    {
        return isIpv6 ? (long)get(row, ADDRESS + 2) << Integer.SIZE | get(row, ADDRESS + 3) & LOW_WORD :
            IpAddress.mappedLow(get(row, ADDRESS));
    }

    /** Returns {@link IpPrefix#bits} of a row's prefix. */
    int bits(final int row)
    {
        return get(row, TAG) & BYTE_MASK;
    }

    int get(final int row, final int field)
    {
        return pages[row >>> PAGE_SHIFT][(row & PAGE_ROWS - 1) * rowInts + field];
    }

    void set(final int row, final int field, final int value)
    {
        pages[row >>> PAGE_SHIFT][(row & PAGE_ROWS - 1) * rowInts + field] = value;
    }

    private int takeRow()
    {
        if (firstFree != Rib.NONE)
        {
            final int row = firstFree;
            firstFree = get(row, NEXT);
            return row;
        }
        if (limit == RouteHeads.MAX_ROWS)
        {
            throw new IllegalStateException("more than " + limit + " routes of one family; remove some");
        }
        if (limit >>> PAGE_SHIFT == pages.length)
        {
            pages = Arrays.copyOf(pages, pages.length + 1);
            pages[pages.length - 1] = new int[PAGE_ROWS * rowInts];
        }
        return limit++;
    }
}
