package org.fibnuma.pfc.quanta;

import org.fibnuma.pfc.wire.MacControl;

/** Arithmetic of pause quanta (IEEE 802.3 Annex 31B.2): one is the time in which a link carries 512 bits. */
public final class PauseQuanta
{
    /** Bits that the link could carry in one quantum. */
    public static final int BITS = 512;
    /** Bytes that the link could carry in one quantum. */
    public static final int BYTES = BITS / Byte.SIZE;
    /** Longest pause that one frame can ask for. */
    public static final int MAX = MacControl.MAX_QUANTA;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private PauseQuanta()
    {
    }

    /**
     * How long a pause lasts.
     *
     * @param quanta        0 to 65,535.
     * @param bitsPerSecond of the link, 1 or more.
     * @return nanoseconds, rounded up: nobody sends before the pause is over.
     */
    public static long toNanos(final int quanta, final long bitsPerSecond)
    {
        return ceilDivide(quanta * BITS * NANOS_PER_SECOND, bitsPerSecond);
    }

    /**
     * The shortest pause that lasts at least some time.
     *
     * @param nanos         0 or more.
     * @param bitsPerSecond of the link, 1 to 10^15.
     * @return quanta, {@link #MAX} where even that is not long enough.
     */
    public static int fromNanos(final long nanos, final long bitsPerSecond)
    {
        // Below this the product is under 65,535 x 512 x 10^9 + bitsPerSecond and fits.
        return nanos >= toNanos(MAX, bitsPerSecond) ? MAX :
            (int)ceilDivide(nanos * bitsPerSecond, BITS * NANOS_PER_SECOND);
    }

    /**
     * The length of one quantum.
     *
     * @param bitsPerSecond of the link, 1 or more.
     * @return nanoseconds, such as 51.2 at 10 Gb/s.
     */
    public static double nanosPerQuantum(final long bitsPerSecond)
    {
        return (double)(BITS * NANOS_PER_SECOND) / bitsPerSecond;
    }

    private static long ceilDivide(final long dividend, final long divisor)
    {
        return (dividend + divisor - 1) / divisor;
    }
}
