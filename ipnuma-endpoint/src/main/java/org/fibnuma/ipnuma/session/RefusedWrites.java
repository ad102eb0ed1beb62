package org.fibnuma.ipnuma.session;

/**
 * Counts the writes of the peer that this side has refused in the connection, and stores the one that the next ERROR
 * reports. ERRORs are sent at most once in an interval. Writes that are refused while an ERROR waits are only counted.
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

    /** Counts a refused write, and stores it for the next ERROR if none waits. */
    void report(final int accessStatus, final long address)
    {
        add();
        if (error.request())
        {
            number = count;
            status = accessStatus;
            remoteAddress = address;
        }
    }

    /** Clears the state of a connection that has ended. */
    void clear()
    {
        error.cancel();
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

    /** Returns the number of the refused write that is reported. The first refused write of the connection is 1. */
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
