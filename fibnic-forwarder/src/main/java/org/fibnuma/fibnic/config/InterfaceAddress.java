package org.fibnuma.fibnic.config;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;

/**
 * An address of a port and the length of its network's prefix.
 *
 * @param address      as in {@link Ipv4Address}.
 * @param prefixLength 0 to 32.
 */
public record InterfaceAddress(int address, int prefixLength)
{
    private static final int MIN_PREFIX_LENGTH = 1;

    /**
     * Reads {@code address/length}.
     *
     * @param text such as {@code 10.0.0.1/24}.
     * @return the address.
     * @throws IllegalArgumentException with what is wrong with the text.
     */
    public static InterfaceAddress parse(final String text)
    {
        final int slash = text.indexOf('/');
        if (slash < 0)
        {
            throw new IllegalArgumentException("\"" + text + "\" has no prefix length; give one such as 10.0.0.1/24");
        }
        final String lengthText = text.substring(slash + 1);
        final int length = lengthText.matches("\\d{1,2}") ? Integer.parseInt(lengthText) : 0;
        if (length < MIN_PREFIX_LENGTH || length > Integer.SIZE)
        {
            throw new IllegalArgumentException("prefix length of \"" + text + "\" is not in 1 to 32");
        }
        return new InterfaceAddress(Ipv4Address.parse(text.substring(0, slash)), length);
    }

    /** Returns the connected network. */
    public Ipv4Prefix network()
    {
        return Ipv4Prefix.of(address, prefixLength);
    }

    @Override
    public String toString()
    {
        return Ipv4Address.format(address) + "/" + prefixLength;
    }
}
