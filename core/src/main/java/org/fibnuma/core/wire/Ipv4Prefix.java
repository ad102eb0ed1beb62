package org.fibnuma.core.wire;

/**
 * IPv4 prefix.
 *
 * @param address network address; its bits below the length are 0.
 * @param length  in bits, 0 to 32.
 */
public record Ipv4Prefix(int address, int length)
{
    /**
     * Validates length and address.
     *
     * @throws IllegalArgumentException if the length is not 0 to 32 or the address has bits set below it.
     */
    public Ipv4Prefix
    {
        if (length < 0 || length > 32)
        {
            throw new IllegalArgumentException("prefix length " + length + " is not in 0 to 32");
        }
        if ((address & ~Ipv4Address.mask(length)) != 0)
        {
            throw new IllegalArgumentException(
                Ipv4Address.format(address) + "/" + length + " has bits set below its length");
        }
    }

    /** Returns the prefix of a length, 0 to 32, that contains an address. */
    public static Ipv4Prefix of(final int address, final int length)
    {
        return new Ipv4Prefix(address & Ipv4Address.mask(length), length);
    }

    /**
     * Parses {@code address/length} such as {@code 192.0.2.0/24}; an address alone is a host route.
     *
     * @throws IllegalArgumentException quoting the text if it is not a prefix.
     */
    public static Ipv4Prefix parse(final String text)
    {
        final int slash = text.indexOf('/');
        if (slash < 0)
        {
            return new Ipv4Prefix(Ipv4Address.parse(text), 32);
        }
        final int digits = text.length() - slash - 1;
        int length = digits == 1 || digits == 2 ? 0 : -1;
        for (int i = slash + 1; length >= 0 && i < text.length(); i++)
        {
            final int digit = text.charAt(i) - '0';
            length = digit >= 0 && digit <= 9 ? length * 10 + digit : -1;
        }
        if (length < 0)
        {
            throw new IllegalArgumentException("not an IPv4 prefix: \"" + text + "\"");
        }
        return new Ipv4Prefix(Ipv4Address.parse(text.substring(0, slash)), length);
    }

    /** Returns whether the prefix contains an address. */
    public boolean contains(final int candidate)
    {
        return (candidate & Ipv4Address.mask(length)) == address;
    }

    /** Returns the highest address of the prefix. */
    public int last()
    {
        return address | ~Ipv4Address.mask(length);
    }

    @Override
    public String toString()
    {
        return Ipv4Address.format(address) + "/" + length;
    }
}
