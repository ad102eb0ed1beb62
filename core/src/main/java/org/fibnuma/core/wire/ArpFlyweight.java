package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** ARP packet for IPv4 over Ethernet (RFC 826), behind the Ethernet header. */
public final class ArpFlyweight
{
    /** Offset of the kind of hardware. */
    public static final int HARDWARE_TYPE_OFFSET = 0;
    /** Offset of the kind of protocol, an EtherType. */
    public static final int PROTOCOL_TYPE_OFFSET = HARDWARE_TYPE_OFFSET + Short.BYTES;
    /** Offset of the length of a hardware address. */
    public static final int HARDWARE_LENGTH_OFFSET = PROTOCOL_TYPE_OFFSET + Short.BYTES;
    /** Offset of the length of a protocol address. */
    public static final int PROTOCOL_LENGTH_OFFSET = HARDWARE_LENGTH_OFFSET + Byte.BYTES;
    /** Offset of the operation. */
    public static final int OPERATION_OFFSET = PROTOCOL_LENGTH_OFFSET + Byte.BYTES;
    /** Offset of the sender's station. */
    public static final int SENDER_MAC_OFFSET = OPERATION_OFFSET + Short.BYTES;
    /** Offset of the sender's address. */
    public static final int SENDER_IPV4_OFFSET = SENDER_MAC_OFFSET + MacAddress.LENGTH;
    /** Offset of the target's station. */
    public static final int TARGET_MAC_OFFSET = SENDER_IPV4_OFFSET + Ipv4Address.LENGTH;
    /** Offset of the target's address. */
    public static final int TARGET_IPV4_OFFSET = TARGET_MAC_OFFSET + MacAddress.LENGTH;
    /** Length of the packet. */
    public static final int LENGTH = TARGET_IPV4_OFFSET + Ipv4Address.LENGTH;

    /** Who has the target's address? */
    public static final int REQUEST = 1;
    /** The sender has its address. */
    public static final int REPLY = 2;

    private static final int ETHERNET = 1;
    private static final int FIRST_WORD = ETHERNET << Short.SIZE | EtherType.IPV4;
    private static final int LENGTHS = MacAddress.LENGTH << Byte.SIZE | Ipv4Address.LENGTH;

    private long address;

    /**
     * Lays this view over a packet.
     *
     * @param address of its first byte.
     * @return this.
     */
    public ArpFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Whether it is about IPv4 over Ethernet.
     *
     * @return true where types and lengths say so.
     */
    public boolean isIpv4OverEthernet()
    {
        return FrameMemory.getIntBE(address + HARDWARE_TYPE_OFFSET) == FIRST_WORD &&
            FrameMemory.getShortBE(address + HARDWARE_LENGTH_OFFSET) == LENGTHS;
    }

    /**
     * Starts a packet about IPv4 over Ethernet.
     *
     * @param operation {@link #REQUEST} or {@link #REPLY}.
     * @return this.
     */
    public ArpFlyweight start(final int operation)
    {
        FrameMemory.putIntBE(address + HARDWARE_TYPE_OFFSET, FIRST_WORD);
        FrameMemory.putIntBE(address + HARDWARE_LENGTH_OFFSET, LENGTHS << Short.SIZE | operation);
        return this;
    }

    /**
     * What is asked or said.
     *
     * @return 0 to 65,535.
     */
    public int operation()
    {
        return FrameMemory.getShortBE(address + OPERATION_OFFSET);
    }

    /**
     * The sender's station.
     *
     * @return as in {@link MacAddress}.
     */
    public long senderMac()
    {
        return MacAddress.read(address + SENDER_MAC_OFFSET);
    }

    /**
     * The sender's address.
     *
     * @return as in {@link Ipv4Address}; 0 in a probe (RFC 5227).
     */
    public int senderIpv4()
    {
        return FrameMemory.getIntBE(address + SENDER_IPV4_OFFSET);
    }

    /**
     * Sets the sender.
     *
     * @param mac  as in {@link MacAddress}.
     * @param ipv4 as in {@link Ipv4Address}.
     * @return this.
     */
    public ArpFlyweight sender(final long mac, final int ipv4)
    {
        MacAddress.write(address + SENDER_MAC_OFFSET, mac);
        FrameMemory.putIntBE(address + SENDER_IPV4_OFFSET, ipv4);
        return this;
    }

    /**
     * The target's address.
     *
     * @return as in {@link Ipv4Address}.
     */
    public int targetIpv4()
    {
        return FrameMemory.getIntBE(address + TARGET_IPV4_OFFSET);
    }

    /**
     * Sets the target.
     *
     * @param mac  as in {@link MacAddress}, 0 where it is asked for.
     * @param ipv4 as in {@link Ipv4Address}.
     * @return this.
     */
    public ArpFlyweight target(final long mac, final int ipv4)
    {
        MacAddress.write(address + TARGET_MAC_OFFSET, mac);
        FrameMemory.putIntBE(address + TARGET_IPV4_OFFSET, ipv4);
        return this;
    }
}
