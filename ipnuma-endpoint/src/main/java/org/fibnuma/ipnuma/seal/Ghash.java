package org.fibnuma.ipnuma.seal;

/**
 * GHASH (NIST SP 800-38D, 6.4): {@code Y = (Y xor X) * H} in GF(2^128) with {@code x^128 + x^7 + x^2 + x + 1}, of which
 * a block holds the coefficient of x^0 in its highest bit.
 * <p>
 * A product without carries is made of integer products: where only each fourth bit of both factors may be set, up to
 * 16 ones are added at a place and no carry reaches the next place that counts. That gives the low 64 bits of a
 * product of 64-bit words; the high ones are those of the mirrored words. No table, so that the cache learns nothing.
 */
final class Ghash
{
    private static final long M0 = 0x1111_1111_1111_1111L;
    private static final long M1 = M0 << 1;
    private static final long M2 = M0 << 2;
    private static final long M3 = M0 << 3;

    private final long keyHigh;
    private final long keyLow;
    private final long keySum;
    private final long keyHighMirrored;
    private final long keyLowMirrored;
    private final long keySumMirrored;
    private long high;
    private long low;

    /** H, first byte in the highest bits. */
    Ghash(final long keyHigh, final long keyLow)
    {
        this.keyHigh = keyHigh;
        this.keyLow = keyLow;
        this.keySum = keyHigh ^ keyLow;
        this.keyHighMirrored = Long.reverse(keyHigh);
        this.keyLowMirrored = Long.reverse(keyLow);
        this.keySumMirrored = keyHighMirrored ^ keyLowMirrored;
    }

    void reset()
    {
        high = 0;
        low = 0;
    }

    /** Takes the next block. */
    void add(final long blockHigh, final long blockLow)
    {
        final long y1 = high ^ blockHigh;
        final long y0 = low ^ blockLow;
        final long y1Mirrored = Long.reverse(y1);
        final long y0Mirrored = Long.reverse(y0);

        // Karatsuba: three products of words in place of four, each with its low and its mirrored high half.
        final long lowLow = multiply(y0, keyLow);
        final long highLow = multiply(y1, keyHigh);
        final long middleLow = multiply(y0 ^ y1, keySum) ^ lowLow ^ highLow;
        final long lowHigh = multiply(y0Mirrored, keyLowMirrored);
        final long highHigh = multiply(y1Mirrored, keyHighMirrored);
        final long middleHigh = multiply(y0Mirrored ^ y1Mirrored, keySumMirrored) ^ lowHigh ^ highHigh;
        reduce(
            Long.reverse(highHigh) >>> 1,
            highLow ^ Long.reverse(middleHigh) >>> 1,
            middleLow ^ Long.reverse(lowHigh) >>> 1,
            lowLow);
    }

    /** Takes 255 bits of a product, highest word first. */
    private void reduce(final long p3, final long p2, final long p1, final long p0)
    {
        // One bit to the left: the product of two mirrored 128-bit numbers is mirrored in 255 bits.
        long v3 = p3 << 1 | p2 >>> 63;
        long v2 = p2 << 1 | p1 >>> 63;
        long v1 = p1 << 1 | p0 >>> 63;
        final long v0 = p0 << 1;

        // x^128 = x^7 + x^2 + x + 1: to multiply by x is to shift to the right.
        v2 ^= v0 ^ v0 >>> 1 ^ v0 >>> 2 ^ v0 >>> 7;
        v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
        v3 ^= v1 ^ v1 >>> 1 ^ v1 >>> 2 ^ v1 >>> 7;
        v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
        high = v3;
        low = v2;
    }

    /** Low 64 bits of a product without carries. */
    private static long multiply(final long x, final long y)
    {
        final long x0 = x & M0;
        final long x1 = x & M1;
        final long x2 = x & M2;
        final long x3 = x & M3;
        final long y0 = y & M0;
        final long y1 = y & M1;
        final long y2 = y & M2;
        final long y3 = y & M3;
        return ((x0 * y0 ^ x1 * y3 ^ x2 * y2 ^ x3 * y1) & M0) |
            ((x0 * y1 ^ x1 * y0 ^ x2 * y3 ^ x3 * y2) & M1) |
            ((x0 * y2 ^ x1 * y1 ^ x2 * y0 ^ x3 * y3) & M2) |
            ((x0 * y3 ^ x1 * y2 ^ x2 * y1 ^ x3 * y0) & M3);
    }

    long high()
    {
        return high;
    }

    long low()
    {
        return low;
    }
}
