package org.fibnuma.core.kernel;

/**
 * Network interface.
 *
 * @param index      interface index of the kernel, 1 or more.
 * @param name       such as {@code eth1}.
 * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if it has none.
 * @param mtu        in bytes.
 * @param up         administratively up and with a carrier (IFF_UP and IFF_RUNNING).
 */
public record KernelLink(int index, String name, long macAddress, int mtu, boolean up)
{
}
