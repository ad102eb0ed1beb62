package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** ARP packet for IPv4 over Ethernet (RFC 826). It follows the Ethernet header. */
public final class ArpFlyweight
{
    public static final int HARDWARE_TYPE_OFFSET = 0;
    /** Offset of the protocol type, an EtherType. */
    public static final int PROTOCOL_TYPE_OFFSET = HARDWARE_TYPE_OFFSET + Short.BYTES;
    public static final int HARDWARE_LENGTH_OFFSET = PROTOCOL_TYPE_OFFSET + Short.BYTES;
    public static final int PROTOCOL_LENGTH_OFFSET = HARDWARE_LENGTH_OFFSET + Byte.BYTES;
    public static final int OPERATION_OFFSET = PROTOCOL_LENGTH_OFFSET + Byte.BYTES;
    public static final int SENDER_MAC_OFFSET = OPERATION_OFFSET + Short.BYTES;
    public static final int SENDER_IPV4_OFFSET = SENDER_MAC_OFFSET + MacAddress.LENGTH;
    public static final int TARGET_MAC_OFFSET = SENDER_IPV4_OFFSET + Ipv4Address.LENGTH;
    public static final int TARGET_IPV4_OFFSET = TARGET_MAC_OFFSET + MacAddress.LENGTH;
    public static final int LENGTH = TARGET_IPV4_OFFSET + Ipv4Address.LENGTH;

    /** Operation: requests the MAC address of the target's IPv4 address. */
    public static final int REQUEST = 1;
    /** Operation: reports the sender's MAC address. */
    public static final int REPLY = 2;

    private static final int ETHERNET = 1;
    private static final int FIRST_WORD = ETHERNET << Short.SIZE | EtherType.IPV4;
    private static final int LENGTHS = MacAddress.LENGTH << Byte.SIZE | Ipv4Address.LENGTH;

    private long address;

    /** Places this view over the packet at a native address and returns this view. */
    public ArpFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns whether types and lengths are those of IPv4 over Ethernet. */
    public boolean isIpv4OverEthernet()
    {
        return FrameMemory.getIntBE(address + HARDWARE_TYPE_OFFSET) == FIRST_WORD &&
            FrameMemory.getShortBE(address + HARDWARE_LENGTH_OFFSET) == LENGTHS;
    }

    /** Writes the types and lengths of IPv4 over Ethernet and the operation, {@link #REQUEST} or {@link #REPLY}. */
    public ArpFlyweight start(final int operation)
    {
        FrameMemory.putIntBE(address + HARDWARE_TYPE_OFFSET, FIRST_WORD);
        FrameMemory.putIntBE(address + HARDWARE_LENGTH_OFFSET, LENGTHS << Short.SIZE | operation);
        return this;
    }

    /** Returns the operation, 0 to 65,535. */
    public int operation()
    {
        return FrameMemory.getShortBE(address + OPERATION_OFFSET);
    }

    /** Returns the sender's MAC address in the format of {@link MacAddress}. */
    public long senderMac()
    {
        return MacAddress.read(address + SENDER_MAC_OFFSET);
    }

    /** Returns the sender's IPv4 address in the format of {@link Ipv4Address}; 0 in a probe (RFC 5227). */
    public int senderIpv4()
    {
        return FrameMemory.getIntBE(address + SENDER_IPV4_OFFSET);
    }

    /** Sets the sender's addresses, in the formats of {@link MacAddress} and {@link Ipv4Address}. */
    public ArpFlyweight sender(final long mac, final int ipv4)
    {
        MacAddress.write(address + SENDER_MAC_OFFSET, mac);
        FrameMemory.putIntBE(address + SENDER_IPV4_OFFSET, ipv4);
        return this;
    }

    /** Returns the target's IPv4 address in the format of {@link Ipv4Address}. */
    public int targetIpv4()
    {
        return FrameMemory.getIntBE(address + TARGET_IPV4_OFFSET);
    }

    /** Sets the target's addresses, in the formats of {@link MacAddress} and {@link Ipv4Address}; MAC 0 if unknown. */
    public ArpFlyweight target(final long mac, final int ipv4)
    {
        MacAddress.write(address + TARGET_MAC_OFFSET, mac);
        FrameMemory.putIntBE(address + TARGET_IPV4_OFFSET, ipv4);
        return this;
    }
}
