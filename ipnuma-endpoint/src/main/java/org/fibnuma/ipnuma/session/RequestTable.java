package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.window.SendWindow;

/**
 * Reads and atomics that wait for their answers. A TLP's tag has one byte, so that at most 256 wait; at most
 * {@link #MAX_DATAGRAMS} datagrams of them, which is what the other side keeps room for.
 */
final class RequestTable
{
    /** Unanswered datagrams of requests that one side may have under way. */
    static final int MAX_DATAGRAMS = SendWindow.RESERVED;
    static final int TAGS = 256;

    private static final int NONE = 0;

    private final long[] applicationTags = new long[TAGS];
    /** Bytes asked for; negative of an atomic, 0 of a free tag. */
    private final int[] lengths = new int[TAGS];
    private final int[] free = new int[TAGS];
    private int freeCount;
    private int datagrams;

    RequestTable()
    {
        clear();
    }

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
        return lengths[tag] != NONE;
    }

    boolean isRead(final int tag)
    {
        return lengths[tag] > 0;
    }

    int length(final int tag)
    {
        return Math.abs(lengths[tag]);
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

    /** Forgets that datagrams are under way; those of their tags that wait are released one by one before. */
    void forgetDatagrams()
    {
        datagrams = 0;
    }

    private int add(final long applicationTag, final int length)
    {
        final int tag = free[--freeCount];
        applicationTags[tag] = applicationTag;
        lengths[tag] = length;
        return tag;
    }

    private void clear()
    {
        for (int tag = TAGS - 1; tag >= 0; tag--)
        {
            free[freeCount++] = tag;
        }
    }
}
