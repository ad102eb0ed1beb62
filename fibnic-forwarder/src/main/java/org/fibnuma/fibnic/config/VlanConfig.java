package org.fibnuma.fibnic.config;

import org.fibnuma.core.wire.VlanTag;

import java.util.List;

/**
 * A VLAN interface of a port, of {@link ControlMode#STATIC}.
 *
 * @param name       unique among ports and VLAN interfaces of the router.
 * @param etherType  of its VLAN tag: {@link org.fibnuma.core.wire.EtherType#VLAN} or
 *                   {@link org.fibnuma.core.wire.EtherType#SERVICE_VLAN}.
 * @param id         VLAN identifier, 1 to 4,094.
 * @param outer      position of the VLAN interface with the outer VLAN tag among those of the port;
 *                   {@link #NO_OUTER} for a single VLAN tag.
 * @param pcp        priority code point of frames that leave by it, 0 to 7.
 * @param addresses  of the router on the VLAN.
 * @param macAddress 0 for that of the port.
 * @param mtu        longest IP packet in bytes; 0 for that of the port, or 4 less with two VLAN tags.
 */
public record VlanConfig(
    String name,
    int etherType,
    int id,
    int outer,
    int pcp,
    List<InterfaceAddress> addresses,
    long macAddress,
    int mtu)
{
    /** Value of {@link #outer()} of a VLAN interface with a single VLAN tag. */
    public static final int NO_OUTER = -1;

    VlanConfig withOuter(final int position)
    {
        return new VlanConfig(name, etherType, id, position, pcp, addresses, macAddress, mtu);
    }

    /**
     * Returns the MTU in bytes. Devices limit the length of a frame to the MTU of the port and one VLAN tag.
     *
     * @param portMtu of the port in bytes.
     */
    public int mtu(final int portMtu)
    {
        return mtu != 0 ? mtu : outer == NO_OUTER ? portMtu : portMtu - VlanTag.LENGTH;
    }
}
