package org.fibnuma.core.kernel;

/**
 * Network interface.
 *
 * @param index      interface index of the kernel, 1 or more.
 * @param name       such as {@code eth1}.
 * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if it has none.
 * @param mtu        in bytes.
 * @param up         administratively up and with a carrier (IFF_UP and IFF_RUNNING).
 * @param vlan       of a VLAN or macvlan interface; null for all other interfaces.
 */
public record KernelLink(int index, String name, long macAddress, int mtu, boolean up, Vlan vlan)
{
    /** Makes an interface that is above no other one. */
    public KernelLink(final int index, final String name, final long macAddress, final int mtu, final boolean up)
    {
        this(index, name, macAddress, mtu, up, null);
    }

    /**
     * Properties of a VLAN interface, or of a macvlan interface, to which the frames to its MAC address belong.
     *
     * @param lower     index of the interface below it, which may be a VLAN interface too.
     * @param etherType of the VLAN tag: {@link org.fibnuma.core.wire.EtherType#VLAN} or
     *                  {@link org.fibnuma.core.wire.EtherType#SERVICE_VLAN}; 0 for a macvlan interface.
     * @param vid       VLAN identifier, 0 to 4,095; 0 for a macvlan interface.
     * @param enslaved  whether the interface has a master, such as a bridge, a bond or a VRF.
     * @param macvlan   mode of a macvlan interface, {@link Macvlan#NONE} for a VLAN interface.
     */
    public record Vlan(int lower, int etherType, int vid, boolean enslaved, Macvlan macvlan)
    {
        /** Makes a VLAN interface. */
        public Vlan(final int lower, final int etherType, final int vid, final boolean enslaved)
        {
            this(lower, etherType, vid, enslaved, Macvlan.NONE);
        }

        /** Makes a macvlan interface. */
        public static Vlan macvlan(final int lower, final boolean enslaved, final Macvlan mode)
        {
            return new Vlan(lower, 0, 0, enslaved, mode);
        }

        /** Returns whether this is a macvlan interface. */
        public boolean isMacvlan()
        {
            return macvlan != Macvlan.NONE;
        }
    }

    /** How a macvlan interface sends. */
    public enum Macvlan
    {
        /** It is no macvlan interface. */
        NONE,
        /** All frames leave by the interface below it: modes private and vepa. */
        OUT,
        /** Frames to another macvlan interface, which may be in another network namespace, stay in the host. */
        BRIDGE
    }
}
