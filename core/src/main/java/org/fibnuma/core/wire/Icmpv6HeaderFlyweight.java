package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** ICMPv6 header (RFC 4443 section 2.1): type, code, checksum and four bytes whose meaning depends on the type. */
public final class Icmpv6HeaderFlyweight
{
    public static final int TYPE_OFFSET = 0;
    public static final int CODE_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Offset of the checksum over pseudo-header and message. */
    public static final int CHECKSUM_OFFSET = CODE_OFFSET + Byte.BYTES;
    /** Offset of the four bytes whose meaning depends on the type. */
    public static final int REST_OFFSET = CHECKSUM_OFFSET + Short.BYTES;
    /** Length of the header in bytes; in error messages the quoted packet follows. */
    public static final int LENGTH = REST_OFFSET + Integer.BYTES;

    public static final int TYPE_UNREACHABLE = 1;
    /** Packet too big; {@link #rest()} is the MTU of the next-hop link. */
    public static final int TYPE_PACKET_TOO_BIG = 2;
    public static final int TYPE_TIME_EXCEEDED = 3;
    /** Parameter problem; {@link #rest()} is the position of the octet in error. */
    public static final int TYPE_PARAMETER_PROBLEM = 4;
    public static final int TYPE_ECHO_REQUEST = 128;
    public static final int TYPE_ECHO_REPLY = 129;
    /** Redirect (RFC 4861 section 4.5). */
    public static final int TYPE_REDIRECT = 137;

    /** Code of {@link #TYPE_UNREACHABLE}: no route to the destination. */
    public static final int CODE_NO_ROUTE = 0;
    /** Code of {@link #TYPE_UNREACHABLE}: forbidden by the administrator. */
    public static final int CODE_ADMINISTRATIVELY_PROHIBITED = 1;
    /** Code of {@link #TYPE_UNREACHABLE}: the packet would leave the zone of its source address (RFC 4007). */
    public static final int CODE_BEYOND_SCOPE = 2;
    /** Code of {@link #TYPE_UNREACHABLE}: the host does not answer. */
    public static final int CODE_ADDRESS_UNREACHABLE = 3;
    /** Code of {@link #TYPE_TIME_EXCEEDED}: hop limit exceeded in transit. */
    public static final int CODE_HOP_LIMIT_EXCEEDED = 0;

    private static final int FIRST_INFORMATIONAL_TYPE = 128;

    private long address;

    /** Places this view over the header at a native address and returns this view. */
    public Icmpv6HeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns whether a type is that of an error or a redirect, for which no error may be sent (RFC 4443 2.4). */
    public static boolean isError(final int type)
    {
        return type < FIRST_INFORMATIONAL_TYPE || type == TYPE_REDIRECT;
    }

    /** Returns the type, 0 to 255. */
    public int type()
    {
        return FrameMemory.getByte(address + TYPE_OFFSET) & 0xFF;
    }

    /** Sets the type, 0 to 255. */
    public Icmpv6HeaderFlyweight type(final int type)
    {
        FrameMemory.putByte(address + TYPE_OFFSET, type);
        return this;
    }

    /** Returns the code within the type, 0 to 255. */
    public int code()
    {
        return FrameMemory.getByte(address + CODE_OFFSET) & 0xFF;
    }

    /** Sets the code, 0 to 255. */
    public Icmpv6HeaderFlyweight code(final int code)
    {
        FrameMemory.putByte(address + CODE_OFFSET, code);
        return this;
    }

    /** Returns the checksum, 0 to 65,535. */
    public int checksum()
    {
        return FrameMemory.getShortBE(address + CHECKSUM_OFFSET);
    }

    /** Returns the four bytes after the checksum: MTU, pointer, identifier and sequence number, or unused, by type. */
    public int rest()
    {
        return FrameMemory.getIntBE(address + REST_OFFSET);
    }

    /** Sets the four bytes after the checksum, in network byte order. */
    public Icmpv6HeaderFlyweight rest(final int rest)
    {
        FrameMemory.putIntBE(address + REST_OFFSET, rest);
        return this;
    }

    /**
     * Computes the checksum and stores it.
     *
     * @param ipv6Header    native address of the IPv6 header, in which both addresses are set.
     * @param messageLength length of the message with its header, in bytes.
     */
    public Icmpv6HeaderFlyweight computeChecksum(final long ipv6Header, final int messageLength)
    {
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, 0);
        final long pseudoHeaderSum =
            InternetChecksum.pseudoHeaderSumIpv6(ipv6Header, IpProtocol.ICMPV6, messageLength);
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET,
            InternetChecksum.finish(InternetChecksum.sum(address, messageLength, pseudoHeaderSum)));
        return this;
    }
}
