package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCEv2 (InfiniBand Architecture, Annex A17.3.3): CRC-32 of Ethernet over 8 bytes of ones and the
 * packet from its IPv4 header on. Fields that a router may change count as ones: type of service, TTL, header checksum,
 * UDP checksum and the reserved byte 4 of the base transport header. For one thread.
 */
final class InvariantCrc
{
    /** Bytes of the CRC on the wire, least significant byte first. */
    static final int LENGTH = Integer.BYTES;

    /** Stands for the variable fields of a RoCE v1 global header. */
    private static final int LEADING_ONES = 8;
    private static final int ONES = 0xFF;

    private final CRC32 crc = new CRC32();

    /**
     * Computes the CRC as {@link #write} takes it.
     *
     * @param ipv4   address of the IPv4 header, without options.
     * @param length bytes without the CRC, at least to the end of byte 4 of the base transport header.
     */
    int of(final long ipv4, final int length)
    {
        crc.reset();
        for (int i = 0; i < LEADING_ONES; i++)
        {
            crc.update(ONES);
        }
        for (int i = 0; i < length; i++)
        {
            crc.update(isVariant(i) ? ONES : FrameMemory.getByte(ipv4 + i));
        }
        return (int)crc.getValue();
    }

    static void write(final long address, final int crc)
    {
        FrameMemory.putIntBE(address, Integer.reverseBytes(crc));
    }

    static int read(final long address)
    {
        return Integer.reverseBytes(FrameMemory.getIntBE(address));
    }

    private static boolean isVariant(final int offset)
    {
        final int udp = Ipv4HeaderFlyweight.MIN_LENGTH;
        final int transport = udp + UdpHeaderFlyweight.LENGTH;
        return offset == Ipv4HeaderFlyweight.TRAFFIC_CLASS_OFFSET ||
            offset == Ipv4HeaderFlyweight.TTL_OFFSET ||
            isIn(offset, Ipv4HeaderFlyweight.CHECKSUM_OFFSET) ||
            isIn(offset, udp + UdpHeaderFlyweight.CHECKSUM_OFFSET) ||
            offset == transport + CnpFrameFlyweight.BECN_OFFSET;
    }

    private static boolean isIn(final int offset, final int word)
    {
        return offset == word || offset == word + 1;
    }
}
