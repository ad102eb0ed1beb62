package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** Ethernet II header (IEEE 802.3 clause 3, RFC 894). MAC addresses are {@code long} as in {@link MacAddress}. */
public final class EthernetHeaderFlyweight
{
    /** Offset of the destination address. */
    public static final int DESTINATION_OFFSET = 0;
    /** Offset of the source address. */
    public static final int SOURCE_OFFSET = DESTINATION_OFFSET + MacAddress.LENGTH;
    /** Offset of the EtherType. */
    public static final int ETHER_TYPE_OFFSET = SOURCE_OFFSET + MacAddress.LENGTH;
    /** Length of the header without tags. */
    public static final int LENGTH = ETHER_TYPE_OFFSET + Short.BYTES;
    /** Shortest frame without FCS (IEEE 802.3 4A.2.3: 64 with it). */
    public static final int MIN_FRAME_LENGTH = 60;
    /** Longest payload without jumbo frames (IEEE 802.3 3.2.7): the MTU where nobody says otherwise. */
    public static final int MAX_PAYLOAD_LENGTH = 1500;

    private static final int GROUP_BIT = 1;

    private long address;

    /**
     * Lays this view over a header.
     *
     * @param address of its first byte.
     * @return this.
     */
    public EthernetHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Destination address.
     *
     * @return as in {@link MacAddress}.
     */
    public long destination()
    {
        return MacAddress.read(address + DESTINATION_OFFSET);
    }

    /**
     * Whether the destination is a group of stations, broadcast included (the I/G bit of the first byte).
     *
     * @return true for multicast and broadcast.
     */
    public boolean isToGroup()
    {
        return (FrameMemory.getByte(address + DESTINATION_OFFSET) & GROUP_BIT) != 0;
    }

    /**
     * Sets the destination address.
     *
     * @param mac as in {@link MacAddress}.
     * @return this.
     */
    public EthernetHeaderFlyweight destination(final long mac)
    {
        MacAddress.write(address + DESTINATION_OFFSET, mac);
        return this;
    }

    /**
     * Source address.
     *
     * @return as in {@link MacAddress}.
     */
    public long source()
    {
        return MacAddress.read(address + SOURCE_OFFSET);
    }

    /**
     * Sets the source address.
     *
     * @param mac as in {@link MacAddress}.
     * @return this.
     */
    public EthernetHeaderFlyweight source(final long mac)
    {
        MacAddress.write(address + SOURCE_OFFSET, mac);
        return this;
    }

    /**
     * EtherType, or a length in an IEEE 802.3 frame.
     *
     * @return 0 to 65,535; see {@link EtherType}.
     */
    public int etherType()
    {
        return FrameMemory.getShortBE(address + ETHER_TYPE_OFFSET);
    }

    /**
     * Sets the EtherType.
     *
     * @param etherType see {@link EtherType}.
     * @return this.
     */
    public EthernetHeaderFlyweight etherType(final int etherType)
    {
        FrameMemory.putShortBE(address + ETHER_TYPE_OFFSET, etherType);
        return this;
    }
}
