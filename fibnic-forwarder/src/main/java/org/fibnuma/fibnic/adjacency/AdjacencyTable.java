package org.fibnuma.fibnic.adjacency;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameMemory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * Adjacencies by index. One writer, the control thread; workers read without locks and see an adjacency either as it
 * was or as it is. Index {@link #NO_ROUTE_INDEX} is what the FIB yields where no route matches.
 */
public final class AdjacencyTable
{
    /** What the FIB yields for "no route"; always holds an adjacency of kind {@link AdjacencyKind#NO_ROUTE}. */
    public static final int NO_ROUTE_INDEX = 0;

    /** One for each code that a 16-bit FIB can hold: 65,534 next hops and "no route". */
    public static final int CAPACITY = 65_535;

    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Adjacency[].class);

    private static final long ENTRIES_BASE = UnsafeApi.arrayBaseOffset(Adjacency[].class);
    private static final long ENTRY_SIZE = UnsafeApi.arrayIndexScale(Adjacency[].class);

    private static final VarHandle CHANGES;

    static
    {
        try
        {
            CHANGES = MethodHandles.lookup().findVarHandle(AdjacencyTable.class, "changes", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Adjacency[] entries = new Adjacency[CAPACITY];
    /** Odd between {@link #beginChange()} and {@link #endChange()}. */
    private long changes;
    private int changeDepth;

    /** A table in which nothing leads anywhere. */
    public AdjacencyTable()
    {
        Arrays.fill(entries, Adjacency.of(AdjacencyKind.NO_ROUTE));
    }

    /**
     * The adjacency of an index; any thread.
     *
     * @param index from the FIB, which yields none outside the table; nobody checks, except with bounds checks on.
     * @return never null.
     */
    public Adjacency get(final int index)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            Objects.checkIndex(index, CAPACITY);
        }
        // A check for each frame leaves the loops over a batch by a way on which the JIT keeps all they know.
        return (Adjacency)UnsafeApi.getReference(
            Objects.requireNonNull(entries), ENTRIES_BASE + index * ENTRY_SIZE);
    }

    /**
     * Puts an adjacency in place of another; control thread. Release, so that a worker that sees it sees its fields.
     *
     * @param index     1 to {@link #CAPACITY} - 1.
     * @param adjacency to store.
     */
    public void set(final int index, final Adjacency adjacency)
    {
        if (index == NO_ROUTE_INDEX)
        {
            throw new IllegalArgumentException("adjacency 0 stays \"no route\"");
        }
        beginChange();
        ENTRY.setRelease(entries, index, adjacency);
        endChange();
    }

    /**
     * Begins a change by which a neighbour may become resolved; control thread. Changes of adjacencies and of the FIB
     * that belong together stand between this and {@link #endChange()}; calls may be nested.
     */
    public void beginChange()
    {
        if (changeDepth++ == 0)
        {
            CHANGES.setOpaque(this, changes + 1);
            // A worker that sees anything of what follows sees the odd number too.
            VarHandle.storeStoreFence();
        }
    }

    /** Ends what {@link #beginChange()} began; control thread. */
    public void endChange()
    {
        if (--changeDepth == 0)
        {
            CHANGES.setRelease(this, changes + 1);
        }
    }

    /**
     * The number of changes so far, as the sequence number of a sequence lock; any thread. A worker that has read an
     * adjacency or the FIB and then reads the same even number as before knows that no neighbour has become resolved
     * in between.
     *
     * @return twice the changes, plus 1 while one is under way.
     */
    public long changes()
    {
        // What was read of the tables before must not be read after the number.
        VarHandle.loadLoadFence();
        return (long)CHANGES.getAcquire(this);
    }
}
