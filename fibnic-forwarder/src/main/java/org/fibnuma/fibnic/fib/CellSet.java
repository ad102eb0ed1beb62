package org.fibnuma.fibnic.fib;

import java.util.Arrays;

/** A set of the 256 cells into which one stride of eight address bits divides a prefix. */
final class CellSet
{
    static final int WORDS = 4;

    private final long[] words = new long[WORDS];

    void clear()
    {
        Arrays.fill(words, 0);
    }

    /** Returns cells 64 i to 64 i + 63, the lowest cell in the lowest bit. */
    long word(final int i)
    {
        return words[i];
    }

    /** Adds an aligned range: {@code count} is a power of two, {@code first} a multiple of it. */
    void add(final int first, final int count)
    {
        if (count < Long.SIZE)
        {
            words[first >>> 6] |= (1L << count) - 1 << first;
        }
        else
        {
            Arrays.fill(words, first >>> 6, first + count >>> 6, -1L);
        }
    }

    /** Removes an aligned range, as in {@link #add}. */
    void remove(final int first, final int count)
    {
        if (count < Long.SIZE)
        {
            words[first >>> 6] &= ~((1L << count) - 1 << first);
        }
        else
        {
            Arrays.fill(words, first >>> 6, first + count >>> 6, 0);
        }
    }
}
