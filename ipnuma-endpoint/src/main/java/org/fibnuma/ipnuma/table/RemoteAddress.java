package org.fibnuma.ipnuma.table;

/**
 * Address of a byte in the regions of a peer, the same 48 bits in every wire format: region id in bits 47 to 32, offset
 * in the region below. It is neither a physical address nor an address of a process.
 */
public final class RemoteAddress
{
    public static final int BITS = 48;
    public static final long MASK = (1L << BITS) - 1;
    public static final int REGION_SHIFT = 32;
    public static final long OFFSET_MASK = (1L << REGION_SHIFT) - 1;
    /**
     * Largest region id; the smallest is 1. Id 0 selects the region of short addresses, see {@link RegionTable#zero}.
     */
    public static final int MAX_REGION_ID = 0xFFFF;

    private RemoteAddress()
    {
    }

    /** Returns an address of 48 bits, given a region id of 0 to 65,535 and an offset in bytes, 0 to 2^32 - 1. */
    public static long of(final int regionId, final long offset)
    {
        return (long)regionId << REGION_SHIFT | offset & OFFSET_MASK;
    }

    /** Returns the region id, 0 to 65,535. */
    public static int regionId(final long remoteAddress)
    {
        return (int)(remoteAddress >>> REGION_SHIFT) & MAX_REGION_ID;
    }

    /** Returns the offset in the region in bytes, 0 to 2^32 - 1. */
    public static long offset(final long remoteAddress)
    {
        return remoteAddress & OFFSET_MASK;
    }

    /** Returns whether 0 or more bytes from an address on exceed the last possible offset in its region. */
    public static boolean isLeaving(final long remoteAddress, final int length)
    {
        return offset(remoteAddress) + length > OFFSET_MASK + 1;
    }
}
