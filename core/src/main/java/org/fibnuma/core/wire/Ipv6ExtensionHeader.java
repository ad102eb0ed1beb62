package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** IPv6 extension headers (RFC 8200 section 4): their lengths, and the final destination in a routing header. */
public final class Ipv6ExtensionHeader
{
    /** Length in bytes of the shortest extension header. A header with fewer bytes left is incomplete. */
    public static final int MIN_LENGTH = 8;

    /** Offset of the number of the header that follows. */
    public static final int NEXT_HEADER_OFFSET = 0;
    private static final int LENGTH_OFFSET = NEXT_HEADER_OFFSET + Byte.BYTES;
    private static final int AUTHENTICATION_UNIT = 4;

    private static final int ROUTING_TYPE_OFFSET = LENGTH_OFFSET + Byte.BYTES;
    private static final int SEGMENTS_LEFT_OFFSET = ROUTING_TYPE_OFFSET + Byte.BYTES;
    /** RFC 2460 section 4.4 (deprecated by RFC 5095) and RFC 6275 section 6.4: the last address is the final one. */
    private static final int SOURCE_ROUTE = 0;
    private static final int HOME_ADDRESS = 2;
    /** RFC 8754 section 2: the first address is the final one. */
    private static final int SEGMENT_ROUTING = 4;

    private Ipv6ExtensionHeader()
    {
    }

    /** Returns whether a number of {@link IpProtocol} is that of an extension header that has a length. */
    public static boolean is(final int header)
    {
        return header == IpProtocol.HOP_BY_HOP || header == IpProtocol.ROUTING || header == IpProtocol.FRAGMENT ||
            header == IpProtocol.DESTINATION_OPTIONS || header == IpProtocol.AUTHENTICATION;
    }

    /**
     * Returns the length of an extension header in bytes, {@link #MIN_LENGTH} or more; it may exceed the packet.
     *
     * @param header    its number, for which {@link #is} holds.
     * @param extension its native address; {@link #MIN_LENGTH} bytes are read.
     */
    public static int length(final int header, final long extension)
    {
        final int lengthField = FrameMemory.getByte(extension + LENGTH_OFFSET) & 0xFF;
        return switch (header)
        {
            case IpProtocol.FRAGMENT -> MIN_LENGTH;
            // RFC 4302 section 2.2.
            case IpProtocol.AUTHENTICATION -> (lengthField + 2) * AUTHENTICATION_UNIT;
            default -> (lengthField + 1) * MIN_LENGTH;
        };
    }

    /**
     * Returns the native address of the final destination of a packet with a routing header, as it is in the
     * pseudo-header of a checksum (RFC 8200 section 8.1).
     *
     * @param extension   native address of the routing header.
     * @param length      of the routing header in bytes, within the packet.
     * @param destination native address of the destination in the IPv6 header, which is the final one if no segments
     *                    are left.
     * @return 0 if the type of the routing header is unknown or its length does not match the type.
     */
    public static long finalDestination(final long extension, final int length, final long destination)
    {
        if (FrameMemory.getByte(extension + SEGMENTS_LEFT_OFFSET) == 0)
        {
            return destination;
        }
        if (length < MIN_LENGTH + Ipv6Address.LENGTH)
        {
            return 0;
        }
        return switch (FrameMemory.getByte(extension + ROUTING_TYPE_OFFSET))
        {
            case SOURCE_ROUTE, HOME_ADDRESS -> extension + length - Ipv6Address.LENGTH;
            case SEGMENT_ROUTING -> extension + MIN_LENGTH;
            default -> 0;
        };
    }
}
