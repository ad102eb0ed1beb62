package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

import java.nio.ByteOrder;

/** IPv4 header (RFC 791 section 3.1). */
public final class Ipv4HeaderFlyweight
{
    /** Offset of version (high four bits) and header length in 32-bit words (low four). */
    public static final int VERSION_IHL_OFFSET = 0;
    /** Offset of DSCP (high six bits, RFC 2474) and ECN (low two, RFC 3168). */
    public static final int TRAFFIC_CLASS_OFFSET = VERSION_IHL_OFFSET + Byte.BYTES;
    public static final int TOTAL_LENGTH_OFFSET = TRAFFIC_CLASS_OFFSET + Byte.BYTES;
    public static final int IDENTIFICATION_OFFSET = TOTAL_LENGTH_OFFSET + Short.BYTES;
    /** Offset of the flags (high three bits) and fragment offset in units of eight bytes. */
    public static final int FRAGMENT_OFFSET = IDENTIFICATION_OFFSET + Short.BYTES;
    public static final int TTL_OFFSET = FRAGMENT_OFFSET + Short.BYTES;
    public static final int PROTOCOL_OFFSET = TTL_OFFSET + Byte.BYTES;
    public static final int CHECKSUM_OFFSET = PROTOCOL_OFFSET + Byte.BYTES;
    public static final int SOURCE_OFFSET = CHECKSUM_OFFSET + Short.BYTES;
    public static final int DESTINATION_OFFSET = SOURCE_OFFSET + Ipv4Address.LENGTH;
    /** Length of the header without options, in bytes. */
    public static final int MIN_LENGTH = DESTINATION_OFFSET + Ipv4Address.LENGTH;
    /** Length of the longest header, in bytes. */
    public static final int MAX_LENGTH = 60;

    public static final int VERSION_4 = 4;
    /** Shift of the version in the first byte of IPv4 and IPv6 headers. */
    public static final int VERSION_SHIFT = 4;
    /** Highest TTL with which a packet is not forwarded (RFC 1812 section 5.3.1). */
    public static final int LAST_TTL = 1;
    /** Version and header length of a header without options. */
    public static final int VERSION_4_IHL_5 = 0x45;
    /** Don't Fragment, in the 16-bit word at {@link #FRAGMENT_OFFSET}. */
    public static final int FLAG_DF = 0x4000;
    /** More Fragments, in the same word. */
    public static final int FLAG_MF = 0x2000;
    /** The fragment offset in the same word. */
    public static final int FRAGMENT_OFFSET_MASK = 0x1FFF;
    /** Shift from units of the fragment offset to bytes. */
    public static final int FRAGMENT_UNIT_SHIFT = 3;

    /** TOS field of RFC 1349 within the traffic class, between the precedence and the bit that must be zero. */
    public static final int TOS_MASK = 0x1E;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private long address;

    /** Places this view over the header at a native address and returns this view. */
    public Ipv4HeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns version and IHL in one byte, 0 to 255; {@link #VERSION_4_IHL_5} for a header without options. */
    public int versionAndIhl()
    {
        return FrameMemory.getByte(address + VERSION_IHL_OFFSET) & 0xFF;
    }

    /** Sets version and IHL, such as {@link #VERSION_4_IHL_5}. */
    public Ipv4HeaderFlyweight versionAndIhl(final int value)
    {
        FrameMemory.putByte(address + VERSION_IHL_OFFSET, value);
        return this;
    }

    /** Returns the header length in bytes, 0 to 60; a valid header has at least 20. */
    public int headerLength()
    {
        return (versionAndIhl() & 0xF) << 2;
    }

    /** Returns DSCP and ECN, 0 to 255. */
    public int trafficClass()
    {
        return FrameMemory.getByte(address + TRAFFIC_CLASS_OFFSET) & 0xFF;
    }

    /** Sets DSCP and ECN, 0 to 255. */
    public Ipv4HeaderFlyweight trafficClass(final int value)
    {
        FrameMemory.putByte(address + TRAFFIC_CLASS_OFFSET, value);
        return this;
    }

    /** Returns the length of header and payload in bytes, 0 to 65,535. */
    public int totalLength()
    {
        return FrameMemory.getShortBE(address + TOTAL_LENGTH_OFFSET);
    }

    /** Sets the length of header and payload in bytes. */
    public Ipv4HeaderFlyweight totalLength(final int length)
    {
        FrameMemory.putShortBE(address + TOTAL_LENGTH_OFFSET, length);
        return this;
    }

    /** Returns the identification, 0 to 65,535, which is the same in all fragments of a datagram. */
    public int identification()
    {
        return FrameMemory.getShortBE(address + IDENTIFICATION_OFFSET);
    }

    /** Sets the identification, 0 to 65,535. */
    public Ipv4HeaderFlyweight identification(final int identification)
    {
        FrameMemory.putShortBE(address + IDENTIFICATION_OFFSET, identification);
        return this;
    }

    /** Returns flags and fragment offset; see {@link #FLAG_DF}, {@link #FLAG_MF}, {@link #FRAGMENT_OFFSET_MASK}. */
    public int flagsAndFragmentOffset()
    {
        return FrameMemory.getShortBE(address + FRAGMENT_OFFSET);
    }

    /** Sets flags and fragment offset. */
    public Ipv4HeaderFlyweight flagsAndFragmentOffset(final int value)
    {
        FrameMemory.putShortBE(address + FRAGMENT_OFFSET, value);
        return this;
    }

    /** Returns the TTL, 0 to 255. */
    public int ttl()
    {
        return FrameMemory.getByte(address + TTL_OFFSET) & 0xFF;
    }

    /** Decrements the TTL, which must not be 0, and updates the checksum (RFC 1624 equation 3). */
    public Ipv4HeaderFlyweight decrementTtl()
    {
        decrementTtl(address);
        return this;
    }

    /** Does the same as {@link #decrementTtl()} for the header at a native address. */
    public static void decrementTtl(final long address)
    {
        if (LITTLE_ENDIAN)
        {
            // TTL, protocol and checksum in one word. In the swapped order of its bytes the checksum rises by one:
            // ~(~HC + ~m + m') with m' = m - 1. The carry out of the word is discarded.
            final int word = FrameMemory.getInt(address + TTL_OFFSET);
            final int carry = (word >>> Short.SIZE) + 2 & 0xFFFF_0000;
            FrameMemory.putInt(address + TTL_OFFSET, word + 0xFFFF + carry);
        }
        else
        {
            final int checksum = FrameMemory.getShortBE(address + CHECKSUM_OFFSET);
            FrameMemory.putByte(address + TTL_OFFSET, FrameMemory.getByte(address + TTL_OFFSET) - 1);
            FrameMemory.putShortBE(address + CHECKSUM_OFFSET, InternetChecksum.afterTtlDecrement(checksum));
        }
    }

    /** Sets the TTL, 0 to 255. */
    public Ipv4HeaderFlyweight ttl(final int ttl)
    {
        FrameMemory.putByte(address + TTL_OFFSET, ttl);
        return this;
    }

    /** Returns the protocol of the payload, 0 to 255; see {@link IpProtocol}. */
    public int protocol()
    {
        return FrameMemory.getByte(address + PROTOCOL_OFFSET) & 0xFF;
    }

    /** Sets the protocol of the payload; see {@link IpProtocol}. */
    public Ipv4HeaderFlyweight protocol(final int protocol)
    {
        FrameMemory.putByte(address + PROTOCOL_OFFSET, protocol);
        return this;
    }

    /** Returns the header checksum as stored, 0 to 65,535. */
    public int checksum()
    {
        return FrameMemory.getShortBE(address + CHECKSUM_OFFSET);
    }

    /** Sets the header checksum, 0 to 65,535. */
    public Ipv4HeaderFlyweight checksum(final int checksum)
    {
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, checksum);
        return this;
    }

    /** Computes the header checksum and stores it. */
    public Ipv4HeaderFlyweight computeChecksum()
    {
        checksum(0);
        return checksum(InternetChecksum.of(address, headerLength()));
    }

    /** Returns the source address in the format of {@link Ipv4Address}. */
    public int source()
    {
        return FrameMemory.getIntBE(address + SOURCE_OFFSET);
    }

    /** Sets the source address, in the format of {@link Ipv4Address}. */
    public Ipv4HeaderFlyweight source(final int source)
    {
        FrameMemory.putIntBE(address + SOURCE_OFFSET, source);
        return this;
    }

    /** Returns the destination address in the format of {@link Ipv4Address}. */
    public int destination()
    {
        return FrameMemory.getIntBE(address + DESTINATION_OFFSET);
    }

    /** Sets the destination address, in the format of {@link Ipv4Address}. */
    public Ipv4HeaderFlyweight destination(final int destination)
    {
        FrameMemory.putIntBE(address + DESTINATION_OFFSET, destination);
        return this;
    }
}
