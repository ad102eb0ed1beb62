package org.fibnuma.core.kernel;

/**
 * IPv4 address of this host.
 *
 * @param interfaceIndex index of its interface.
 * @param address        in the format of {@link org.fibnuma.core.wire.Ipv4Address}.
 * @param prefixLength   of the connected network, 0 to 32.
 */
public record KernelAddress(int interfaceIndex, int address, int prefixLength)
{
}
