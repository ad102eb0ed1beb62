package org.fibnuma.fabric.tables;

import java.util.Random;

/** The numbers of {@link Random} for a single thread: the same generator without an atomic variable. */
final class PlainRandom extends Random
{
    private static final long serialVersionUID = 1;
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long ADDEND = 0xB;
    private static final int STATE_BITS = 48;
    private static final long STATE_MASK = (1L << STATE_BITS) - 1;

    private long state;

    PlainRandom(final long seed)
    {
        super(seed);
    }

    @Override
    public void setSeed(final long seed)
    {
        state = (seed ^ MULTIPLIER) & STATE_MASK;
    }

    @Override
    protected int next(final int bits)
    {
        state = state * MULTIPLIER + ADDEND & STATE_MASK;
        return (int)(state >>> STATE_BITS - bits);
    }
}
