package org.fibnuma.pfc.simulator;

/** SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers for a seed on every Java. */
final class SplitMix
{
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
    private static final double UNIT = 0x1.0p-53;

    private long state;

    SplitMix(final long seed)
    {
        state = seed;
    }

    long next()
    {
        state += GOLDEN_GAMMA;
        long z = state;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    /** True with a probability of 0 to 1. */
    boolean chance(final double probability)
    {
        return (next() >>> 11) * UNIT < probability;
    }

    /** Uniform from 0 to bound - 1. */
    int below(final int bound)
    {
        return (int)((next() >>> 32) * bound >>> 32);
    }
}
