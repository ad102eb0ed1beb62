package org.fibnuma.ipnuma.table;

/**
 * A place in the memory of a peer, the same 48 bits in every wire format: region id in bits 47 to 32, offset of the
 * byte in that region below. Never a physical address, nor one of a process.
 */
public final class RemoteAddress
{
    /** Bits of a remote address. */
    public static final int BITS = 48;
    /** The bits of a remote address. */
    public static final long MASK = (1L << BITS) - 1;
    /** Bit where the region id begins. */
    public static final int REGION_SHIFT = 32;
    /** The offset in the region. */
    public static final long OFFSET_MASK = (1L << REGION_SHIFT) - 1;
    /** Largest region id; the smallest is 1, 0 stands for the region that short addresses reach. */
    public static final int MAX_REGION_ID = 0xFFFF;

    private RemoteAddress()
    {
    }

    /**
     * Puts an address together.
     *
     * @param regionId 0 to 65,535.
     * @param offset   in bytes, 0 to 2^32 - 1.
     * @return the address.
     */
    public static long of(final int regionId, final long offset)
    {
        return (long)regionId << REGION_SHIFT | offset & OFFSET_MASK;
    }

    /**
     * The region it lies in.
     *
     * @param remoteAddress 48 bits.
     * @return 0 to 65,535.
     */
    public static int regionId(final long remoteAddress)
    {
        return (int)(remoteAddress >>> REGION_SHIFT) & MAX_REGION_ID;
    }

    /**
     * The place in the region.
     *
     * @param remoteAddress 48 bits.
     * @return bytes, 0 to 2^32 - 1.
     */
    public static long offset(final long remoteAddress)
    {
        return remoteAddress & OFFSET_MASK;
    }
}
