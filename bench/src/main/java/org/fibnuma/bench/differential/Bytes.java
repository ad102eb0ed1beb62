package org.fibnuma.bench.differential;

/** Big-endian fields and one's-complement sums of byte arrays. Independent of the router's own code. */
final class Bytes
{
    private Bytes()
    {
    }

    static int u16(final byte[] bytes, final int offset)
    {
        return (bytes[offset] & 0xFF) << Byte.SIZE | bytes[offset + 1] & 0xFF;
    }

    static void put16(final byte[] bytes, final int offset, final int value)
    {
        bytes[offset] = (byte)(value >>> Byte.SIZE);
        bytes[offset + 1] = (byte)value;
    }

    static void put32(final byte[] bytes, final int offset, final int value)
    {
        put16(bytes, offset, value >>> Short.SIZE);
        put16(bytes, offset + Short.BYTES, value);
    }

    /** Returns the sum of the 16-bit words of a part, an odd last byte as the upper half of a word, unfolded. */
    static long sum(final byte[] bytes, final int offset, final int length)
    {
        long sum = 0;
        for (int i = 0; i < length; i++)
        {
            sum += (bytes[offset + i] & 0xFF) << ((i & 1) == 0 ? Byte.SIZE : 0);
        }
        return sum;
    }

    /** Returns the Internet checksum for a sum of words (RFC 1071). */
    static int checksum(final long sum)
    {
        long folded = sum;
        while (folded >>> Short.SIZE != 0)
        {
            folded = (folded & 0xFFFF) + (folded >>> Short.SIZE);
        }
        return (int)(~folded & 0xFFFF);
    }
}
