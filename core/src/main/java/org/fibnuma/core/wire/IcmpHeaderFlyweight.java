package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** ICMP header (RFC 792): type, code, checksum and four bytes whose meaning depends on the type. */
public final class IcmpHeaderFlyweight
{
    public static final int TYPE_OFFSET = 0;
    public static final int CODE_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Offset of the checksum over the whole message. */
    public static final int CHECKSUM_OFFSET = CODE_OFFSET + Byte.BYTES;
    /** Offset of the four bytes whose meaning depends on the type. */
    public static final int REST_OFFSET = CHECKSUM_OFFSET + Short.BYTES;
    /** Identifier of an echo request or reply. */
    public static final int IDENTIFIER_OFFSET = REST_OFFSET;
    /** Offset of the next-hop MTU in "fragmentation needed" (RFC 1191 section 4). */
    public static final int NEXT_HOP_MTU_OFFSET = REST_OFFSET + Short.BYTES;
    /** Length of the header in bytes; in error messages the quoted datagram follows. */
    public static final int LENGTH = REST_OFFSET + Integer.BYTES;

    public static final int TYPE_ECHO_REPLY = 0;
    public static final int TYPE_UNREACHABLE = 3;
    /** Source quench, deprecated by RFC 6633. */
    public static final int TYPE_SOURCE_QUENCH = 4;
    public static final int TYPE_REDIRECT = 5;
    public static final int TYPE_ECHO_REQUEST = 8;
    public static final int TYPE_TIME_EXCEEDED = 11;
    public static final int TYPE_PARAMETER_PROBLEM = 12;

    /** Code of {@link #TYPE_UNREACHABLE}: no route to the network. */
    public static final int CODE_NET_UNREACHABLE = 0;
    /** Code of {@link #TYPE_UNREACHABLE}: the host does not answer. */
    public static final int CODE_HOST_UNREACHABLE = 1;
    /** Code of {@link #TYPE_UNREACHABLE}: the datagram exceeds the next-hop MTU and DF is set. */
    public static final int CODE_FRAGMENTATION_NEEDED = 4;
    /** Code of {@link #TYPE_UNREACHABLE}: the source route cannot be followed. */
    public static final int CODE_SOURCE_ROUTE_FAILED = 5;
    /** Code of {@link #TYPE_UNREACHABLE}: forbidden by the administrator (RFC 1812 section 5.2.7.1). */
    public static final int CODE_ADMINISTRATIVELY_PROHIBITED = 13;
    /** Code of {@link #TYPE_TIME_EXCEEDED}: TTL exceeded in transit. */
    public static final int CODE_TTL_EXCEEDED = 0;
    /** Code of {@link #TYPE_REDIRECT}: for one host; {@link #rest()} is the address of the better router. */
    public static final int CODE_REDIRECT_HOST = 1;
    /**
     * Code of {@link #TYPE_PARAMETER_PROBLEM}: the first octet of {@link #rest()} is the position of the erroneous
     * octet.
     */
    public static final int CODE_POINTER = 0;
    /** Shift of a parameter problem's pointer within {@link #rest()}. */
    public static final int POINTER_SHIFT = 24;

    private long address;

    /** Places this view over the header at a native address and returns this view. */
    public IcmpHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns whether a type is that of an error, for which no error may be sent (RFC 1812 section 4.3.2.7). */
    public static boolean isError(final int type)
    {
        return type == TYPE_UNREACHABLE || type == TYPE_SOURCE_QUENCH || type == TYPE_REDIRECT ||
            type == TYPE_TIME_EXCEEDED || type == TYPE_PARAMETER_PROBLEM;
    }

    /** Returns the type, 0 to 255. */
    public int type()
    {
        return FrameMemory.getByte(address + TYPE_OFFSET) & 0xFF;
    }

    /** Sets the type, 0 to 255. */
    public IcmpHeaderFlyweight type(final int type)
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
    public IcmpHeaderFlyweight code(final int code)
    {
        FrameMemory.putByte(address + CODE_OFFSET, code);
        return this;
    }

    /** Returns the four bytes after the checksum: identifier and sequence number, next-hop MTU or unused, by type. */
    public int rest()
    {
        return FrameMemory.getIntBE(address + REST_OFFSET);
    }

    /** Sets the four bytes after the checksum, in network byte order. */
    public IcmpHeaderFlyweight rest(final int rest)
    {
        FrameMemory.putIntBE(address + REST_OFFSET, rest);
        return this;
    }

    /** Computes the checksum over a message of the given length, header included, in bytes, and stores it. */
    public IcmpHeaderFlyweight computeChecksum(final int messageLength)
    {
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, 0);
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, InternetChecksum.of(address, messageLength));
        return this;
    }
}
