package org.fibnuma.core.kernel;

/**
 * A network interface.
 *
 * @param index      the kernel's number for it, 1 or more.
 * @param name       such as {@code eth1}.
 * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}; 0 where it has none.
 * @param mtu        in bytes.
 * @param up         administratively up and with a carrier (IFF_UP and IFF_RUNNING).
 */
public record KernelLink(int index, String name, long macAddress, int mtu, boolean up)
{
}
