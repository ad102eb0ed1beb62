package org.fibnuma.ipnuma.client.host;

import org.fibnuma.ipnuma.client.ClientMessage;

/**
 * Requests of clients that peers have not answered yet. A tag names an entry and, by a number that grows, one use of
 * it, so that an answer to a client that is gone reaches nobody else.
 */
final class PendingAnswers
{
    /** No tag. */
    static final long FULL = 0;

    private static final long MARK = 1L << 62;
    private static final int INDEX_BITS = 16;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final long USE_MASK = (1L << 45) - 1;
    /** Of all clients. */
    private static final int REQUESTS = 1024;

    private final ClientSlot[] slots;
    private final long[] correlations;
    private final int[] types;
    private final int[] lengths;
    private final long[] tags;
    private final int[] free;
    private int freeCount;
    private int requests;
    private long uses;

    /** Room for the reads and atomics of all clients, and beside it for the writes of each of so many. */
    PendingAnswers(final int clients)
    {
        final int capacity = REQUESTS + clients * ClientSlot.MAX_WRITES;
        slots = new ClientSlot[capacity];
        correlations = new long[capacity];
        types = new int[capacity];
        lengths = new int[capacity];
        tags = new long[capacity];
        free = new int[capacity];
        freeCount = capacity;
        for (int i = 0; i < capacity; i++)
        {
            free[i] = capacity - 1 - i;
        }
    }

    static boolean isTag(final long tag)
    {
        return (tag & MARK) != 0 && tag > 0;
    }

    /** {@link #FULL} where none is free. */
    long add(final ClientSlot slot, final int answerType, final long correlation, final int answerLength)
    {
        final boolean isWrite = answerType == ClientMessage.WRITE_DONE;
        if (isWrite ? slot.writes() == ClientSlot.MAX_WRITES : requests == REQUESTS)
        {
            return FULL;
        }
        count(slot, answerType, 1);
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
        final int entry = (int)tag & INDEX_MASK;
        return isTag(tag) && entry < tags.length && tags[entry] == tag ? slots[entry] : null;
    }

    /** Of a tag that somebody waits for. */
    long correlation(final long tag)
    {
        return correlations[(int)tag & INDEX_MASK];
    }

    /** Of the answer, for a tag that somebody waits for. */
    int answerType(final long tag)
    {
        return types[(int)tag & INDEX_MASK];
    }

    /** Frees a tag that somebody waits for, and the room kept for its answer. */
    void remove(final long tag)
    {
        final int entry = (int)tag & INDEX_MASK;
        slots[entry].unreserve(lengths[entry]);
        count(slots[entry], types[entry], -1);
        slots[entry] = null;
        tags[entry] = FULL;
        free[freeCount++] = entry;
    }

    private void count(final ClientSlot slot, final int answerType, final int change)
    {
        if (answerType == ClientMessage.WRITE_DONE)
        {
            slot.countWrites(change);
        }
        else
        {
            requests += change;
        }
    }

    void removeOf(final ClientSlot slot)
    {
        for (int i = 0; i < slots.length; i++)
        {
            if (slots[i] == slot)
            {
                remove(tags[i]);
            }
        }
    }
}
