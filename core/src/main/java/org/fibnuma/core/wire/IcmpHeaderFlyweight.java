package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** ICMP header (RFC 792): type, code, checksum and four bytes whose meaning the type gives. */
public final class IcmpHeaderFlyweight
{
    /** Offset of the type. */
    public static final int TYPE_OFFSET = 0;
    /** Offset of the code. */
    public static final int CODE_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Offset of the checksum over the whole message. */
    public static final int CHECKSUM_OFFSET = CODE_OFFSET + Byte.BYTES;
    /** Offset of the four bytes that the type gives a meaning. */
    public static final int REST_OFFSET = CHECKSUM_OFFSET + Short.BYTES;
    /** Offset of the next-hop MTU in "fragmentation needed" (RFC 1191 section 4). */
    public static final int NEXT_HOP_MTU_OFFSET = REST_OFFSET + Short.BYTES;
    /** Length of the header; the quoted datagram follows. */
    public static final int LENGTH = REST_OFFSET + Integer.BYTES;

    /** Echo reply. */
    public static final int TYPE_ECHO_REPLY = 0;
    /** Destination unreachable. */
    public static final int TYPE_UNREACHABLE = 3;
    /** Source quench, deprecated by RFC 6633. */
    public static final int TYPE_SOURCE_QUENCH = 4;
    /** Redirect. */
    public static final int TYPE_REDIRECT = 5;
    /** Echo request. */
    public static final int TYPE_ECHO_REQUEST = 8;
    /** Time exceeded. */
    public static final int TYPE_TIME_EXCEEDED = 11;
    /** Parameter problem. */
    public static final int TYPE_PARAMETER_PROBLEM = 12;

    /** Code of {@link #TYPE_UNREACHABLE}: no route to the network. */
    public static final int CODE_NET_UNREACHABLE = 0;
    /** Code of {@link #TYPE_UNREACHABLE}: the host does not answer. */
    public static final int CODE_HOST_UNREACHABLE = 1;
    /** Code of {@link #TYPE_UNREACHABLE}: too big and DF set. */
    public static final int CODE_FRAGMENTATION_NEEDED = 4;
    /** Code of {@link #TYPE_UNREACHABLE}: the source route cannot be followed. */
    public static final int CODE_SOURCE_ROUTE_FAILED = 5;
    /** Code of {@link #TYPE_UNREACHABLE}: forbidden by the administrator (RFC 1812 section 5.2.7.1). */
    public static final int CODE_ADMINISTRATIVELY_PROHIBITED = 13;
    /** Code of {@link #TYPE_TIME_EXCEEDED}: TTL ran out on the way. */
    public static final int CODE_TTL_EXCEEDED = 0;
    /** Code of {@link #TYPE_REDIRECT}: for one host; the header's rest is the address of the better router. */
    public static final int CODE_REDIRECT_HOST = 1;
    /** Code of {@link #TYPE_PARAMETER_PROBLEM}: the first octet of the header's rest names the octet in error. */
    public static final int CODE_POINTER = 0;
    /** Where the first octet of the header's rest, the pointer of a parameter problem, is in the word. */
    public static final int POINTER_SHIFT = 24;

    private long address;

    /**
     * Lays this view over a header.
     *
     * @param address of its first byte.
     * @return this.
     */
    public IcmpHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Whether a type reports an error, so that no error may be sent about it (RFC 1812 section 4.3.2.7).
     *
     * @param type of a message.
     * @return true for types 3, 4, 5, 11 and 12.
     */
    public static boolean isError(final int type)
    {
        return type == TYPE_UNREACHABLE || type == TYPE_SOURCE_QUENCH || type == TYPE_REDIRECT ||
            type == TYPE_TIME_EXCEEDED || type == TYPE_PARAMETER_PROBLEM;
    }

    /**
     * Type of the message.
     *
     * @return 0 to 255.
     */
    public int type()
    {
        return FrameMemory.getByte(address + TYPE_OFFSET) & 0xFF;
    }

    /**
     * Sets the type.
     *
     * @param type 0 to 255.
     * @return this.
     */
    public IcmpHeaderFlyweight type(final int type)
    {
        FrameMemory.putByte(address + TYPE_OFFSET, type);
        return this;
    }

    /**
     * Code within the type.
     *
     * @return 0 to 255.
     */
    public int code()
    {
        return FrameMemory.getByte(address + CODE_OFFSET) & 0xFF;
    }

    /**
     * Sets the code.
     *
     * @param code 0 to 255.
     * @return this.
     */
    public IcmpHeaderFlyweight code(final int code)
    {
        FrameMemory.putByte(address + CODE_OFFSET, code);
        return this;
    }

    /**
     * What the type makes of the second word: identifier and sequence number, next-hop MTU, nothing.
     *
     * @return the four bytes.
     */
    public int rest()
    {
        return FrameMemory.getIntBE(address + REST_OFFSET);
    }

    /**
     * Sets the four bytes after the checksum, in network order.
     *
     * @param rest of the header.
     * @return this.
     */
    public IcmpHeaderFlyweight rest(final int rest)
    {
        FrameMemory.putIntBE(address + REST_OFFSET, rest);
        return this;
    }

    /**
     * Computes the checksum over the message and stores it.
     *
     * @param messageLength of header and data, in bytes.
     * @return this.
     */
    public IcmpHeaderFlyweight computeChecksum(final int messageLength)
    {
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, 0);
        FrameMemory.putShortBE(address + CHECKSUM_OFFSET, InternetChecksum.of(address, messageLength));
        return this;
    }
}
