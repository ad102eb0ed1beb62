package org.fibnuma.core.wire;

/**
 * IPv6 prefix.
 *
 * @param high   the first eight bytes of the network address.
 * @param low    its last eight bytes; the bits below the length are 0.
 * @param length in bits, 0 to 128.
 */
public record Ipv6Prefix(long high, long low, int length)
{
    private static final int MAX_LENGTH_DIGITS = 3;

    /**
     * Validates length and address.
     *
     * @throws IllegalArgumentException if the length is not 0 to 128 or the address has bits set below it.
     */
    public Ipv6Prefix
    {
        if (length < 0 || length > Ipv6Address.BITS)
        {
            throw new IllegalArgumentException("prefix length " + length + " is not in 0 to 128");
        }
        if ((high & ~Ipv6Address.maskHigh(length) | low & ~Ipv6Address.maskLow(length)) != 0)
        {
            throw new IllegalArgumentException(
                Ipv6Address.format(high, low) + "/" + length + " has bits set below its length");
        }
    }

    /** Returns the prefix of a length, 0 to 128, that contains an address. */
    public static Ipv6Prefix of(final long high, final long low, final int length)
    {
        return new Ipv6Prefix(high & Ipv6Address.maskHigh(length), low & Ipv6Address.maskLow(length), length);
    }

    /**
     * Parses {@code address/length} such as {@code 2001:db8::/32}; an address alone is a host route.
     *
     * @throws IllegalArgumentException quoting the text if it is not a prefix.
     */
    public static Ipv6Prefix parse(final String text)
    {
        final int slash = text.indexOf('/');
        if (slash < 0)
        {
            final Ipv6Address host = Ipv6Address.parse(text);
            return new Ipv6Prefix(host.high(), host.low(), Ipv6Address.BITS);
        }
        final int digits = text.length() - slash - 1;
        int length = digits >= 1 && digits <= MAX_LENGTH_DIGITS ? 0 : -1;
        for (int i = slash + 1; length >= 0 && i < text.length(); i++)
        {
            final int digit = text.charAt(i) - '0';
            length = digit >= 0 && digit <= 9 ? length * 10 + digit : -1;
        }
        if (length < 0)
        {
            throw new IllegalArgumentException("not an IPv6 prefix: \"" + text + "\"");
        }
        final Ipv6Address network = Ipv6Address.parse(text.substring(0, slash));
        return new Ipv6Prefix(network.high(), network.low(), length);
    }

    /** Returns whether the prefix contains an address. */
    public boolean contains(final long candidateHigh, final long candidateLow)
    {
        return ((candidateHigh ^ high) & Ipv6Address.maskHigh(length) |
            (candidateLow ^ low) & Ipv6Address.maskLow(length)) == 0;
    }

    @Override
    public String toString()
    {
        return Ipv6Address.format(high, low) + "/" + length;
    }
}
