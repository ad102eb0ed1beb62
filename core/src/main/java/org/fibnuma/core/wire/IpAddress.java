package org.fibnuma.core.wire;

/**
 * IPv4 or IPv6 address. An IPv4 address is stored as the IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), so
 * {@code 192.0.2.1} equals {@code ::ffff:192.0.2.1}. Ordered by the unsigned number of 128 bits.
 *
 * @param high the first eight bytes; 0 if it is IPv4.
 * @param low  the last eight bytes.
 */
public record IpAddress(long high, long low) implements Comparable<IpAddress>
{
    /** No address: {@code ::}, of which {@link #isIpv4} is false. */
    public static final IpAddress NONE = new IpAddress(0, 0);

    /** Returns an IPv4 address. */
    public static IpAddress of(final int ipv4)
    {
        return new IpAddress(0, mappedLow(ipv4));
    }

    /** Returns the low half of the form in which an IPv4 address is stored; the high half is 0. */
    public static long mappedLow(final int ipv4)
    {
        return Ipv6Address.MAPPED_PREFIX | ipv4 & 0xFFFF_FFFFL;
    }

    /**
     * Parses an address of either family, as {@link Ipv6Address#parse} does if it contains a colon and
     * {@link Ipv4Address#parse} otherwise.
     *
     * @throws IllegalArgumentException quoting the text if it is not an address.
     */
    public static IpAddress parse(final String text)
    {
        if (text.indexOf(':') < 0)
        {
            return of(Ipv4Address.parse(text));
        }
        final Ipv6Address ipv6 = Ipv6Address.parse(text);
        return new IpAddress(ipv6.high(), ipv6.low());
    }

    /** Formats an address in the notation of its family. */
    public static String format(final long high, final long low)
    {
        return Ipv6Address.isIpv4Mapped(high, low) ? Ipv4Address.format((int)low) : Ipv6Address.format(high, low);
    }

    /** Returns whether this is {@link #NONE}. */
    public boolean isNone()
    {
        return Ipv6Address.isUnspecified(high, low);
    }

    /** Returns whether this is an IPv4 address. */
    public boolean isIpv4()
    {
        return Ipv6Address.isIpv4Mapped(high, low);
    }

    /** Returns the IPv4 address in the format of {@link Ipv4Address}; undefined unless {@link #isIpv4}. */
    public int ipv4()
    {
        return (int)low;
    }

    /** Returns whether this is a multicast group of its family. */
    public boolean isMulticast()
    {
        return isIpv4() ? Ipv4Address.isMulticast(ipv4()) : Ipv6Address.isMulticast(high);
    }

    @Override
    public int compareTo(final IpAddress other)
    {
        final int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString()
    {
        return format(high, low);
    }
}
