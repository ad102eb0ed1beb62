package org.fibnuma.ipnuma.seal;

/**
 * Records the accepted counters of a peer. Each counter is accepted once, and none that is {@value #SIZE} or more below
 * the highest. A ring of bits as in RFC 6479. Used by one thread.
 */
final class ReplayWindow
{
    /** A power of two. At four million small datagrams per second it covers a quarter of a millisecond. */
    static final int SIZE = 1024;

    private static final int WORD_SHIFT = 6;
    private static final int WORDS = 2 * SIZE >> WORD_SHIFT;

    private final long[] received = new long[WORDS];
    private long highest;

    /** Returns whether a counter is new. Modifies nothing: it is called before the datagram is authenticated. */
    boolean isNew(final long counter)
    {
        if (counter <= 0 || highest - counter >= SIZE)
        {
            return false;
        }
        return counter > highest || (received[word(counter)] & 1L << counter) == 0;
    }

    /** Records the new counter of a genuine datagram. */
    void record(final long counter)
    {
        if (counter > highest)
        {
            final long words = Math.min((counter >> WORD_SHIFT) - (highest >> WORD_SHIFT), WORDS);
            for (long i = 0; i < words; i++)
            {
                received[word(counter - (i << WORD_SHIFT))] = 0;
            }
            highest = counter;
        }
        received[word(counter)] |= 1L << counter;
    }

    private static int word(final long counter)
    {
        return (int)(counter >> WORD_SHIFT) & WORDS - 1;
    }
}
