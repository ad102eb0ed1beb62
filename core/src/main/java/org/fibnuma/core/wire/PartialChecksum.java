package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Partial checksums of TCP and UDP. A host that leaves checksums to its device (in Linux, {@code CHECKSUM_PARTIAL})
 * writes the folded sum of the pseudo-header, not complemented, into the checksum field; the device adds the segment.
 * Virtual devices that hand frames over within one machine add nothing. They mark such a frame beside its bytes, where
 * AF_XDP and packet sockets do not show it, so it is recognised by the value of the field.
 * <p>
 * A complete checksum has that value in one of 65,535 segments; it is right already and stays as it is. A segment with
 * that value whose content was changed on its way, however, gets a checksum that matches its content.
 */
public final class PartialChecksum
{
    /** Stands for a computed 0, which in UDP means that there is none (RFC 768); the same number in either protocol. */
    private static final int ZERO = 0xFFFF;
    private static final int VERSION_4 = 4;
    private static final int VERSION_SHIFT = 4;
    private static final int FRAGMENT_MASK = Ipv4HeaderFlyweight.FLAG_MF | Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK;

    private PartialChecksum()
    {
    }

    /**
     * Whether a checksum field has the value of a partial checksum.
     *
     * @param checksum        0 to 65,535, from the segment.
     * @param pseudoHeaderSum in machine order, not 0, as {@link InternetChecksum#pseudoHeaderSum} returns it.
     * @return true where it is the folded sum of the pseudo-header.
     */
    public static boolean is(final int checksum, final long pseudoHeaderSum)
    {
        return checksum == (~InternetChecksum.finish(pseudoHeaderSum) & 0xFFFF);
    }

    /**
     * Completes a partial checksum, whatever version of IP carries the segment.
     *
     * @param segment         address of the TCP or UDP header.
     * @param length          of the segment or datagram with its header, in bytes, as in the pseudo-header.
     * @param checksumOffset  of the checksum in the header; even, and its two bytes lie within the length.
     * @param pseudoHeaderSum in machine order, not 0.
     * @return true where the checksum was partial and is complete now; false where nothing was changed.
     */
    public static boolean complete(
        final long segment, final int length, final int checksumOffset, final long pseudoHeaderSum)
    {
        if (!is(FrameMemory.getShortBE(segment + checksumOffset), pseudoHeaderSum))
        {
            return false;
        }
        // The pseudo-header's sum is in the field, and so in this sum.
        final long sum = InternetChecksum.sum(segment, length, 0);
        if (InternetChecksum.finish(sum + pseudoHeaderSum) == 0)
        {
            return false;
        }
        final int checksum = InternetChecksum.finish(sum);
        FrameMemory.putShortBE(segment + checksumOffset, checksum == 0 ? ZERO : checksum);
        return true;
    }

    /**
     * Completes the partial checksum of a TCP segment or UDP datagram in IPv4. Packets with options are taken;
     * fragments, other protocols and packets whose lengths do not fit stay as they are. The checksum of the IPv4 header
     * is not looked at.
     *
     * @param packet address of the IPv4 header.
     * @param room   bytes there, padding included; nothing behind them is touched.
     * @return true where the checksum was partial and is complete now; false where nothing was changed.
     */
    public static boolean completeIpv4(final long packet, final int room)
    {
        if (room < Ipv4HeaderFlyweight.MIN_LENGTH)
        {
            return false;
        }
        final int versionAndIhl = FrameMemory.getByte(packet + Ipv4HeaderFlyweight.VERSION_IHL_OFFSET) & 0xFF;
        final int headerLength = (versionAndIhl & 0xF) << 2;
        final int totalLength = FrameMemory.getShortBE(packet + Ipv4HeaderFlyweight.TOTAL_LENGTH_OFFSET);
        if (versionAndIhl >>> VERSION_SHIFT != VERSION_4 || headerLength < Ipv4HeaderFlyweight.MIN_LENGTH ||
            totalLength > room ||
            (FrameMemory.getShortBE(packet + Ipv4HeaderFlyweight.FRAGMENT_OFFSET) & FRAGMENT_MASK) != 0)
        {
            return false;
        }
        final long segment = packet + headerLength;
        final int length = totalLength - headerLength;
        switch (FrameMemory.getByte(packet + Ipv4HeaderFlyweight.PROTOCOL_OFFSET))
        {
            case IpProtocol.TCP:
                return length >= TcpHeader.MIN_LENGTH && complete(segment, length, TcpHeader.CHECKSUM_OFFSET,
                    InternetChecksum.pseudoHeaderSum(packet, IpProtocol.TCP, length));
            case IpProtocol.UDP:
                return length >= UdpHeaderFlyweight.LENGTH && completeUdp(packet, segment, length);
            default:
                return false;
        }
    }

    private static boolean completeUdp(final long packet, final long datagram, final int room)
    {
        final int length = FrameMemory.getShortBE(datagram + UdpHeaderFlyweight.LENGTH_OFFSET);
        return length >= UdpHeaderFlyweight.LENGTH && length <= room &&
            complete(datagram, length, UdpHeaderFlyweight.CHECKSUM_OFFSET,
                InternetChecksum.pseudoHeaderSum(packet, IpProtocol.UDP, length));
    }
}
