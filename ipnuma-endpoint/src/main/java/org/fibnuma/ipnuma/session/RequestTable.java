package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.window.SendWindow;

/**
 * Reads and atomics that wait for their answers. At most 256 wait, since the TLP tag has one byte, in at most {@link
 * #MAX_DATAGRAMS} datagrams. The peer reserves room for their answers. A read across a boundary of 4 KiB has two
 * adjacent requests in one datagram, and two adjacent answers.
 */
final class RequestTable
{
    /** Maximum number of unanswered datagrams of requests. */
    static final int MAX_DATAGRAMS = SendWindow.RESERVED;
    static final int TAGS = 256;

    static final int NO_TAG = -1;

    private static final int NONE = 0;
    private static final int IS_SECOND = -2;

    /** Like the other arrays, null before the first request. */
    private long[] requestTags;
    /** Requested bytes by TLP tag: negative for an atomic, 0 for a free tag. */
    private int[] lengths;
    /** By TLP tag: tag of the second request of the same read, {@link #NO_TAG} or {@link #IS_SECOND}. */
    private int[] seconds;
    private int[] free;
    private int freeCount = TAGS;
    private int datagrams;

    boolean hasFreeTags(final int count)
    {
        return freeCount >= count;
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

    int addRead(final long requestTag, final int length)
    {
        return add(requestTag, length);
    }

    int addAtomic(final long requestTag, final int width)
    {
        return add(requestTag, -width);
    }

    void join(final int first, final int second)
    {
        seconds[first] = second;
        seconds[second] = IS_SECOND;
    }

    /**
     * Returns the TLP tag of the second request of a read, or {@link #NO_TAG}. The tag of the first one has to be
     * waiting.
     */
    int second(final int tag)
    {
        return Math.max(NO_TAG, seconds[tag]);
    }

    /** Returns whether a waiting TLP tag belongs to the second request of a read. */
    boolean isSecond(final int tag)
    {
        return seconds[tag] == IS_SECOND;
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

    long requestTag(final int tag)
    {
        return requestTags[tag];
    }

    void release(final int tag)
    {
        lengths[tag] = NONE;
        free[freeCount++] = tag;
    }

    /** Resets the count of unanswered datagrams. The caller releases their tags. */
    void forgetDatagrams()
    {
        datagrams = 0;
    }

    private int add(final long requestTag, final int length)
    {
        if (free == null)
        {
            allocate();
        }
        final int tag = free[--freeCount];
        requestTags[tag] = requestTag;
        lengths[tag] = length;
        seconds[tag] = NO_TAG;
        return tag;
    }

    private void allocate()
    {
        requestTags = new long[TAGS];
        lengths = new int[TAGS];
        seconds = new int[TAGS];
        free = new int[TAGS];
        for (int i = 0; i < TAGS; i++)
        {
            free[i] = TAGS - 1 - i;
        }
    }
}
