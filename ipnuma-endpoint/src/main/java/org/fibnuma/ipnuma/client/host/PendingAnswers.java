package org.fibnuma.ipnuma.client.host;

/**
 * Requests of clients that peers have not answered yet. A tag names an entry and, by a number that grows, one use of
 * it, so that an answer to a client that is gone reaches nobody else.
 */
final class PendingAnswers
{
    /** No tag. */
    static final long FULL = 0;

    private static final long MARK = 1L << 62;
    private static final int INDEX_BITS = 10;
    private static final int CAPACITY = 1 << INDEX_BITS;
    private static final long USE_MASK = (1L << 51) - 1;

    private final ClientSlot[] slots = new ClientSlot[CAPACITY];
    private final long[] correlations = new long[CAPACITY];
    private final int[] types = new int[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final long[] tags = new long[CAPACITY];
    private final int[] free = new int[CAPACITY];
    private int freeCount = CAPACITY;
    private long uses;

    PendingAnswers()
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            free[i] = CAPACITY - 1 - i;
        }
    }

    static boolean isTag(final long tag)
    {
        return (tag & MARK) != 0 && tag > 0;
    }

    /** {@link #FULL} where none is free. */
    long add(final ClientSlot slot, final int answerType, final long correlation, final int answerLength)
    {
        if (freeCount == 0)
        {
            return FULL;
        }
        final int entry = free[--freeCount];
        slots[entry] = slot;
        correlations[entry] = correlation;
        types[entry] = answerType;
        lengths[entry] = answerLength;
        tags[entry] = MARK | (uses++ & USE_MASK) << INDEX_BITS | entry;
        return tags[entry];
    }

    /** Who waits for it; null where nobody does any more. */
    ClientSlot slot(final long tag)
    {
        final int entry = (int)tag & (CAPACITY - 1);
        return isTag(tag) && tags[entry] == tag ? slots[entry] : null;
    }

    /** Of a tag that somebody waits for. */
    long correlation(final long tag)
    {
        return correlations[(int)tag & (CAPACITY - 1)];
    }

    /** Of the answer, for a tag that somebody waits for. */
    int answerType(final long tag)
    {
        return types[(int)tag & (CAPACITY - 1)];
    }

    /** Frees a tag that somebody waits for, and the room kept for its answer. */
    void remove(final long tag)
    {
        final int entry = (int)tag & (CAPACITY - 1);
        slots[entry].unreserve(lengths[entry]);
        slots[entry] = null;
        tags[entry] = FULL;
        free[freeCount++] = entry;
    }

    void removeOf(final ClientSlot slot)
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            if (slots[i] == slot)
            {
                remove(tags[i]);
            }
        }
    }
}
