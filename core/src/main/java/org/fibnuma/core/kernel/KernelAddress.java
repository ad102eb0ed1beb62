package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/**
 * IPv4 or IPv6 address of this host.
 *
 * @param interfaceIndex index of its interface.
 * @param address        IPv4 or IPv6, with the bits below the prefix length.
 * @param prefixLength   of the connected network, 0 to 32 or 0 to 128.
 */
public record KernelAddress(int interfaceIndex, IpAddress address, int prefixLength)
{
}
