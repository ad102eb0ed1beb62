package org.fibnuma.core.kernel;

/**
 * Network interface.
 *
 * @param index      interface index of the kernel, 1 or more.
 * @param name       such as {@code eth1}.
 * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if it has none.
 * @param mtu        in bytes.
 * @param up         administratively up and with a carrier (IFF_UP and IFF_RUNNING).
 * @param vlan       of a VLAN interface; null for all other interfaces.
 */
public record KernelLink(int index, String name, long macAddress, int mtu, boolean up, Vlan vlan)
{
    /** Makes an interface other than a VLAN interface. */
    public KernelLink(final int index, final String name, final long macAddress, final int mtu, final boolean up)
    {
        this(index, name, macAddress, mtu, up, null);
    }

    /**
     * Properties of a VLAN interface.
     *
     * @param lower     index of the interface below it, which may be a VLAN interface too.
     * @param etherType of the VLAN tag: {@link org.fibnuma.core.wire.EtherType#VLAN} or
     *                  {@link org.fibnuma.core.wire.EtherType#SERVICE_VLAN}.
     * @param vid       VLAN identifier, 0 to 4,095.
     * @param enslaved  whether the interface has a master, such as a bridge, a bond or a VRF.
     */
    public record Vlan(int lower, int etherType, int vid, boolean enslaved)
    {
    }
}
