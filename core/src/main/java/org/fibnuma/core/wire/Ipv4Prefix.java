package org.fibnuma.core.wire;

/**
 * An IPv4 prefix.
 *
 * @param address whose bits below the length are 0.
 * @param length  0 to 32.
 */
public record Ipv4Prefix(int address, int length)
{
    /** Refuses lengths outside 0 to 32 and addresses with bits set below the length. */
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

    /**
     * The prefix of a given length that an address lies in.
     *
     * @param address any.
     * @param length  0 to 32.
     * @return the prefix.
     */
    public static Ipv4Prefix of(final int address, final int length)
    {
        return new Ipv4Prefix(address & Ipv4Address.mask(length), length);
    }

    /**
     * Reads {@code address/length}.
     *
     * @param text such as {@code 192.0.2.0/24}; without {@code /length} a host route.
     * @return the prefix.
     * @throws IllegalArgumentException naming the text where it is not one.
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

    /**
     * Whether an address lies in it.
     *
     * @param candidate any address.
     * @return true where the first {@link #length()} bits agree.
     */
    public boolean contains(final int candidate)
    {
        return (candidate & Ipv4Address.mask(length)) == address;
    }

    /**
     * Its highest address.
     *
     * @return the address with every bit below the length set.
     */
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
