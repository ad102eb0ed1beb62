package org.fibnuma.fibnic.adjacency;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameMemory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * Adjacencies by index. One writer, the control thread; workers read without locks and see an adjacency either before
 * or after a change. The FIB returns {@link #NO_ROUTE_INDEX} where no route matches.
 */
public final class AdjacencyTable
{
    /** Index of "no route"; always contains an adjacency of kind {@link AdjacencyKind#NO_ROUTE}. */
    public static final int NO_ROUTE_INDEX = 0;

    /** One for each code of a 16-bit FIB: 65,534 next hops and "no route". */
    public static final int CAPACITY = 65_535;

    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Adjacency[].class);
    private static final VarHandle REWRITE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long REWRITES_BASE = UnsafeApi.arrayBaseOffset(long[].class);

    private static final VarHandle CHANGES;
    private static final VarHandle GROUPS;

    static
    {
        try
        {
            CHANGES = MethodHandles.lookup().findVarHandle(AdjacencyTable.class, "changes", long.class);
            GROUPS = MethodHandles.lookup().findVarHandle(AdjacencyTable.class, "groups", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Adjacency[] entries = new Adjacency[CAPACITY];
    private final long[] rewrites = new long[CAPACITY];
    private final EgressLinks links = new EgressLinks();
    /** Odd between {@link #beginChange()} and {@link #endChange()}. */
    private long changes;
    private int changeDepth;
    /** Number of indexes that contain a group. */
    private int groups;

    /** Creates a table in which every index is "no route". */
    public AdjacencyTable()
    {
        Arrays.fill(entries, Adjacency.of(AdjacencyKind.NO_ROUTE));
    }

    /** Returns the adjacency of an index from the FIB, never null; any thread. */
    public Adjacency get(final int index)
    {
        return entries[index];
    }

    /**
     * Returns the part of an adjacency that the rewrite of ordinary frames needs, in one load; any thread. The loops
     * over a batch read an array of numbers, so that they do not wait for references and objects.
     *
     * @param index from the FIB, which returns none outside the table; checked only with bounds checks on.
     * @return destination MAC address and egress link, see {@link EgressLinks#macsHigh} and {@link EgressLinks#of};
     * with link {@link EgressLinks#NONE} the kind of the adjacency decides, which {@link #get(int)} returns.
     */
    public long rewrite(final int index)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            Objects.checkIndex(index, CAPACITY);
        }
        // A bounds check for each frame would give the loops over a batch an exit that slows the compiled code.
        return UnsafeApi.getLong(Objects.requireNonNull(rewrites), REWRITES_BASE + (long)index * Long.BYTES);
    }

    /** Returns whether the kernel forwards packets by an adjacency, or by a member if it is a group; any thread. */
    public boolean mayBeKernels(final int index)
    {
        return has(index, AdjacencyKind.KERNEL) || has(index, AdjacencyKind.PUNT);
    }

    /** Returns whether an adjacency, or one of its members if it is a group, is of a kind; any thread. */
    public boolean has(final int index, final AdjacencyKind kind)
    {
        final Adjacency adjacency = get(index);
        final AdjacencyGroup group = adjacency.group();
        boolean has = adjacency.kind() == kind;
        for (int member = 0; group != null && member < group.size(); member++)
        {
            has |= get(group.member(member)).kind() == kind;
        }
        return has;
    }

    /** Returns whether any adjacency is of kind {@link AdjacencyKind#GROUP}; any thread, to be read after the FIB. */
    public boolean hasGroups()
    {
        // The preceding loads from the FIB must not be reordered after this one.
        VarHandle.loadLoadFence();
        return (int)GROUPS.getAcquire(this) > 0;
    }

    /** Returns the links of the adjacencies; the object does not change. */
    public EgressLinks links()
    {
        return links;
    }

    /**
     * Replaces an adjacency; control thread. Release, so that a worker that sees it sees its fields.
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
        final long before = rewrites[index];
        final long rewrite = links.acquire(adjacency);
        // Before the group, so that a worker that finds a group sees that there is one.
        GROUPS.setRelease(this, groups + (EgressLinks.isGroup(rewrite) ? 1 : 0));
        ENTRY.setRelease(entries, index, adjacency);
        REWRITE.setRelease(rewrites, index, rewrite);
        links.release(before);
        GROUPS.setRelease(this, groups - (EgressLinks.isGroup(before) ? 1 : 0));
        endChange();
    }

    /**
     * Begins a change by which a neighbour may become resolved; control thread. Changes of adjacencies and of the FIB
     * that belong together are made between this and {@link #endChange()}; calls may be nested.
     */
    public void beginChange()
    {
        if (changeDepth++ == 0)
        {
            CHANGES.setOpaque(this, changes + 1);
            // A worker that sees any of the following stores sees the odd number too.
            VarHandle.storeStoreFence();
        }
    }

    /** Ends a change; control thread. */
    public void endChange()
    {
        if (--changeDepth == 0)
        {
            CHANGES.setRelease(this, changes + 1);
        }
    }

    /**
     * Returns the sequence number of a sequence lock; any thread. If a worker reads the same even number before and
     * after it reads adjacencies or the FIB, no neighbour has become resolved in between.
     *
     * @return twice the changes, plus 1 while one is under way.
     */
    public long changes()
    {
        // The preceding loads from the tables must not be reordered after the load of the number.
        VarHandle.loadLoadFence();
        return (long)CHANGES.getAcquire(this);
    }
}
