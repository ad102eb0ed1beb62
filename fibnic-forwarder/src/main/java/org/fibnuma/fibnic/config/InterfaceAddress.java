package org.fibnuma.fibnic.config;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;

/**
 * An address of a port and the length of its network's prefix.
 *
 * @param address      of either family.
 * @param prefixLength 1 to 32 or 1 to 128.
 */
public record InterfaceAddress(IpAddress address, int prefixLength)
{
    private static final int MIN_PREFIX_LENGTH = 1;

    /**
     * Reads {@code address/length}.
     *
     * @param text such as {@code 10.0.0.1/24} or {@code 2001:db8::1/64}.
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
        final IpAddress address = IpAddress.parse(text.substring(0, slash));
        final String lengthText = text.substring(slash + 1);
        final int length = lengthText.matches("\\d{1,3}") ? Integer.parseInt(lengthText) : 0;
        final int longest = address.isIpv4() ? Integer.SIZE : Ipv6Address.BITS;
        if (length < MIN_PREFIX_LENGTH || length > longest)
        {
            throw new IllegalArgumentException("prefix length of \"" + text + "\" is not in 1 to " + longest);
        }
        return new InterfaceAddress(address, length);
    }

    /** Returns the connected network. */
    public IpPrefix network()
    {
        return IpPrefix.of(address, prefixLength);
    }

    @Override
    public String toString()
    {
        return address + "/" + prefixLength;
    }
}
