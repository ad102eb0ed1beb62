package org.fibnuma.core.flow;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.TcpHeader;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import java.util.Set;

/**
 * Which packets of a flow the router may forward, by their transport header. The kernel has every packet that may
 * change the state of a connection. The XDP program of a port has the same rules.
 */
public final class FlowPacket
{
    /**
     * The kernel forwards the packet: it is too short, of another protocol, or may open a connection. Its transport
     * header may have a length that conntrack takes for invalid.
     */
    public static final long KERNEL = -1;

    /** Offset of the type of the first chunk (RFC 9260 section 3). */
    static final int SCTP_CHUNK_OFFSET = 12;
    static final int SCTP_LENGTH = SCTP_CHUNK_OFFSET + Integer.BYTES;
    /** Type of a chunk with user data, behind which there is no other type. */
    static final int SCTP_DATA = 0;

    private static final Set<Integer> IPV4_PROTOCOLS =
        Set.of(IpProtocol.ICMP, IpProtocol.TCP, IpProtocol.UDP, IpProtocol.SCTP, IpProtocol.UDP_LITE);
    private static final Set<Integer> IPV6_PROTOCOLS =
        Set.of(IpProtocol.ICMPV6, IpProtocol.TCP, IpProtocol.UDP, IpProtocol.SCTP, IpProtocol.UDP_LITE);
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private FlowPacket()
    {
    }

    /** Returns the protocols of a family of which packets can be forwarded by flows, by {@link IpProtocol}. */
    public static Set<Integer> protocols(final boolean isIpv6)
    {
        return isIpv6 ? IPV6_PROTOCOLS : IPV4_PROTOCOLS;
    }

    /**
     * Returns the ports of a packet as in {@link FlowTableLayout#PORTS_OFFSET}, an unsigned number of 32 bits, if the
     * router may forward it; otherwise {@link #KERNEL}. For FIN and RST too it returns the ports; then
     * {@link #isClosing} is true.
     *
     * @param transport native address of the transport header.
     * @param length    of the transport header and its payload in bytes.
     * @param protocol  number of {@link IpProtocol}.
     */
    public static long ports(final long transport, final int length, final int protocol)
    {
        return switch (protocol)
        {
            case IpProtocol.TCP -> length < TcpHeader.MIN_LENGTH || !isSegment(transport, length) ?
                KERNEL : FrameMemory.getInt(transport) & UNSIGNED;
            case IpProtocol.UDP -> length < UdpHeaderFlyweight.LENGTH || !isDatagram(transport, length) ?
                KERNEL : FrameMemory.getInt(transport) & UNSIGNED;
            case IpProtocol.UDP_LITE -> length < UdpHeaderFlyweight.LENGTH ?
                KERNEL : FrameMemory.getInt(transport) & UNSIGNED;
            case IpProtocol.SCTP -> length < SCTP_LENGTH ||
                FrameMemory.getByte(transport + SCTP_CHUNK_OFFSET) != SCTP_DATA ?
                KERNEL : FrameMemory.getInt(transport) & UNSIGNED;
            case IpProtocol.ICMP -> echo(
                transport, length, IcmpHeaderFlyweight.TYPE_ECHO_REQUEST, IcmpHeaderFlyweight.TYPE_ECHO_REPLY);
            case IpProtocol.ICMPV6 -> echo(
                transport, length, Icmpv6HeaderFlyweight.TYPE_ECHO_REQUEST, Icmpv6HeaderFlyweight.TYPE_ECHO_REPLY);
            default -> KERNEL;
        };
    }

    private static boolean isSegment(final long transport, final int length)
    {
        final int header = (FrameMemory.getByte(transport + TcpHeader.DATA_OFFSET_OFFSET) & 0xF0) >> 2;
        return header >= TcpHeader.MIN_LENGTH && header <= length &&
            !isOpening(FrameMemory.getByte(transport + TcpHeader.FLAGS_OFFSET));
    }

    private static boolean isDatagram(final long transport, final int length)
    {
        final int datagram = FrameMemory.getShortBE(transport + UdpHeaderFlyweight.LENGTH_OFFSET);
        return datagram >= UdpHeaderFlyweight.LENGTH && datagram <= length;
    }

    /** Every segment of an established connection acknowledges something, except some that reset it. */
    private static boolean isOpening(final int flags)
    {
        return (flags & (TcpHeader.SYN | TcpHeader.ACK)) != TcpHeader.ACK &&
            (flags & (TcpHeader.SYN | TcpHeader.RST)) != TcpHeader.RST;
    }

    /** Returns whether a TCP segment ends its connection; other protocols have no such packet. */
    public static boolean isClosing(final long transport, final int protocol)
    {
        return protocol == IpProtocol.TCP &&
            (FrameMemory.getByte(transport + TcpHeader.FLAGS_OFFSET) & (TcpHeader.FIN | TcpHeader.RST)) != 0;
    }

    private static long echo(final long header, final int length, final int request, final int reply)
    {
        if (length < IcmpHeaderFlyweight.LENGTH)
        {
            return KERNEL;
        }
        final int type = FrameMemory.getByte(header) & 0xFF;
        return type != request && type != reply ? KERNEL :
            FrameMemory.getShort(header + IcmpHeaderFlyweight.IDENTIFIER_OFFSET) |
            (long)FrameMemory.getShort(header) << Short.SIZE;
    }
}
