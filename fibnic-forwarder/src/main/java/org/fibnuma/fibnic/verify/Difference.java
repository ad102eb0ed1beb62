package org.fibnuma.fibnic.verify;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;

/**
 * A range of addresses whose adjacency in the FIB is wrong.
 *
 * @param isIpv6   family of the addresses.
 * @param first    address.
 * @param last     address, not below the first.
 * @param expected adjacency that follows from the kernel's tables, as text.
 * @param actual   adjacency of the FIB, as text.
 */
public record Difference(boolean isIpv6, IpAddress first, IpAddress last, String expected, String actual)
{
    /** Returns whether two ranges have an address in common. */
    public boolean overlaps(final Difference other)
    {
        return isIpv6 == other.isIpv6 && first.compareTo(other.last) <= 0 && other.first.compareTo(last) <= 0;
    }

    /** Returns the first address in the notation of its family. */
    public String firstText()
    {
        return format(first);
    }

    /** Returns the last address in the notation of its family. */
    public String lastText()
    {
        return format(last);
    }

    private String format(final IpAddress address)
    {
        return isIpv6 ? Ipv6Address.format(address.high(), address.low()) : Ipv4Address.format(address.ipv4());
    }
}
