package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/**
 * IPv4 or IPv6 address of this host. Two are equal if their interfaces, addresses and prefix lengths are equal, because
 * the other properties of an address of a host may change.
 *
 * @param interfaceIndex index of its interface.
 * @param address        IPv4 or IPv6, with the bits below the prefix length.
 * @param prefixLength   of the connected network, 0 to 32 or 0 to 128.
 * @param scope          of an IPv4 address, as in {@link RouteOptions#scope()}; 0 for IPv6.
 * @param secondary      whether it is one of several IPv4 addresses on a network and not the first (IFA_F_SECONDARY),
 *                       or a temporary IPv6 address (IFA_F_TEMPORARY).
 * @param deprecated     whether the host prefers other IPv6 addresses (IFA_F_DEPRECATED).
 */
public record KernelAddress(
    int interfaceIndex, IpAddress address, int prefixLength, int scope, boolean secondary, boolean deprecated)
{
    /** Makes an address of universal scope, neither secondary nor deprecated. */
    public KernelAddress(final int interfaceIndex, final IpAddress address, final int prefixLength)
    {
        this(interfaceIndex, address, prefixLength, RouteOptions.SCOPE_UNIVERSE, false, false);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof KernelAddress that && interfaceIndex == that.interfaceIndex &&
            prefixLength == that.prefixLength && address.equals(that.address);
    }

    /** Returns whether an equal address has the same other properties. */
    public boolean isUsedLike(final KernelAddress other)
    {
        return scope == other.scope && secondary == other.secondary && deprecated == other.deprecated;
    }

    @Override
    public int hashCode()
    {
        return (address.hashCode() * 31 + interfaceIndex) * 31 + prefixLength;
    }
}
