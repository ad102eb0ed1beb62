package org.fibnuma.ipnuma.session.timing;

/** A time at which its owner is due. A deadline is in at most one {@link DeadlineHeap}. For one thread. */
public abstract class Deadline
{
    static final int ABSENT = -1;

    long dueNs;
    int index = ABSENT;

    /** Creates a deadline that is in no heap. */
    protected Deadline()
    {
    }
}
