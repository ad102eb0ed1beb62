package org.fibnuma.ipnuma.table;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.security.SecureRandom;
import java.util.List;

/**
 * Range of this host's memory that peers can access (thesis, section 3.3.4). The memory must stay valid as long as the
 * region is in a {@link RegionTable}.
 *
 * @param id      1 to 65,535.
 * @param name    for display and lookup.
 * @param address of its first byte, a multiple of 8. Registered with the bounds checks if these are on.
 * @param length  in bytes, 1 to 2^32.
 * @param access  bits of {@link RegionAccess}.
 * @param allow   source addresses of the peers that may access it; empty for none.
 * @param key     that an access must contain, from {@link #randomKey()}. With {@link #NO_KEY} accesses need no key:
 *                peers with a format without keys, and all senders with an allowed address, can access the region.
 */
public record Region(
    int id, String name, long address, long length, int access, List<Ipv4Prefix> allow, long key)
{
    /** The key of accesses in the formats without keys, and of the regions that admit them. */
    public static final long NO_KEY = 0;
    /** Longest region in bytes: the range of the offset in a remote address. */
    public static final long MAX_LENGTH = RemoteAddress.OFFSET_MASK + 1;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Region
    {
        if (id < 1 || id > RemoteAddress.MAX_REGION_ID)
        {
            throw new IllegalArgumentException(
                "region id " + id + " is not in 1 to " + RemoteAddress.MAX_REGION_ID);
        }
        if (length < 1 || length > MAX_LENGTH)
        {
            throw new IllegalArgumentException(
                "region \"" + name + "\" of " + length + " bytes: 1 to 2^32 are possible");
        }
        if (address <= 0 || (address & Long.BYTES - 1) != 0 || address + length < 0)
        {
            throw new IllegalArgumentException(
                "region \"" + name + "\" cannot begin at 0x" + Long.toHexString(address));
        }
        if ((access & ~RegionAccess.ALL) != 0)
        {
            throw new IllegalArgumentException("region \"" + name + "\" has unknown access bits " + access);
        }
        allow = List.copyOf(allow);
    }

    /** Returns an unpredictable key of 64 bits, never {@link #NO_KEY}. */
    public static long randomKey()
    {
        long key = NO_KEY;
        while (key == NO_KEY)
        {
            key = RANDOM.nextLong();
        }
        return key;
    }

    /** Returns the remote address of the first byte. */
    public long remoteAddress()
    {
        return RemoteAddress.of(id, 0);
    }
}
