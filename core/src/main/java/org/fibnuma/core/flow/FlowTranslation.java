package org.fibnuma.core.flow;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.TcpHeader;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import static org.fibnuma.core.flow.FlowTableLayout.DESTINATION_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.HEADER_DELTA_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.PORTS_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.SOURCE_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.TRANSPORT_DELTA_OFFSET;

/**
 * Translates addresses and ports of packets, whose checksums are updated by the difference (RFC 1624 eq. 3), and
 * restores what the packet had before. Headers are native addresses. A header without options is followed by that of
 * TCP, UDP, UDP-Lite or ICMP echo. One worker.
 */
public final class FlowTranslation
{
    private static final int IPV4_LENGTH = Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int IPV6_LENGTH = Ipv6HeaderFlyweight.LENGTH;
    private static final int WORD_MASK = 0xFFFF;

    private final FlowTable table;

    /** Translates by the flows of a table. */
    public FlowTranslation(final FlowTable table)
    {
        this.table = table;
    }

    /**
     * Translates an IPv4 packet of a direction.
     *
     * @return the checksums of both headers before, for {@link #restoreIpv4}.
     */
    public int translateIpv4(final int direction, final long header)
    {
        final long line = table.line(direction);
        final long peer = table.line(direction ^ 1);
        final int headerChecksum = FrameMemory.getShort(header + Ipv4HeaderFlyweight.CHECKSUM_OFFSET);
        FrameMemory.putLong(header + Ipv4HeaderFlyweight.SOURCE_OFFSET,
            Long.rotateLeft(UnsafeApi.getLong(peer + SOURCE_OFFSET), Integer.SIZE));
        FrameMemory.putShort(header + Ipv4HeaderFlyweight.CHECKSUM_OFFSET,
            changed(headerChecksum, UnsafeApi.getShort(line + HEADER_DELTA_OFFSET)));
        final int protocol = FrameMemory.getByte(header + Ipv4HeaderFlyweight.PROTOCOL_OFFSET) & 0xFF;
        return headerChecksum << Short.SIZE | translateTransport(line, peer, header + IPV4_LENGTH, protocol);
    }

    /**
     * Gives an IPv4 packet of a direction back what {@link #translateIpv4} has changed.
     *
     * @param checksums result of that method.
     */
    public void restoreIpv4(final int direction, final long header, final int checksums)
    {
        final long line = table.line(direction);
        FrameMemory.putLong(header + Ipv4HeaderFlyweight.SOURCE_OFFSET, UnsafeApi.getLong(line + SOURCE_OFFSET));
        FrameMemory.putShort(header + Ipv4HeaderFlyweight.CHECKSUM_OFFSET, checksums >>> Short.SIZE);
        final int protocol = FrameMemory.getByte(header + Ipv4HeaderFlyweight.PROTOCOL_OFFSET) & 0xFF;
        restoreTransport(line, header + IPV4_LENGTH, protocol, checksums & WORD_MASK);
    }

    /**
     * Translates an IPv6 packet of a direction.
     *
     * @return the checksum of the transport header before, for {@link #restoreIpv6}.
     */
    public int translateIpv6(final int direction, final long header)
    {
        final long line = table.line(direction);
        final long peer = table.line(direction ^ 1);
        copyAddress(peer + DESTINATION_OFFSET, header + Ipv6HeaderFlyweight.SOURCE_OFFSET);
        copyAddress(peer + SOURCE_OFFSET, header + Ipv6HeaderFlyweight.DESTINATION_OFFSET);
        final int protocol = FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) & 0xFF;
        return translateTransport(line, peer, header + IPV6_LENGTH, protocol);
    }

    /** Gives an IPv6 packet of a direction back what {@link #translateIpv6} has changed and its checksum. */
    public void restoreIpv6(final int direction, final long header, final int checksum)
    {
        final long line = table.line(direction);
        copyAddress(line + SOURCE_OFFSET, header + Ipv6HeaderFlyweight.SOURCE_OFFSET);
        copyAddress(line + DESTINATION_OFFSET, header + Ipv6HeaderFlyweight.DESTINATION_OFFSET);
        final int protocol = FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) & 0xFF;
        restoreTransport(line, header + IPV6_LENGTH, protocol, checksum);
    }

    /** Returns the checksum before. */
    private static int translateTransport(
        final long line, final long peer, final long transport, final int protocol)
    {
        final long checksumAddress = transport + checksumOffset(protocol);
        final int before = FrameMemory.getShort(checksumAddress);
        if (isEcho(protocol))
        {
            FrameMemory.putShort(transport + IcmpHeaderFlyweight.IDENTIFIER_OFFSET,
                UnsafeApi.getShort(peer + PORTS_OFFSET));
        }
        else
        {
            FrameMemory.putInt(transport,
                Integer.rotateLeft(UnsafeApi.getInt(peer + PORTS_OFFSET), Short.SIZE));
        }
        if (protocol == IpProtocol.UDP && before == 0)
        {
            return before;
        }
        final int after = changed(before, UnsafeApi.getShort(line + TRANSPORT_DELTA_OFFSET));
        final boolean hasNoZero = protocol == IpProtocol.UDP || protocol == IpProtocol.UDP_LITE;
        FrameMemory.putShort(checksumAddress, after == 0 && hasNoZero ? WORD_MASK : after);
        return before;
    }

    private static void restoreTransport(
        final long line, final long transport, final int protocol, final int checksum)
    {
        FrameMemory.putShort(transport + checksumOffset(protocol), checksum);
        if (isEcho(protocol))
        {
            FrameMemory.putShort(transport + IcmpHeaderFlyweight.IDENTIFIER_OFFSET,
                UnsafeApi.getShort(line + PORTS_OFFSET));
        }
        else
        {
            FrameMemory.putInt(transport, UnsafeApi.getInt(line + PORTS_OFFSET));
        }
    }

    private static boolean isEcho(final int protocol)
    {
        return protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    }

    private static int checksumOffset(final int protocol)
    {
        return switch (protocol)
        {
            case IpProtocol.TCP -> TcpHeader.CHECKSUM_OFFSET;
            case IpProtocol.ICMP -> IcmpHeaderFlyweight.CHECKSUM_OFFSET;
            case IpProtocol.ICMPV6 -> Icmpv6HeaderFlyweight.CHECKSUM_OFFSET;
            default -> UdpHeaderFlyweight.CHECKSUM_OFFSET;
        };
    }

    /** Returns a checksum after a change, all in the machine's byte order. */
    private static int changed(final int checksum, final int delta)
    {
        final int sum = (~checksum & WORD_MASK) + (delta & WORD_MASK);
        return ~(sum + (sum >>> Short.SIZE)) & WORD_MASK;
    }

    private static void copyAddress(final long from, final long to)
    {
        FrameMemory.putLong(to, UnsafeApi.getLong(from));
        FrameMemory.putLong(to + Long.BYTES, UnsafeApi.getLong(from + Long.BYTES));
    }
}
