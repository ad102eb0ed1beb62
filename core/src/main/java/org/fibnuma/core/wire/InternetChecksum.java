package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

import java.nio.ByteOrder;

/**
 * One's-complement sums (RFC 1071) and their incremental update (RFC 1624). Sums are computed in the machine's byte
 * order (RFC 1071 section 2 (B)) and swapped once at the end.
 */
public final class InternetChecksum
{
    private static final long INVERSE_OF_65535 = 0xFFFE_FFFE_FFFE_FFFFL;
    private static final long LARGEST_QUOTIENT = 5 * 0xFFFF_FFFFL / 0xFFFF;
    /** Width of the largest quotient in bits. */
    private static final int QUOTIENT_BITS = 19;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private InternetChecksum()
    {
    }

    /**
     * Returns the checksum over some bytes, 0 to 65,535, ready for the header; 0 if they contain their correct
     * checksum.
     *
     * @param address native address of the first byte, of any alignment.
     * @param length  in bytes; an odd last byte counts as if followed by a zero.
     */
    public static int of(final long address, final int length)
    {
        return finish(sum(address, length, 0));
    }

    /**
     * Adds bytes to a running sum, for checksums over several pieces such as a pseudo-header and its payload.
     *
     * @param address native address of the first byte, of any alignment.
     * @param length  in bytes; only the last piece may be odd.
     * @param start   the sum so far, 0 at first.
     * @return the sum in machine byte order, for {@link #finish}.
     */
    public static long sum(final long address, final int length, final long start)
    {
        long sum = start;
        int offset = 0;
        for (; offset + Integer.BYTES <= length; offset += Integer.BYTES)
        {
            sum += FrameMemory.getInt(address + offset) & 0xFFFF_FFFFL;
        }
        if ((length & Short.BYTES) != 0)
        {
            sum += FrameMemory.getShort(address + offset);
            offset += Short.BYTES;
        }
        if ((length & Byte.BYTES) != 0)
        {
            final int last = FrameMemory.getByte(address + offset) & 0xFF;
            sum += LITTLE_ENDIAN ? last : last << 8;
        }
        return sum;
    }

    /** Folds and complements a sum from {@link #sum}; returns 0 to 65,535, ready for the header. */
    public static int finish(final long sum)
    {
        return machineOrder(~fold(sum) & 0xFFFF);
    }

    /**
     * Returns the sum of the pseudo-header of a UDP or TCP checksum above IPv4 (RFC 768, RFC 9293 section 3.1).
     *
     * @param ipv4Header native address of the IPv4 header.
     * @param protocol   a number of {@link IpProtocol}.
     * @param length     of the datagram or segment with its header, in bytes.
     * @return the sum in machine byte order, to start {@link #sum} with.
     */
    public static long pseudoHeaderSum(final long ipv4Header, final int protocol, final int length)
    {
        return sum(ipv4Header + Ipv4HeaderFlyweight.SOURCE_OFFSET, 2 * Ipv4Address.LENGTH, 0) +
            machineOrder(protocol) + machineOrder(length);
    }

    /**
     * Returns the sum of the pseudo-header of a checksum above IPv6 (RFC 8200 section 8.1). The destination is that of
     * the header; for a packet with a routing header use the method with two addresses.
     *
     * @param ipv6Header native address of the IPv6 header.
     * @param protocol   a number of {@link IpProtocol}, not that of an extension header.
     * @param length     of the upper-layer packet with its header, in bytes, 0 to 65,535.
     * @return the sum in machine byte order, to start {@link #sum} with.
     */
    public static long pseudoHeaderSumIpv6(final long ipv6Header, final int protocol, final int length)
    {
        return sum(ipv6Header + Ipv6HeaderFlyweight.SOURCE_OFFSET, 2 * Ipv6Address.LENGTH, 0) +
            machineOrder(protocol) + machineOrder(length);
    }

    /**
     * Returns the sum of the pseudo-header of a checksum above IPv6, for addresses at any place.
     *
     * @param source      native address of the source, 16 bytes.
     * @param destination native address of the final destination, 16 bytes.
     * @param protocol    a number of {@link IpProtocol}, not that of an extension header.
     * @param length      of the upper-layer packet with its header, in bytes, 0 to 65,535.
     * @return the sum in machine byte order, to start {@link #sum} with.
     */
    public static long pseudoHeaderSumIpv6(
        final long source, final long destination, final int protocol, final int length)
    {
        return sum(source, Ipv6Address.LENGTH, 0) + sum(destination, Ipv6Address.LENGTH, 0) +
            machineOrder(protocol) + machineOrder(length);
    }

    /** Returns whether the header of 20 bytes at a native address contains its correct checksum. */
    public static boolean isRightOver20(final long address)
    {
        return Long.compareUnsigned(quotientOver20(address) - 1, LARGEST_QUOTIENT) < 0;
    }

    /**
     * Validates the checksum of a header of 20 bytes whose first byte is not 0. It needs no comparison, so that the
     * results of several checks can be combined by OR.
     *
     * @param address native address of the header.
     * @return 0 if the checksum is correct; otherwise a number whose lowest 19 bits are 0.
     */
    public static long faultOver20(final long address)
    {
        return quotientOver20(address) & -1L << QUOTIENT_BITS;
    }

    /**
     * Returns the sum divided by 65,535, or a number above {@link #LARGEST_QUOTIENT} if it is not a multiple. A correct
     * header sums to a multiple above 0. Multiplying by the inverse of an odd divisor modulo 2^64 maps its multiples to
     * their quotients and other numbers above every quotient (Granlund and Montgomery 1994, section 9).
     */
    private static long quotientOver20(final long address)
    {
        final long sum = (FrameMemory.getInt(address) & 0xFFFF_FFFFL) +
            (FrameMemory.getInt(address + 4) & 0xFFFF_FFFFL) +
            (FrameMemory.getInt(address + 8) & 0xFFFF_FFFFL) +
            (FrameMemory.getInt(address + 12) & 0xFFFF_FFFFL) +
            (FrameMemory.getInt(address + 16) & 0xFFFF_FFFFL);
        return sum * INVERSE_OF_65535;
    }

    /** Returns the checksum, 0 to 65,535, of a header whose TTL was decremented by one. */
    public static int afterTtlDecrement(final int checksum)
    {
        // RFC 1624 eq. 3; ~m + m' is the constant 0xFEFF because the word holding the TTL falls by 0x0100.
        final int sum = (~checksum & 0xFFFF) + 0xFEFF;
        return ~(sum + (sum >>> 16)) & 0xFFFF;
    }

    /**
     * Returns the checksum after one 16-bit word was changed (RFC 1624 eq. 3: HC' = ~(~HC + ~m + m')).
     *
     * @param checksum checksum before, 0 to 65,535.
     * @param before   the old word.
     * @param after    the new word.
     */
    public static int afterWordChange(final int checksum, final int before, final int after)
    {
        final int sum = (~checksum & 0xFFFF) + (~before & 0xFFFF) + (after & 0xFFFF);
        return ~fold(sum) & 0xFFFF;
    }

    private static int machineOrder(final int word)
    {
        return LITTLE_ENDIAN ? Short.reverseBytes((short)word) & 0xFFFF : word;
    }

    private static int fold(final long sum)
    {
        final long once = (sum & 0xFFFF_FFFFL) + (sum >>> 32);
        final long twice = (once & 0xFFFF) + (once >>> 16);
        final long thrice = (twice & 0xFFFF) + (twice >>> 16);
        return (int)((thrice & 0xFFFF) + (thrice >>> 16));
    }
}
