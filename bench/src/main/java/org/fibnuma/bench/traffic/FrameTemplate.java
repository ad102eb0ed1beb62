package org.fibnuma.bench.traffic;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * A test frame of one family and length: UDP to the echo port (RFC 2544 appendix C.2.6.4.1). The first eight bytes of
 * its payload are the signature: the numbers of the trial and of the frame. For one thread.
 */
public final class FrameTemplate
{
    /** Length of the shortest frame over IPv4 with a signature, in bytes without FCS; shorter than Ethernet allows. */
    public static final int SHORTEST_IPV4 = HostFrames.PAYLOAD_OFFSET + UdpHeaderFlyweight.LENGTH + Long.BYTES;
    /** The same over IPv6. */
    public static final int SHORTEST_IPV6 = HostFrames.IPV6_PAYLOAD_OFFSET + UdpHeaderFlyweight.LENGTH + Long.BYTES;
    /** Number and identity of a frame that is no test frame. */
    public static final int NONE = -1;

    private static final int CHUNK = 2048;
    private static final int ECHO_PORT = 7;
    /** First of the dynamic ports, RFC 6335 section 6. */
    private static final int SOURCE_PORT = 0xC000;
    private static final int HOP_LIMIT = 64;
    private static final int ETHER_TYPE = 12;
    private static final int IP = EthernetHeaderFlyweight.LENGTH;
    private static final int IPV4_CHECKSUM = IP + Ipv4HeaderFlyweight.CHECKSUM_OFFSET;
    private static final int IPV4_DESTINATION = IP + Ipv4HeaderFlyweight.DESTINATION_OFFSET;
    private static final int IPV4_SIGNATURE = SHORTEST_IPV4 - Long.BYTES;
    private static final int IPV6_DESTINATION = IP + Ipv6HeaderFlyweight.DESTINATION_OFFSET;
    private static final int IPV6_CHECKSUM = HostFrames.IPV6_PAYLOAD_OFFSET + UdpHeaderFlyweight.CHECKSUM_OFFSET;
    private static final int IPV6_SIGNATURE = SHORTEST_IPV6 - Long.BYTES;
    /** In the upper 16 bits of a signature; the trial is in the next 16, the frame in the lower 32. */
    private static final long MAGIC = 0x2544;
    private static final int MAGIC_SHIFT = 48;

    private final boolean isIpv6;
    private final int length;
    private final long[] headers;
    /** Sum of what the checksum covers, without destination and signature. */
    private final long sum;

    /**
     * Makes a template.
     *
     * @param host   writes the Ethernet and IP headers; its frames have the length of the template.
     * @param isIpv6 whether the frame is IPv6.
     */
    public FrameTemplate(final HostFrames host, final boolean isIpv6)
    {
        this.isIpv6 = isIpv6;
        this.length = host.frameLength();
        try (MemoryRegion memory = MemoryRegion.ofChunks(1, CHUNK))
        {
            final long frame = memory.address();
            FrameMemory.zero(frame, length);
            final int udp = host.write(frame, isIpv6 ? IpAddress.NONE : IpAddress.of(0), IpProtocol.UDP, HOP_LIMIT);
            new UdpHeaderFlyweight().wrap(frame + udp)
                .ports(SOURCE_PORT, ECHO_PORT).lengthWithoutChecksum(length - udp);
            if (!isIpv6)
            {
                FrameMemory.putShortBE(frame + IPV4_CHECKSUM, 0);
            }
            sum = isIpv6 ?
                InternetChecksum.sum(frame + udp, length - udp,
                    InternetChecksum.pseudoHeaderSumIpv6(frame + IP, IpProtocol.UDP, length - udp)) :
                InternetChecksum.sum(frame + IP, Ipv4HeaderFlyweight.MIN_LENGTH, 0);
            headers = new long[((isIpv6 ? SHORTEST_IPV6 : SHORTEST_IPV4) + Long.BYTES - 1) / Long.BYTES];
            for (int i = 0; i < headers.length; i++)
            {
                headers[i] = FrameMemory.getLong(frame + i * Long.BYTES);
            }
        }
    }

    /** Returns the length of the shortest frame of a family in bytes, without FCS. */
    public static int shortest(final boolean isIpv6)
    {
        return isIpv6 ? SHORTEST_IPV6 : SHORTEST_IPV4;
    }

    public boolean isIpv6()
    {
        return isIpv6;
    }

    /** Returns the length of the frame in bytes, without FCS. */
    public int length()
    {
        return length;
    }

    /**
     * Writes a frame.
     *
     * @param frame       native address of its first byte.
     * @param destination of the frame, of the template's family.
     * @param trial       number of the trial, 0 to 65,535.
     * @param number      of the frame, 0 or more.
     */
    public void write(final long frame, final IpAddress destination, final int trial, final int number)
    {
        for (int i = 0; i < headers.length; i++)
        {
            FrameMemory.putLong(frame + i * Long.BYTES, headers[i]);
        }
        final long signature = MAGIC << MAGIC_SHIFT | (long)trial << Integer.SIZE | number;
        if (isIpv6)
        {
            finishIpv6(frame, destination, signature);
            return;
        }
        FrameMemory.putIntBE(frame + IPV4_DESTINATION, destination.ipv4());
        FrameMemory.putShortBE(frame + IPV4_CHECKSUM, InternetChecksum.finish(
            sum + (FrameMemory.getInt(frame + IPV4_DESTINATION) & 0xFFFF_FFFFL)));
        FrameMemory.putLongBE(frame + IPV4_SIGNATURE, signature);
    }

    private void finishIpv6(final long frame, final IpAddress destination, final long signature)
    {
        FrameMemory.putLongBE(frame + IPV6_DESTINATION, destination.high());
        FrameMemory.putLongBE(frame + IPV6_DESTINATION + Long.BYTES, destination.low());
        FrameMemory.putLongBE(frame + IPV6_SIGNATURE, signature);
        // The UDP checksum covers the whole payload.
        FrameMemory.zero(frame + SHORTEST_IPV6, length - SHORTEST_IPV6);
        final int checksum = InternetChecksum.finish(
            InternetChecksum.sum(frame + IPV6_DESTINATION, 2 * Long.BYTES,
            InternetChecksum.sum(frame + IPV6_SIGNATURE, Long.BYTES, sum)));
        // A checksum of 0 is sent as its other form, as 0 means none (RFC 768).
        FrameMemory.putShortBE(frame + IPV6_CHECKSUM, checksum == 0 ? 0xFFFF : checksum);
    }

    /**
     * Returns the number of a received frame.
     *
     * @param frame  native address of its first byte.
     * @param length in bytes, without FCS.
     * @param trial  number of the trial.
     * @return its number, or {@link #NONE} if it is no frame of that trial.
     */
    public static int number(final long frame, final int length, final int trial)
    {
        final long identity = identity(frame, length);
        return identity >>> Integer.SIZE == trial ? (int)identity : NONE;
    }

    /**
     * Returns the trial and the number of a received frame.
     *
     * @param frame  native address of its first byte.
     * @param length in bytes, without FCS.
     * @return the trial in the upper and the number in the lower 32 bits, or {@link #NONE} if it is no test frame.
     */
    public static long identity(final long frame, final int length)
    {
        final int etherType = length < SHORTEST_IPV4 ? 0 : FrameMemory.getShortBE(frame + ETHER_TYPE);
        final long signature = etherType == EtherType.IPV4 ? FrameMemory.getLongBE(frame + IPV4_SIGNATURE) :
            etherType == EtherType.IPV6 && length >= SHORTEST_IPV6 ? FrameMemory.getLongBE(frame + IPV6_SIGNATURE) : 0;
        return signature >>> MAGIC_SHIFT == MAGIC ? signature & ~(-1L << MAGIC_SHIFT) : NONE;
    }
}
