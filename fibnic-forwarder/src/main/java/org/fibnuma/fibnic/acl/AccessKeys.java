package org.fibnuma.fibnic.acl;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6ExtensionHeader;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

/**
 * The fields of some packets that access lists and flow hashing use, stored as a struct of arrays, and the columns in
 * which an {@link AccessClassifier} computes. Owned by one thread.
 * <p>
 * The transport header of an IPv6 packet is behind its extension headers. If these exceed the packet or are more than
 * {@link #MAX_EXTENSIONS}, it is not found, and the protocol is that of the last header read.
 */
public final class AccessKeys
{
    /** State of a packet that is no fragment. */
    public static final int WHOLE = 0;
    /** State of the first fragment of a packet. */
    public static final int FIRST_FRAGMENT = 1;
    /** State of the other fragments. */
    public static final int LATER_FRAGMENT = 2;
    /** Bit of the state of a packet that is too short for its transport header; later fragments do not have it. */
    public static final int NO_TRANSPORT = 4;

    /** More than any use of IPv6 has; RFC 8200 section 4.1 recommends each extension header at most once or twice. */
    static final int MAX_EXTENSIONS = 16;

    static final int PROTOCOL_BITS = 8;
    static final int KINDS = 8 << PROTOCOL_BITS;
    static final int FLAG_BITS = 8;
    static final int MARKS = 64 << FLAG_BITS;
    /** Columns for six fields and five pairs of them. */
    static final int COLUMNS = 11;

    private static final int DSCP_SHIFT = 2;
    private static final int PORTS_LENGTH = 2 * Short.BYTES;
    private static final int ICMP_TYPE_AND_CODE = 2 * Byte.BYTES;
    private static final int TCP_FLAGS_OFFSET = 13;
    /** Shift of the header length, in the first eight bytes of an IPv4 header. */
    private static final int IHL_SHIFT = Long.SIZE - Byte.SIZE;
    /** Shift of the traffic class, in the same bytes. */
    private static final int TRAFFIC_CLASS_SHIFT = IHL_SHIFT - Byte.SIZE;
    /** Shift of the protocol, in the eight bytes from the TTL on. */
    private static final int PROTOCOL_SHIFT = Long.SIZE - 2 * Byte.SIZE;
    private static final int IPV6_FRAGMENT_WORD = 2;
    private static final int IPV6_FRAGMENT_OFFSET_MASK = 0xFFF8;
    private static final int IPV6_MORE_FRAGMENTS = 1;

    /**
     * How to read the transport header, by protocol, in one number. It has the shifts of the two fields in the first
     * four bytes, the mask of both, and the mask of the byte at the offset of the TCP flags. The last part is the
     * number of bytes that have fields to compare, 0 for none.
     */
    private static final long[] TRANSPORTS = new long[1 << PROTOCOL_BITS];
    private static final int FIRST_SHIFT_SHIFT = 0;
    private static final int SECOND_SHIFT_SHIFT = FIRST_SHIFT_SHIFT + Byte.SIZE;
    private static final int FLAGS_MASK_SHIFT = SECOND_SHIFT_SHIFT + Byte.SIZE;
    private static final int NEEDED_SHIFT = FLAGS_MASK_SHIFT + Byte.SIZE;
    private static final int MASK_SHIFT = NEEDED_SHIFT + Byte.SIZE;

    static
    {
        for (int protocol = 0; protocol < 1 << PROTOCOL_BITS; protocol++)
        {
            if (protocol == IpProtocol.TCP)
            {
                TRANSPORTS[protocol] = transport(Short.SIZE, 0, 0xFFFF, 0xFF, TCP_FLAGS_OFFSET + Byte.BYTES);
            }
            else if (AccessRule.hasPorts(protocol))
            {
                TRANSPORTS[protocol] = transport(Short.SIZE, 0, 0xFFFF, 0, PORTS_LENGTH);
            }
            else if (AccessRule.isIcmp(protocol))
            {
                TRANSPORTS[protocol] = transport(Short.SIZE + Byte.SIZE, Short.SIZE, 0xFF, 0, ICMP_TYPE_AND_CODE);
            }
        }
    }

    final long[] sourceHighs = new long[FrameBatch.CAPACITY];
    final long[] sourceLows = new long[FrameBatch.CAPACITY];
    final long[] destinationHighs = new long[FrameBatch.CAPACITY];
    final long[] destinationLows = new long[FrameBatch.CAPACITY];
    /** Source port or ICMP type. */
    final int[] sourcePorts = new int[FrameBatch.CAPACITY];
    /** Destination port or ICMP code. */
    final int[] destinationPorts = new int[FrameBatch.CAPACITY];
    /** Protocol and state. */
    final int[] kinds = new int[FrameBatch.CAPACITY];
    /** TCP flags and DSCP. */
    final int[] marks = new int[FrameBatch.CAPACITY];
    final int[][] columns = new int[COLUMNS][FrameBatch.CAPACITY];
    /** The first rule that each packet matches. */
    final int[] rules = new int[FrameBatch.CAPACITY];

    private static long transport(
        final int firstShift, final int secondShift, final int mask, final int flagsMask, final int needed)
    {
        return (long)firstShift << FIRST_SHIFT_SHIFT | (long)secondShift << SECOND_SHIFT_SHIFT |
            (long)flagsMask << FLAGS_MASK_SHIFT | (long)needed << NEEDED_SHIFT | (long)mask << MASK_SHIFT;
    }

    /** Reads validated IPv4 packets, the k-th of the list into position k. */
    public void readIpv4(final FrameBatch batch, final FrameList frames)
    {
        final int count = frames.size();
        for (int k = 0; k < count; k++)
        {
            final int i = frames.get(k);
            final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
            // Version to fragment offset, then TTL to source: two loads in place of six.
            final long first = FrameMemory.getLongBE(header);
            final long second = FrameMemory.getLongBE(header + Ipv4HeaderFlyweight.TTL_OFFSET);
            sourceHighs[k] = second << Integer.SIZE;
            destinationHighs[k] =
                (long)FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET) << Integer.SIZE;
            final int fragment = (int)first;
            final int headerLength = (int)(first >>> IHL_SHIFT & 0xF) << 2;
            final int state = (fragment & Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK) != 0 ? LATER_FRAGMENT :
                (fragment & Ipv4HeaderFlyweight.FLAG_MF) != 0 ? FIRST_FRAGMENT : WHOLE;
            readTransport(
                k, (int)(second >>> PROTOCOL_SHIFT & 0xFF), state,
                header + headerLength, batch.length(i) - EthernetHeaderFlyweight.LENGTH - headerLength,
                (int)(first >>> TRAFFIC_CLASS_SHIFT & 0xFF));
        }
    }

    /** Reads validated IPv6 packets, the k-th of the list into position k. */
    public void readIpv6(final FrameBatch batch, final FrameList frames)
    {
        final int count = frames.size();
        for (int k = 0; k < count; k++)
        {
            final int i = frames.get(k);
            final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
            final long source = header + Ipv6HeaderFlyweight.SOURCE_OFFSET;
            final long destination = header + Ipv6HeaderFlyweight.DESTINATION_OFFSET;
            sourceHighs[k] = FrameMemory.getLongBE(source);
            sourceLows[k] = FrameMemory.getLongBE(source + Long.BYTES);
            destinationHighs[k] = FrameMemory.getLongBE(destination);
            destinationLows[k] = FrameMemory.getLongBE(destination + Long.BYTES);
            readBehindExtensions(k, header, batch.length(i) - EthernetHeaderFlyweight.LENGTH);
        }
    }

    private void readBehindExtensions(final int k, final long header, final int length)
    {
        final int trafficClass = FrameMemory.getShortBE(header) >>> 4 & 0xFF;
        int next = FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) & 0xFF;
        int at = Ipv6HeaderFlyweight.LENGTH;
        int state = WHOLE;
        int extensions = 0;
        while (Ipv6ExtensionHeader.is(next) && state != LATER_FRAGMENT)
        {
            if (at + Ipv6ExtensionHeader.MIN_LENGTH > length || ++extensions > MAX_EXTENSIONS)
            {
                at = length;
                break;
            }
            final long extension = header + at;
            if (next == IpProtocol.FRAGMENT)
            {
                final int fragment = FrameMemory.getShortBE(extension + IPV6_FRAGMENT_WORD);
                state = (fragment & IPV6_FRAGMENT_OFFSET_MASK) != 0 ? LATER_FRAGMENT :
                    (fragment & IPV6_MORE_FRAGMENTS) != 0 ? FIRST_FRAGMENT : state;
            }
            at += Ipv6ExtensionHeader.length(next, extension);
            next = FrameMemory.getByte(extension + Ipv6ExtensionHeader.NEXT_HEADER_OFFSET) & 0xFF;
        }
        readTransport(k, next, state, header + at, length - at, trafficClass);
    }

    private void readTransport(
        final int k,
        final int protocol,
        final int state,
        final long transport,
        final int length,
        final int trafficClass)
    {
        final long fields = TRANSPORTS[protocol];
        int known = state;
        int word = 0;
        int flags = 0;
        if (state == WHOLE && length > TCP_FLAGS_OFFSET)
        {
            // Most packets, without a branch by protocol.
            word = FrameMemory.getIntBE(transport);
            flags = FrameMemory.getByte(transport + TCP_FLAGS_OFFSET);
        }
        else if (state != LATER_FRAGMENT)
        {
            final int needed = (int)(fields >>> NEEDED_SHIFT & 0xFF);
            if (length < needed)
            {
                known |= NO_TRANSPORT;
            }
            else if (needed > 0)
            {
                word = needed < Integer.BYTES ?
                    FrameMemory.getShortBE(transport) << Short.SIZE : FrameMemory.getIntBE(transport);
                flags = needed > TCP_FLAGS_OFFSET ? FrameMemory.getByte(transport + TCP_FLAGS_OFFSET) : 0;
            }
        }
        // A shift of an int uses its last five bits only, and both shifts are less than 32.
        final int mask = (int)(fields >>> MASK_SHIFT);
        sourcePorts[k] = word >>> (int)(fields >>> FIRST_SHIFT_SHIFT) & mask;
        destinationPorts[k] = word >>> (int)(fields >>> SECOND_SHIFT_SHIFT) & mask;
        kinds[k] = known << PROTOCOL_BITS | protocol;
        marks[k] = trafficClass >>> DSCP_SHIFT << FLAG_BITS | flags & (int)(fields >>> FLAGS_MASK_SHIFT) & 0xFF;
    }

    /** Stores a packet at a position. */
    public void put(final int k, final AccessPacket packet)
    {
        final boolean isIpv6 = packet.isIpv6();
        sourceHighs[k] = isIpv6 ? packet.source().high() : packet.source().low() << Integer.SIZE;
        sourceLows[k] = isIpv6 ? packet.source().low() : 0;
        destinationHighs[k] = isIpv6 ? packet.destination().high() : packet.destination().low() << Integer.SIZE;
        destinationLows[k] = isIpv6 ? packet.destination().low() : 0;
        sourcePorts[k] = packet.sourcePort();
        destinationPorts[k] = packet.destinationPort();
        kinds[k] = packet.state() << PROTOCOL_BITS | packet.protocol();
        marks[k] = packet.dscp() << FLAG_BITS | packet.tcpFlags();
    }

    /** Returns the first eight bytes of the source address at a position; of IPv4 the address and four bytes 0. */
    public long sourceHigh(final int k)
    {
        return sourceHighs[k];
    }

    /** Returns the last eight bytes of the IPv6 source address at a position. */
    public long sourceLow(final int k)
    {
        return sourceLows[k];
    }

    /** Returns the first eight bytes of the destination at a position; of IPv4 the address and four bytes 0. */
    public long destinationHigh(final int k)
    {
        return destinationHighs[k];
    }

    /** Returns the last eight bytes of the IPv6 destination at a position. */
    public long destinationLow(final int k)
    {
        return destinationLows[k];
    }

    /**
     * Replaces the addresses at a position by others of the same family, such as those of a quoted packet. An IPv4
     * address is in the first four bytes of the first eight.
     */
    public void addresses(
        final int k, final long sourceHigh, final long sourceLow, final long destinationHigh, final long destinationLow)
    {
        sourceHighs[k] = sourceHigh;
        sourceLows[k] = sourceLow;
        destinationHighs[k] = destinationHigh;
        destinationLows[k] = destinationLow;
    }

    /** Returns the protocol of the transport header at a position. */
    public int protocol(final int k)
    {
        return kinds[k] & (1 << PROTOCOL_BITS) - 1;
    }

    /** Returns the state at a position, such as {@link #WHOLE}. */
    public int state(final int k)
    {
        return kinds[k] >>> PROTOCOL_BITS;
    }

    /** Returns the source port or ICMP type at a position, 0 if there is none. */
    public int sourcePort(final int k)
    {
        return sourcePorts[k];
    }

    /** Returns the destination port or ICMP code at a position, 0 if there is none. */
    public int destinationPort(final int k)
    {
        return destinationPorts[k];
    }
}
