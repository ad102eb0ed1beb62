package org.fibnuma.ipnuma.seal;

/**
 * Which counters of a peer have been taken: each passes once, and none that lies {@value #SIZE} or more behind the
 * highest. A ring of bits as in RFC 6479. One thread.
 */
final class ReplayWindow
{
    /** A power of two; a quarter of a millisecond of small datagrams at four million a second. */
    static final int SIZE = 1024;

    private static final int WORD_SHIFT = 6;
    private static final int WORDS = 2 * SIZE >> WORD_SHIFT;

    private final long[] taken = new long[WORDS];
    private long highest;

    /** Whether it is new; changes nothing, so that it may be asked before the datagram is known to be genuine. */
    boolean isNew(final long counter)
    {
        if (counter <= 0 || highest - counter >= SIZE)
        {
            return false;
        }
        return counter > highest || (taken[word(counter)] & 1L << counter) == 0;
    }

    /** Takes the counter of a genuine datagram that is new. */
    void take(final long counter)
    {
        if (counter > highest)
        {
            final long words = Math.min((counter >> WORD_SHIFT) - (highest >> WORD_SHIFT), WORDS);
            for (long i = 0; i < words; i++)
            {
                taken[word(counter - (i << WORD_SHIFT))] = 0;
            }
            highest = counter;
        }
        taken[word(counter)] |= 1L << counter;
    }

    private static int word(final long counter)
    {
        return (int)(counter >> WORD_SHIFT) & WORDS - 1;
    }
}
