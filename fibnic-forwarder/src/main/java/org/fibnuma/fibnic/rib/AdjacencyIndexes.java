package org.fibnuma.fibnic.rib;

import org.agrona.collections.IntArrayList;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

/** Allocates indexes of the {@link AdjacencyTable}, lowest first, and reuses them when no worker can hold them. */
final class AdjacencyIndexes
{
    /** Returned when all indexes are in use. */
    static final int EXHAUSTED = -1;

    private static final int LIMIT = Math.min(AdjacencyTable.CAPACITY, Ipv4Fib.MAX_ADJACENCY + 1);

    private final ReaderEpochs epochs;
    private final int limit;
    private final IntArrayList free = new IntArrayList();
    private int next = AdjacencyTable.NO_ROUTE_INDEX + 1;

    AdjacencyIndexes(final ReaderEpochs epochs)
    {
        this(epochs, LIMIT);
    }

    /** With fewer indexes than the table has, for tests. */
    AdjacencyIndexes(final ReaderEpochs epochs, final int limit)
    {
        this.epochs = epochs;
        this.limit = limit;
    }

    int allocate()
    {
        if (!free.isEmpty())
        {
            return free.popInt();
        }
        return next < limit ? next++ : EXHAUSTED;
    }

    /** Returns the number of indexes that are allocated or that workers may still hold. */
    int used()
    {
        return next - 1 - AdjacencyTable.NO_ROUTE_INDEX - free.size();
    }

    /**
     * Releases an index that the FIB has stopped returning; workers may hold it until their next duty cycle.
     *
     * @param index   from {@link #allocate()}.
     * @param release runs when no worker can hold the index.
     */
    void retire(final int index, final Runnable release)
    {
        epochs.retire(() ->
        {
            release.run();
            free.addInt(index);
        });
    }
}
