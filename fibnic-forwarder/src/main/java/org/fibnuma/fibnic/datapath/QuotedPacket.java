package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;

/**
 * The packet that an ICMP error quotes. Its source is where the error goes to. With the hash by addresses the error
 * takes the way of the flow in that direction, as in the kernel (ip_multipath_l3_keys and ip6_multipath_l3_keys): so
 * the error reaches the one of several servers of an address that the flow reaches.
 */
final class QuotedPacket
{
    /** Neither a first nor a later fragment: an error that is one is hashed as all its fragments are. */
    private static final int FRAGMENT_BITS =
        Ipv4HeaderFlyweight.FLAG_MF | Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK;

    private QuotedPacket()
    {
    }

    /**
     * Returns where the IPv4 header quoted by a validated packet begins.
     *
     * @return native address of at least {@link Ipv4HeaderFlyweight#MIN_LENGTH} bytes of the frame, or 0 if the packet
     *         is no ICMP error, a fragment, or too short.
     */
    static long ofIpv4(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        if (FrameMemory.getByte(header + Ipv4HeaderFlyweight.PROTOCOL_OFFSET) != IpProtocol.ICMP ||
            (FrameMemory.getShortBE(header + Ipv4HeaderFlyweight.FRAGMENT_OFFSET) & FRAGMENT_BITS) != 0)
        {
            return 0;
        }
        final int length = (FrameMemory.getByte(header + Ipv4HeaderFlyweight.VERSION_IHL_OFFSET) & 0xF) << 2;
        final long icmp = header + length;
        final long quoted = icmp + IcmpHeaderFlyweight.LENGTH;
        return quoted + Ipv4HeaderFlyweight.MIN_LENGTH <= batch.address(i) + batch.length(i) &&
            IcmpHeaderFlyweight.isError(FrameMemory.getByte(icmp + IcmpHeaderFlyweight.TYPE_OFFSET) & 0xFF) ?
            quoted : 0;
    }

    /**
     * Returns where the IPv6 header quoted by a validated packet without extension headers begins.
     *
     * @return native address of {@link Ipv6HeaderFlyweight#LENGTH} bytes of the frame, or 0 if the packet is no ICMPv6
     *         error or too short.
     */
    static long ofIpv6(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        final long icmp = header + Ipv6HeaderFlyweight.LENGTH;
        final long quoted = icmp + Icmpv6HeaderFlyweight.LENGTH;
        return FrameMemory.getByte(header + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) == IpProtocol.ICMPV6 &&
            quoted + Ipv6HeaderFlyweight.LENGTH <= batch.address(i) + batch.length(i) &&
            isError(FrameMemory.getByte(icmp + Icmpv6HeaderFlyweight.TYPE_OFFSET) & 0xFF) ? quoted : 0;
    }

    /** Redirects quote a packet too, behind options, and are never forwarded. */
    private static boolean isError(final int type)
    {
        return type != Icmpv6HeaderFlyweight.TYPE_REDIRECT && Icmpv6HeaderFlyweight.isError(type);
    }
}
