package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.Ipv4Address;

/**
 * A prefix in a {@code long}: address, then eight bits of length. Keys sort by address, then by length.
 */
public final class RouteKey
{
    /** Below every key. */
    public static final long BEFORE_FIRST = -1;

    private static final int LENGTH_BITS = 8;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final long ADDRESS_MASK = 0xFFFF_FFFFL;

    private RouteKey()
    {
    }

    /** Returns the key, 0 or more, of a prefix with a length of 0 to 32; address bits below the length are ignored. */
    public static long of(final int prefix, final int length)
    {
        return (prefix & Ipv4Address.mask(length) & ADDRESS_MASK) << LENGTH_BITS | length;
    }

    /** Returns the address of a key, whose bits below the length are 0. */
    public static int prefix(final long key)
    {
        return (int)(key >>> LENGTH_BITS);
    }

    /** Returns the prefix length of a key, 0 to 32. */
    public static int length(final long key)
    {
        return (int)key & LENGTH_MASK;
    }

    /** Returns whether every address of the inner prefix is in the outer one; also where they are equal. */
    public static boolean covers(final long outer, final long inner)
    {
        return length(outer) <= length(inner) &&
            (prefix(inner) & Ipv4Address.mask(length(outer))) == prefix(outer);
    }

    /** Formats a key, such as {@code 192.0.2.0/24}. */
    public static String format(final long key)
    {
        return Ipv4Address.format(prefix(key)) + "/" + length(key);
    }
}
