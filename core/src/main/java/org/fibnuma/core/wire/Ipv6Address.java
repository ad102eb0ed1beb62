package org.fibnuma.core.wire;

/**
 * IPv6 address (RFC 4291). For code that does not allocate, static methods take an address as two {@code long}s.
 *
 * @param high the first eight bytes: {@code 2001:db8::1} has {@code 0x2001_0DB8_0000_0000L}.
 * @param low  the last eight bytes: {@code 2001:db8::1} has {@code 1}.
 */
public record Ipv6Address(long high, long low)
{
    public static final int LENGTH = 2 * Long.BYTES;
    public static final int BITS = Byte.SIZE * LENGTH;

    /** Bits 127 to 32 of the IPv4-mapped addresses (RFC 4291 section 2.5.5.2), in the low half. */
    static final long MAPPED_PREFIX = 0xFFFF_0000_0000L;

    private static final int GROUPS = 8;
    private static final int GROUPS_OF_HALF = GROUPS / 2;
    private static final int MAX_GROUP_DIGITS = 4;
    /** A shorter run of zero groups is written out (RFC 5952 section 4.2.2). */
    private static final int MIN_COMPRESSED_GROUPS = 2;
    private static final int MULTICAST_PREFIX = 0xFF;
    private static final int MULTICAST_SHIFT = 56;
    /** {@code fe80::/10}. */
    private static final int LINK_LOCAL_PREFIX = 0xFE80 >>> 6;
    private static final int LINK_LOCAL_SHIFT = 54;

    /**
     * Parses an address in any form of RFC 4291 section 2.2: eight groups, {@code ::} for groups of zeros, an IPv4
     * address as the last 32 bits. A zone such as {@code %eth0} is not part of an address.
     *
     * @throws IllegalArgumentException quoting the text if it is not an address.
     */
    public static Ipv6Address parse(final String text)
    {
        final int gap = text.indexOf("::");
        final int[] groups = new int[GROUPS];
        final boolean valid;
        if (gap < 0)
        {
            valid = parseGroups(text, true, groups) == GROUPS;
        }
        else
        {
            final int before = parseGroups(text.substring(0, gap), false, groups);
            final int[] last = new int[GROUPS];
            final int after = parseGroups(text.substring(gap + 2), true, last);
            valid = before >= 0 && after >= 0 && before + after < GROUPS;
            if (valid)
            {
                System.arraycopy(last, 0, groups, GROUPS - after, after);
            }
        }
        if (!valid)
        {
            throw new IllegalArgumentException("not an IPv6 address: \"" + text + "\"");
        }
        return new Ipv6Address(half(groups, 0), half(groups, GROUPS_OF_HALF));
    }

    /** Returns the number of groups that a text of colon-separated groups contains, or -1 if it is not such a text. */
    private static int parseGroups(final String text, final boolean endsAddress, final int[] groups)
    {
        int count = 0;
        final String[] fields = text.isEmpty() ? new String[0] : text.split(":", GROUPS + 1);
        for (int i = 0; i < fields.length && count >= 0; i++)
        {
            if (endsAddress && i == fields.length - 1 && fields[i].indexOf('.') >= 0)
            {
                count = parseIpv4Groups(fields[i], groups, count);
            }
            else
            {
                final int group = count < GROUPS ? parseGroup(fields[i]) : -1;
                if (group >= 0)
                {
                    groups[count] = group;
                }
                count = group < 0 ? -1 : count + 1;
            }
        }
        return count;
    }

    private static int parseIpv4Groups(final String text, final int[] groups, final int count)
    {
        try
        {
            if (count <= GROUPS - 2)
            {
                final int ipv4 = Ipv4Address.parse(text);
                groups[count] = ipv4 >>> Short.SIZE;
                groups[count + 1] = ipv4 & 0xFFFF;
                return count + 2;
            }
        }
        catch (final IllegalArgumentException notIpv4)
        {
            return -1;
        }
        return -1;
    }

    private static int parseGroup(final String text)
    {
        int group = text.isEmpty() || text.length() > MAX_GROUP_DIGITS ? -1 : 0;
        for (int i = 0; group >= 0 && i < text.length(); i++)
        {
            final char c = text.charAt(i);
            // Character.digit also accepts the digits of other scripts.
            final int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            group = digit < 0 ? -1 : group << 4 | digit;
        }
        return group;
    }

    private static long half(final int[] groups, final int first)
    {
        long half = 0;
        for (int i = first; i < first + GROUPS_OF_HALF; i++)
        {
            half = half << Short.SIZE | groups[i];
        }
        return half;
    }

    /**
     * Formats an address as RFC 5952 recommends: lower case, no leading zeros, {@code ::} for the longest run of zero
     * groups, and the last 32 bits of an IPv4-mapped address in dotted decimal notation.
     */
    public static String format(final long high, final long low)
    {
        if (isIpv4Mapped(high, low))
        {
            return "::ffff:" + Ipv4Address.format((int)low);
        }
        int gapStart = 0;
        int gapLength = 0;
        int run = 0;
        for (int i = 0; i < GROUPS; i++)
        {
            run = group(high, low, i) == 0 ? run + 1 : 0;
            if (run > gapLength)
            {
                gapLength = run;
                gapStart = i + 1 - run;
            }
        }
        if (gapLength < MIN_COMPRESSED_GROUPS)
        {
            return formatGroups(high, low, 0, GROUPS);
        }
        return formatGroups(high, low, 0, gapStart) + "::" + formatGroups(high, low, gapStart + gapLength, GROUPS);
    }

    private static String formatGroups(final long high, final long low, final int from, final int to)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++)
        {
            text.append(i == from ? "" : ":").append(Integer.toHexString(group(high, low, i)));
        }
        return text.toString();
    }

    private static int group(final long high, final long low, final int index)
    {
        final long half = index < GROUPS_OF_HALF ? high : low;
        return (int)(half >>> Short.SIZE * (GROUPS_OF_HALF - 1 - index % GROUPS_OF_HALF)) & 0xFFFF;
    }

    /** Returns the high half of the network mask of a prefix length from 0 to 128. */
    public static long maskHigh(final int prefixLength)
    {
        return prefixLength == 0 ? 0 : -1L << Math.max(0, Long.SIZE - prefixLength);
    }

    /** Returns the low half of the network mask of a prefix length from 0 to 128. */
    public static long maskLow(final int prefixLength)
    {
        return prefixLength <= Long.SIZE ? 0 : -1L << BITS - prefixLength;
    }

    /** Returns whether an address is {@code ::}. */
    public static boolean isUnspecified(final long high, final long low)
    {
        return (high | low) == 0;
    }

    /** Returns whether an address is {@code ::1}. */
    public static boolean isLoopback(final long high, final long low)
    {
        return high == 0 && low == 1;
    }

    /** Returns whether the address with this high half is in {@code ff00::/8}. */
    public static boolean isMulticast(final long high)
    {
        return high >>> MULTICAST_SHIFT == MULTICAST_PREFIX;
    }

    /** Returns whether the address with this high half is in {@code fe80::/10}. */
    public static boolean isLinkLocal(final long high)
    {
        return high >>> LINK_LOCAL_SHIFT == LINK_LOCAL_PREFIX;
    }

    /** Returns whether an address is in {@code ::ffff:0:0/96}. */
    public static boolean isIpv4Mapped(final long high, final long low)
    {
        return high == 0 && low >>> Integer.SIZE == MAPPED_PREFIX >>> Integer.SIZE;
    }

    /** Returns whether this is {@code ::}. */
    public boolean isUnspecified()
    {
        return isUnspecified(high, low);
    }

    /** Returns whether this is {@code ::1}. */
    public boolean isLoopback()
    {
        return isLoopback(high, low);
    }

    /** Returns whether this is in {@code ff00::/8}. */
    public boolean isMulticast()
    {
        return isMulticast(high);
    }

    /** Returns whether this is in {@code fe80::/10}. */
    public boolean isLinkLocal()
    {
        return isLinkLocal(high);
    }

    /** Returns whether this is in {@code ::ffff:0:0/96}. */
    public boolean isIpv4Mapped()
    {
        return isIpv4Mapped(high, low);
    }

    @Override
    public String toString()
    {
        return format(high, low);
    }
}
