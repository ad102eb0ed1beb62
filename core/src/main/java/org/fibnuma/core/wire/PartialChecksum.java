package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Partial checksums of TCP and UDP. A host that offloads checksums to its device ({@code CHECKSUM_PARTIAL} in Linux)
 * stores the folded, not complemented sum of the pseudo-header in the checksum field, and the device adds the segment.
 * Virtual devices that pass frames within one machine add nothing. They mark such a frame in metadata that AF_XDP and
 * packet sockets do not show, so this class recognises it by the value of the field.
 * <p>
 * One in 65,535 complete checksums has the same value; it is correct and is not changed. A segment that has this value
 * and was corrupted in transit gets a checksum that matches its corrupted content.
 */
public final class PartialChecksum
{
    /** Replaces a computed 0. In UDP 0 means "no checksum" (RFC 768); in TCP both are equivalent. */
    private static final int ZERO = 0xFFFF;
    private static final int FRAGMENT_MASK = Ipv4HeaderFlyweight.FLAG_MF | Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK;

    private PartialChecksum()
    {
    }

    /**
     * Returns whether a checksum field contains the folded sum of the pseudo-header.
     *
     * @param checksum        of the segment, 0 to 65,535.
     * @param pseudoHeaderSum in machine byte order, not 0, from {@link InternetChecksum#pseudoHeaderSum}.
     */
    public static boolean is(final int checksum, final long pseudoHeaderSum)
    {
        return checksum == (~InternetChecksum.finish(pseudoHeaderSum) & 0xFFFF);
    }

    /**
     * Completes a partial checksum, for IPv4 and IPv6.
     *
     * @param segment         native address of the TCP or UDP header.
     * @param length          of the segment or datagram with its header, in bytes, as in the pseudo-header.
     * @param checksumOffset  of the checksum in the header; even, within the length.
     * @param pseudoHeaderSum in machine byte order, not 0.
     * @return true if the checksum was partial and is complete now; false if nothing was changed.
     */
    public static boolean complete(
        final long segment, final int length, final int checksumOffset, final long pseudoHeaderSum)
    {
        if (!is(FrameMemory.getShortBE(segment + checksumOffset), pseudoHeaderSum))
        {
            return false;
        }
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
     * Completes the partial checksum of a TCP segment or UDP datagram in IPv4. Options are allowed; the header checksum
     * is not verified. Fragments, other protocols and packets with inconsistent lengths are not modified.
     *
     * @param packet native address of the IPv4 header.
     * @param room   readable bytes from there, padding included.
     * @return true if the checksum was partial and is complete now; false if nothing was changed.
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
        if (versionAndIhl >>> Ipv4HeaderFlyweight.VERSION_SHIFT != Ipv4HeaderFlyweight.VERSION_4 ||
            headerLength < Ipv4HeaderFlyweight.MIN_LENGTH || totalLength > room ||
            (FrameMemory.getShortBE(packet + Ipv4HeaderFlyweight.FRAGMENT_OFFSET) & FRAGMENT_MASK) != 0)
        {
            return false;
        }
        final long segment = packet + headerLength;
        final int length = totalLength - headerLength;
        final int protocol = FrameMemory.getByte(packet + Ipv4HeaderFlyweight.PROTOCOL_OFFSET);
        final int covered = coveredLength(protocol, segment, length);
        return covered > 0 && complete(segment, covered, checksumOffset(protocol),
            InternetChecksum.pseudoHeaderSum(packet, protocol, covered));
    }

    /**
     * Completes the partial checksum of a TCP segment or UDP datagram in IPv6, also behind hop-by-hop options,
     * destination options and routing headers. Fragments, other extension headers, other protocols and packets with
     * inconsistent lengths are not modified.
     *
     * @param packet native address of the IPv6 header.
     * @param room   readable bytes from there, padding included.
     * @return true if the checksum was partial and is complete now; false if nothing was changed.
     */
    public static boolean completeIpv6(final long packet, final int room)
    {
        if (room < Ipv6HeaderFlyweight.LENGTH ||
            (FrameMemory.getByte(packet) & 0xFF) >>> Ipv4HeaderFlyweight.VERSION_SHIFT != Ipv6HeaderFlyweight.VERSION_6)
        {
            return false;
        }
        final int length = FrameMemory.getShortBE(packet + Ipv6HeaderFlyweight.PAYLOAD_LENGTH_OFFSET);
        if (Ipv6HeaderFlyweight.LENGTH + length > room)
        {
            return false;
        }
        final int end = Ipv6HeaderFlyweight.LENGTH + length;
        long destination = packet + Ipv6HeaderFlyweight.DESTINATION_OFFSET;
        int protocol = FrameMemory.getByte(packet + Ipv6HeaderFlyweight.NEXT_HEADER_OFFSET) & 0xFF;
        int at = Ipv6HeaderFlyweight.LENGTH;
        while (isSkipped(protocol) && at + Ipv6ExtensionHeader.MIN_LENGTH <= end)
        {
            final long extension = packet + at;
            final int extensionLength = Ipv6ExtensionHeader.length(protocol, extension);
            at += extensionLength;
            if (at > end)
            {
                return false;
            }
            if (protocol == IpProtocol.ROUTING)
            {
                destination = Ipv6ExtensionHeader.finalDestination(extension, extensionLength, destination);
                if (destination == 0)
                {
                    return false;
                }
            }
            protocol = FrameMemory.getByte(extension + Ipv6ExtensionHeader.NEXT_HEADER_OFFSET) & 0xFF;
        }
        final int covered = coveredLength(protocol, packet + at, end - at);
        return covered > 0 && complete(packet + at, covered, checksumOffset(protocol),
            InternetChecksum.pseudoHeaderSumIpv6(
                packet + Ipv6HeaderFlyweight.SOURCE_OFFSET, destination, protocol, covered));
    }

    private static boolean isSkipped(final int header)
    {
        return header == IpProtocol.HOP_BY_HOP || header == IpProtocol.DESTINATION_OPTIONS ||
            header == IpProtocol.ROUTING;
    }

    /** Returns how many bytes the checksum of a segment covers, or 0 if it is not TCP or UDP or is too short. */
    private static int coveredLength(final int protocol, final long segment, final int room)
    {
        if (protocol == IpProtocol.TCP)
        {
            return room >= TcpHeader.MIN_LENGTH ? room : 0;
        }
        final int length = protocol == IpProtocol.UDP && room >= UdpHeaderFlyweight.LENGTH ?
            FrameMemory.getShortBE(segment + UdpHeaderFlyweight.LENGTH_OFFSET) : 0;
        return length >= UdpHeaderFlyweight.LENGTH && length <= room ? length : 0;
    }

    private static int checksumOffset(final int protocol)
    {
        return protocol == IpProtocol.TCP ? TcpHeader.CHECKSUM_OFFSET : UdpHeaderFlyweight.CHECKSUM_OFFSET;
    }
}
