package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

/**
 * The invariant CRC of RoCEv2 (InfiniBand Architecture, Annex A17.3.3): CRC-32 of Ethernet over 8 bytes of ones and
 * the packet from its IPv4 header on, in which everything that a router may change counts as ones: type of service,
 * TTL, header checksum, UDP checksum and the reserved byte 4 of the base transport header.
 */
public final class InvariantCrc
{
    /** Bytes of the CRC on the wire, least significant first. */
    public static final int LENGTH = Integer.BYTES;

    /** Reflected form of the polynomial of IEEE 802.3 clause 3.2.9. */
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final int[] TABLE = table();
    /** Stands for the global header of a RoCE v1 packet as far as it may change. */
    private static final int LEADING_ONES = 8;
    private static final int ONES = 0xFF;

    private InvariantCrc()
    {
    }

    /**
     * Computes it.
     *
     * @param ipv4   address of the IPv4 header; without options.
     * @param length of header and payload without the CRC itself, in bytes; at least up to the end of byte 4 of the
     *               base transport header.
     * @return the CRC as a number; {@link #write} brings it on the wire.
     */
    public static int of(final long ipv4, final int length)
    {
        int crc = -1;
        for (int i = 0; i < LEADING_ONES; i++)
        {
            crc = next(crc, ONES);
        }
        for (int i = 0; i < length; i++)
        {
            crc = next(crc, isVariant(i) ? ONES : FrameMemory.getByte(ipv4 + i) & 0xFF);
        }
        return ~crc;
    }

    /**
     * Writes a CRC.
     *
     * @param address of its first byte.
     * @param crc     as {@link #of} returns it.
     */
    public static void write(final long address, final int crc)
    {
        FrameMemory.putIntBE(address, Integer.reverseBytes(crc));
    }

    /**
     * Reads a CRC.
     *
     * @param address of its first byte.
     * @return it, to be compared with {@link #of}.
     */
    public static int read(final long address)
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

    private static int next(final int crc, final int octet)
    {
        return TABLE[(crc ^ octet) & 0xFF] ^ crc >>> Byte.SIZE;
    }

    private static int[] table()
    {
        final int[] table = new int[1 << Byte.SIZE];
        for (int i = 0; i < table.length; i++)
        {
            int crc = i;
            for (int bit = 0; bit < Byte.SIZE; bit++)
            {
                crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
            }
            table[i] = crc;
        }
        return table;
    }
}
