package org.fibnuma.core.wire;

/**
 * IPv4 or IPv6 prefix. The address of an IPv4 prefix is IPv4-mapped, as in {@link IpAddress}, so prefixes of both
 * families are masked and compared alike. Ordered by family, IPv4 first, then by address, then by length.
 *
 * @param isIpv6 family of the addresses. The IPv6 prefix {@code ::ffff:0:0/96} contains no IPv4 address.
 * @param high   the first eight bytes of the network address; 0 if it is IPv4.
 * @param low    its last eight bytes; the bits below the length are 0.
 * @param bits   leading bits that all addresses have in common, 0 to 128: the length of the prefix, for IPv4 plus
 *               {@value #IPV4_BITS}.
 */
public record IpPrefix(boolean isIpv6, long high, long low, int bits) implements Comparable<IpPrefix>
{
    /** Leading bits that all IPv4-mapped addresses have in common. */
    public static final int IPV4_BITS = 96;

    /** Returns the prefix of a length, 0 to 32, that contains an IPv4 address. */
    public static IpPrefix of(final int ipv4, final int length)
    {
        return new IpPrefix(false, 0, IpAddress.mappedLow(ipv4 & Ipv4Address.mask(length)), IPV4_BITS + length);
    }

    /** Returns the prefix of a length, 0 to 128, that contains an IPv6 address. */
    public static IpPrefix of(final long high, final long low, final int length)
    {
        return new IpPrefix(true, high & Ipv6Address.maskHigh(length), low & Ipv6Address.maskLow(length), length);
    }

    /** Returns the prefix of a length, 0 to 32 or 0 to 128 by its family, that contains an address. */
    public static IpPrefix of(final IpAddress address, final int length)
    {
        return address.isIpv4() ? of(address.ipv4(), length) : of(address.high(), address.low(), length);
    }

    /** Returns the prefix that contains one address only. */
    public static IpPrefix host(final IpAddress address)
    {
        return new IpPrefix(!address.isIpv4(), address.high(), address.low(), Ipv6Address.BITS);
    }

    /**
     * Parses a prefix of either family, as {@link Ipv6Prefix#parse} does if it contains a colon and
     * {@link Ipv4Prefix#parse} otherwise.
     *
     * @throws IllegalArgumentException quoting the text if it is not a prefix.
     */
    public static IpPrefix parse(final String text)
    {
        if (text.indexOf(':') < 0)
        {
            final Ipv4Prefix ipv4 = Ipv4Prefix.parse(text);
            return of(ipv4.address(), ipv4.length());
        }
        final Ipv6Prefix ipv6 = Ipv6Prefix.parse(text);
        return of(ipv6.high(), ipv6.low(), ipv6.length());
    }

    /** Returns the prefix that contains this one and has a number of leading bits, at most those of this one. */
    public IpPrefix outer(final int leadingBits)
    {
        return new IpPrefix(
            isIpv6, high & Ipv6Address.maskHigh(leadingBits), low & Ipv6Address.maskLow(leadingBits), leadingBits);
    }

    /** Returns the length in the notation of the family, 0 to 32 or 0 to 128. */
    public int length()
    {
        return isIpv6 ? bits : bits - IPV4_BITS;
    }

    /** Returns the network address of an IPv4 prefix in the format of {@link Ipv4Address}. */
    public int ipv4()
    {
        return (int)low;
    }

    /** Returns whether the prefix contains one address only. */
    public boolean isHost()
    {
        return bits == Ipv6Address.BITS;
    }

    /** Returns the lowest address of the prefix. */
    public IpAddress first()
    {
        return new IpAddress(high, low);
    }

    /** Returns the highest address of the prefix. */
    public IpAddress last()
    {
        return new IpAddress(high | ~Ipv6Address.maskHigh(bits), low | ~Ipv6Address.maskLow(bits));
    }

    /** Returns whether the prefix contains an address; false if the address is of the other family. */
    public boolean contains(final IpAddress address)
    {
        return isIpv6 != address.isIpv4() && matches(address.high(), address.low());
    }

    /** Returns whether every address of another prefix of the same family is in this one; also if they are equal. */
    public boolean covers(final IpPrefix inner)
    {
        return isIpv6 == inner.isIpv6 && bits <= inner.bits && matches(inner.high, inner.low);
    }

    private boolean matches(final long otherHigh, final long otherLow)
    {
        return ((otherHigh ^ high) & Ipv6Address.maskHigh(bits) | (otherLow ^ low) & Ipv6Address.maskLow(bits)) == 0;
    }

    @Override
    public int compareTo(final IpPrefix other)
    {
        if (isIpv6 != other.isIpv6)
        {
            return isIpv6 ? 1 : -1;
        }
        final int byHigh = Long.compareUnsigned(high, other.high);
        final int byAddress = byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
        return byAddress != 0 ? byAddress : Integer.compare(bits, other.bits);
    }

    @Override
    public String toString()
    {
        return (isIpv6 ? Ipv6Address.format(high, low) : Ipv4Address.format(ipv4())) + "/" + length();
    }
}
