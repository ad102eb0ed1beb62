package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** Ethernet II header (IEEE 802.3 clause 3, RFC 894). MAC addresses are {@code long} as in {@link MacAddress}. */
public final class EthernetHeaderFlyweight
{
    public static final int DESTINATION_OFFSET = 0;
    public static final int SOURCE_OFFSET = DESTINATION_OFFSET + MacAddress.LENGTH;
    public static final int ETHER_TYPE_OFFSET = SOURCE_OFFSET + MacAddress.LENGTH;
    /** Length of the header without VLAN tags, in bytes. */
    public static final int LENGTH = ETHER_TYPE_OFFSET + Short.BYTES;
    /** Shortest frame without FCS in bytes (IEEE 802.3 4A.2.3: 64 with FCS). */
    public static final int MIN_FRAME_LENGTH = 60;
    /** Longest payload without jumbo frames in bytes (IEEE 802.3 3.2.7), used as the default MTU. */
    public static final int MAX_PAYLOAD_LENGTH = 1500;

    private static final int GROUP_BIT = 1;

    private long address;

    /** Places this view over the header at a native address and returns this view. */
    public EthernetHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns the destination address. */
    public long destination()
    {
        return MacAddress.read(address + DESTINATION_OFFSET);
    }

    /** Returns whether the destination is multicast or broadcast (the I/G bit of the first byte). */
    public boolean isToGroup()
    {
        return (FrameMemory.getByte(address + DESTINATION_OFFSET) & GROUP_BIT) != 0;
    }

    /** Sets the destination address. */
    public EthernetHeaderFlyweight destination(final long mac)
    {
        MacAddress.write(address + DESTINATION_OFFSET, mac);
        return this;
    }

    /** Returns the source address. */
    public long source()
    {
        return MacAddress.read(address + SOURCE_OFFSET);
    }

    /** Sets the source address. */
    public EthernetHeaderFlyweight source(final long mac)
    {
        MacAddress.write(address + SOURCE_OFFSET, mac);
        return this;
    }

    /** Returns the EtherType (see {@link EtherType}), or the length in an IEEE 802.3 frame; 0 to 65,535. */
    public int etherType()
    {
        return etherType(address);
    }

    /** Returns the same as {@link #etherType()} for the header at a native address. */
    public static int etherType(final long address)
    {
        return FrameMemory.getShortBE(address + ETHER_TYPE_OFFSET);
    }

    /** Sets the EtherType; see {@link EtherType}. */
    public EthernetHeaderFlyweight etherType(final int etherType)
    {
        FrameMemory.putShortBE(address + ETHER_TYPE_OFFSET, etherType);
        return this;
    }
}
