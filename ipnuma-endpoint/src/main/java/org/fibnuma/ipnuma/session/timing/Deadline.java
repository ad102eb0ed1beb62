package org.fibnuma.ipnuma.session.timing;

/** Something that is due at a time, in at most one {@link DeadlineHeap}. For one thread. */
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
