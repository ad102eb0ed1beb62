package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.DeadlineHeap;

/** An answer that is sent at most once in an interval, however often it is requested. */
final class SpacedAnswer
{
    private final long intervalNs;
    private boolean isWanted;
    private boolean wasSent;
    private long sentNs;

    SpacedAnswer(final long intervalNs)
    {
        this.intervalNs = intervalNs;
    }

    /** Requests the answer; returns false if it was requested already and is not sent. */
    boolean want()
    {
        final boolean isFirst = !isWanted;
        isWanted = true;
        return isFirst;
    }

    boolean isWanted()
    {
        return isWanted;
    }

    boolean isDue(final long nowNs)
    {
        return isWanted && !(wasSent && nowNs - sentNs < intervalNs);
    }

    /** Returns when the answer is due, {@link DeadlineHeap#NEVER} if it was not requested. */
    long dueNs(final long nowNs)
    {
        if (!isWanted)
        {
            return DeadlineHeap.NEVER;
        }
        return isDue(nowNs) ? nowNs : sentNs + intervalNs;
    }

    void onSent(final long nowNs)
    {
        isWanted = false;
        wasSent = true;
        sentNs = nowNs;
    }

    void forget()
    {
        isWanted = false;
    }
}
