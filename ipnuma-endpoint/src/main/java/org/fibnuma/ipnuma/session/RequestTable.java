package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.window.SendWindow;

/**
 * Reads and atomics that wait for their answers: at most 256, since the tag of a TLP has one byte, in at most
 * {@link #MAX_DATAGRAMS} datagrams, for whose answers the peer reserves room.
 */
final class RequestTable
{
    /** Maximum number of unanswered datagrams of requests. */
    static final int MAX_DATAGRAMS = SendWindow.RESERVED;
    static final int TAGS = 256;

    private static final int NONE = 0;

    /** Like the other arrays, null before the first request. */
    private long[] applicationTags;
    /** Requested bytes by tag; negative for an atomic, 0 for a free tag. */
    private int[] lengths;
    private int[] free;
    private int freeCount = TAGS;
    private int datagrams;

    boolean hasFreeTag()
    {
        return freeCount > 0;
    }

    boolean mayBeginDatagram()
    {
        return datagrams < MAX_DATAGRAMS;
    }

    void onDatagramBegun()
    {
        datagrams++;
    }

    void onDatagramAnswered()
    {
        datagrams = Math.max(0, datagrams - 1);
    }

    int addRead(final long applicationTag, final int length)
    {
        return add(applicationTag, length);
    }

    int addAtomic(final long applicationTag, final int width)
    {
        return add(applicationTag, -width);
    }

    boolean isWaiting(final int tag)
    {
        return lengths != null && lengths[tag] != NONE;
    }

    boolean isRead(final int tag)
    {
        return lengths[tag] > 0;
    }

    /** Returns the bytes that a request expects, 0 for a free tag. */
    int length(final int tag)
    {
        return lengths == null ? NONE : Math.abs(lengths[tag]);
    }

    long applicationTag(final int tag)
    {
        return applicationTags[tag];
    }

    void release(final int tag)
    {
        lengths[tag] = NONE;
        free[freeCount++] = tag;
    }

    /** Forgets the datagrams under way. The caller releases their tags. */
    void forgetDatagrams()
    {
        datagrams = 0;
    }

    private int add(final long applicationTag, final int length)
    {
        if (free == null)
        {
            allocate();
        }
        final int tag = free[--freeCount];
        applicationTags[tag] = applicationTag;
        lengths[tag] = length;
        return tag;
    }

    private void allocate()
    {
        applicationTags = new long[TAGS];
        lengths = new int[TAGS];
        free = new int[TAGS];
        for (int i = 0; i < TAGS; i++)
        {
            free[i] = TAGS - 1 - i;
        }
    }
}
