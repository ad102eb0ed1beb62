package org.fibnuma.ipnuma.client.host;

import org.fibnuma.ipnuma.client.ClientMessage;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Requests of clients that peers have not answered. A request tag identifies an entry, and one use of it by a growing
 * number. A late answer therefore never reaches another client.
 */
final class PendingAnswers
{
    static final long FULL = 0;

    private static final long MARK = 1L << 62;
    private static final int INDEX_BITS = 16;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final long USE_MASK = (1L << 45) - 1;
    /** Maximum number of reads and atomics of all clients. */
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

    /** Creates entries for the reads and atomics of all clients, and for the writes of each client. */
    PendingAnswers(final int clients)
    {
        final int capacity = REQUESTS + clients * ClientSlot.MAX_WRITES;
        slots = new ClientSlot[capacity];
        correlations = new long[capacity];
        types = new int[capacity];
        lengths = new int[capacity];
        tags = new long[capacity];
        free = new int[capacity];
        freeAll();
    }

    static boolean isTag(final long tag)
    {
        return (tag & MARK) != 0 && tag > 0;
    }

    /** Returns a request tag for a request, or {@link #FULL}. */
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

    /** Returns the client of a request tag, or null if it is not pending. */
    ClientSlot slot(final long tag)
    {
        final int entry = (int)tag & INDEX_MASK;
        return isTag(tag) && entry < tags.length && tags[entry] == tag ? slots[entry] : null;
    }

    long correlation(final long tag)
    {
        return correlations[(int)tag & INDEX_MASK];
    }

    int answerType(final long tag)
    {
        return types[(int)tag & INDEX_MASK];
    }

    /** Releases a pending request tag and the space that is reserved for its answer. */
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

    /** Calls an action for each pending request tag. The action may release it. */
    void forEach(final LongConsumer action)
    {
        for (final long tag : tags)
        {
            if (tag != FULL)
            {
                action.accept(tag);
            }
        }
    }

    /** Releases all request tags after an error has interrupted another method. */
    void clear()
    {
        Arrays.fill(slots, null);
        Arrays.fill(tags, FULL);
        requests = 0;
        freeAll();
    }

    private void freeAll()
    {
        freeCount = free.length;
        for (int i = 0; i < free.length; i++)
        {
            free[i] = free.length - 1 - i;
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
