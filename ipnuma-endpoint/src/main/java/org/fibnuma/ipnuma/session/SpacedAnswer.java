package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.DeadlineHeap;

/** An answer that is sent at most once in an interval, independent of the number of requests. */
final class SpacedAnswer
{
    private final long intervalNs;
    private boolean isRequested;
    private boolean wasSent;
    private long sentNs;

    SpacedAnswer(final long intervalNs)
    {
        this.intervalNs = intervalNs;
    }

    /** Requests the answer. Returns false if a request is already waiting. */
    boolean request()
    {
        final boolean isFirst = !isRequested;
        isRequested = true;
        return isFirst;
    }

    boolean isRequested()
    {
        return isRequested;
    }

    boolean isDue(final long nowNs)
    {
        return isRequested && !(wasSent && nowNs - sentNs < intervalNs);
    }

    /** Returns when the answer is due, or {@link DeadlineHeap#NEVER} if none is requested. */
    long dueNs(final long nowNs)
    {
        if (!isRequested)
        {
            return DeadlineHeap.NEVER;
        }
        return isDue(nowNs) ? nowNs : sentNs + intervalNs;
    }

    void onSent(final long nowNs)
    {
        isRequested = false;
        wasSent = true;
        sentNs = nowNs;
    }

    void cancel()
    {
        isRequested = false;
    }
}
