package org.fibnuma.ipnuma.table;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.security.SecureRandom;
import java.util.List;

/**
 * A stretch of this machine's memory that peers may touch (thesis, section 3.3.4). Its memory outlives its place in a
 * {@link RegionTable}.
 *
 * @param id      1 to 65,535.
 * @param name    for people and for looking up.
 * @param address of its first byte, a multiple of 8; while bounds checks are on, registered with them.
 * @param length  in bytes, 1 to 2^32.
 * @param access  bits of {@link RegionAccess}.
 * @param allow   the peers that may, by source address; nobody where it is empty.
 * @param key     that an access must show, from {@link #randomKey()}; {@link #NO_KEY} for a region that peers without
 *                keys may reach, and anybody who can send from an allowed address.
 */
public record Region(
    int id, String name, long address, long length, int access, List<Ipv4Prefix> allow, long key)
{
    /** No key: what accesses in the formats without keys show, and the key of the regions that admit them. */
    public static final long NO_KEY = 0;
    /** Longest region: what the offset of a remote address reaches. */
    public static final long MAX_LENGTH = RemoteAddress.OFFSET_MASK + 1;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Refuses what is out of range, each with one line that says so. */
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

    /**
     * A key that nobody guesses.
     *
     * @return 64 random bits, never {@link #NO_KEY}.
     */
    public static long randomKey()
    {
        long key = NO_KEY;
        while (key == NO_KEY)
        {
            key = RANDOM.nextLong();
        }
        return key;
    }

    /**
     * Where it begins for peers.
     *
     * @return the remote address of its first byte.
     */
    public long remoteAddress()
    {
        return RemoteAddress.of(id, 0);
    }
}
