package org.fibnuma.core.frame;

/**
 * Numbers of a router's interfaces. The number of a port, as the interface of its untagged frames, is the index of the
 * port. The low bits of the number of a VLAN interface are the index of its port, which is found without a table. A
 * macvlan interface has a number like a VLAN interface.
 */
public final class InterfaceNumber
{
    /** Most ports. The number of the ports is the ingress of frames that the router itself sends. */
    public static final int MAX_PORTS = 63;
    /** Highest position of a VLAN interface: as many as one trunk has VLAN identifiers. */
    public static final int MAX_VLANS = 4094;

    /** Bits of the port below the position of a VLAN interface. */
    public static final int PORT_BITS = 6;

    private static final int MAC_BITS = 48;
    private static final int PORT_MASK = (1 << PORT_BITS) - 1;

    private InterfaceNumber()
    {
    }

    /** Returns the index of the port of an interface. */
    public static int portOf(final int number)
    {
        return number & PORT_MASK;
    }

    /** Returns the bit of the port of an interface in a mask of ports. */
    public static long portBit(final int number)
    {
        // A shift takes the low six bits of its distance, which are the port.
        return 1L << number;
    }

    /** Returns the position of a VLAN interface among those of the router, from 1; 0 for a port. */
    public static int vlanOf(final int number)
    {
        return number >>> PORT_BITS;
    }

    /**
     * Returns the number of a VLAN interface, above that of every port.
     *
     * @param port index of its port, 0 to {@link #MAX_PORTS} - 1.
     * @param vlan position among those of the router, 1 to {@link #MAX_VLANS}.
     */
    public static int ofVlan(final int port, final int vlan)
    {
        return vlan << PORT_BITS | port;
    }

    /**
     * Returns the identity of a macvlan interface among the VLAN and macvlan interfaces of a port, which no VLAN tags
     * have ({@link org.fibnuma.core.wire.VlanTag#identity}): the first 16 bits are less than a tag's EtherType.
     *
     * @param number     of the interface below it.
     * @param macAddress of the macvlan interface, in the format of {@link org.fibnuma.core.wire.MacAddress}.
     */
    public static long macvlanIdentity(final int number, final long macAddress)
    {
        return vlanOf(number) + 1L << MAC_BITS | macAddress;
    }

    /** Returns whether an identity is that of a macvlan interface, not of VLAN tags. */
    public static boolean isMacvlanIdentity(final long identity)
    {
        final long below = identity >>> MAC_BITS;
        return below > 0 && below <= MAX_VLANS + 1;
    }
}
