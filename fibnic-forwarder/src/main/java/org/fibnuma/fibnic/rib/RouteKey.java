package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.Ipv4Address;

/**
 * A prefix in a {@code long}: address, then eight bits of length. Keys sort as people list routes: by address, the
 * shorter of two with the same address first.
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

    /**
     * Packs a prefix.
     *
     * @param prefix its address; bits below the length are dropped.
     * @param length 0 to 32.
     * @return the key, 0 or more.
     */
    public static long of(final int prefix, final int length)
    {
        return (prefix & Ipv4Address.mask(length) & ADDRESS_MASK) << LENGTH_BITS | length;
    }

    /**
     * The address of a key.
     *
     * @param key made by {@link #of}.
     * @return with no bits set below the length.
     */
    public static int prefix(final long key)
    {
        return (int)(key >>> LENGTH_BITS);
    }

    /**
     * The length of a key.
     *
     * @param key made by {@link #of}.
     * @return 0 to 32.
     */
    public static int length(final long key)
    {
        return (int)key & LENGTH_MASK;
    }

    /**
     * Whether one prefix contains another, or is the same.
     *
     * @param outer perhaps the larger one.
     * @param inner perhaps inside.
     * @return true where every address of {@code inner} is in {@code outer}.
     */
    public static boolean covers(final long outer, final long inner)
    {
        return length(outer) <= length(inner) &&
            (prefix(inner) & Ipv4Address.mask(length(outer))) == prefix(outer);
    }

    /**
     * Writes a key as people do.
     *
     * @param key made by {@link #of}.
     * @return such as {@code 192.0.2.0/24}.
     */
    public static String format(final long key)
    {
        return Ipv4Address.format(prefix(key)) + "/" + length(key);
    }
}
