package org.fibnuma.ipnuma.session;

/**
 * Writes of the peer that this side has refused in the connection: how many, and the one that the next ERROR reports.
 * Errors leave at most once in an interval. Writes that are refused before an error has left are only counted.
 */
final class RefusedWrites
{
    private final SpacedAnswer error;
    private int count;
    private int number;
    private int status;
    private long remoteAddress;

    RefusedWrites(final long intervalNs)
    {
        error = new SpacedAnswer(intervalNs);
    }

    /** Counts a refused write, or a refused datagram of writes. */
    void add()
    {
        count++;
    }

    /** Counts a refused write, and reports it if no other report waits. */
    void report(final int accessStatus, final long address)
    {
        add();
        if (error.want())
        {
            number = count;
            status = accessStatus;
            remoteAddress = address;
        }
    }

    /** Forgets the writes of a connection that has ended. */
    void clear()
    {
        error.forget();
        count = 0;
    }

    boolean isErrorDue(final long nowNs)
    {
        return error.isDue(nowNs);
    }

    /** Returns when an ERROR is due, {@link org.fibnuma.ipnuma.session.timing.DeadlineHeap#NEVER} if none waits. */
    long errorDueNs(final long nowNs)
    {
        return error.dueNs(nowNs);
    }

    void onErrorSent(final long nowNs)
    {
        error.onSent(nowNs);
    }

    int count()
    {
        return count;
    }

    /** Returns which of the refused writes is reported, the first being 1. */
    int number()
    {
        return number;
    }

    int status()
    {
        return status;
    }

    long remoteAddress()
    {
        return remoteAddress;
    }
}
