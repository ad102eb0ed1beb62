package org.fibnuma.ipnuma.table;

/** Atomic operations on a region. */
public final class AtomicOperation
{
    public static final int FETCH_ADD = 1;
    public static final int SWAP = 2;
    /** Stores the operand if the value equals the comparand. */
    public static final int COMPARE_SWAP = 3;

    private AtomicOperation()
    {
    }
}
