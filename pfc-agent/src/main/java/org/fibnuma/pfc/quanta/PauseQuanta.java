package org.fibnuma.pfc.quanta;

import org.fibnuma.pfc.wire.MacControl;

/** Arithmetic of pause quanta (IEEE 802.3 Annex 31B.2). One quantum is 512 bit times of the link. */
public final class PauseQuanta
{
    /** Bits that a link transfers in one quantum. */
    public static final int BITS = 512;
    /** Bytes that a link transfers in one quantum. */
    public static final int BYTES = BITS / Byte.SIZE;
    /** Longest pause that one frame can request. */
    public static final int MAX = MacControl.MAX_QUANTA;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private PauseQuanta()
    {
    }

    /** {@return the duration of a pause in nanoseconds, rounded up so that nothing is sent before the pause is over} */
    public static long toNanos(final int quanta, final long bitsPerSecond)
    {
        return (quanta * BITS * NANOS_PER_SECOND + bitsPerSecond - 1) / bitsPerSecond;
    }

    /** {@return the duration of one quantum in nanoseconds, such as 51.2 at 10 Gb/s} */
    public static double nanosPerQuantum(final long bitsPerSecond)
    {
        return (double)(BITS * NANOS_PER_SECOND) / bitsPerSecond;
    }
}
