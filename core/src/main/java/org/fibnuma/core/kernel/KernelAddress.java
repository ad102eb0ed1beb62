package org.fibnuma.core.kernel;

/**
 * An IPv4 address of this host.
 *
 * @param interfaceIndex that it is on.
 * @param address        as in {@link org.fibnuma.core.wire.Ipv4Address}.
 * @param prefixLength   of the connected network, 0 to 32.
 */
public record KernelAddress(int interfaceIndex, int address, int prefixLength)
{
}
