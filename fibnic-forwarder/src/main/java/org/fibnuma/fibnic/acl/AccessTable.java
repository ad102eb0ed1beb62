package org.fibnuma.fibnic.acl;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The access lists in force. One thread replaces all of them in one step. A worker reads them once for each batch, so
 * that no batch is judged by old and new lists. Lists have no memory outside the heap.
 */
public final class AccessTable
{
    private static final VarHandle LISTS;

    static
    {
        try
        {
            LISTS = MethodHandles.lookup().findVarHandle(AccessTable.class, "lists", AccessLists.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private AccessLists lists = AccessLists.NONE;

    /** Returns the lists in force; any thread. */
    public AccessLists current()
    {
        return (AccessLists)LISTS.getAcquire(this);
    }

    /** Replaces all lists. Release, so that a worker that sees them sees their tables. */
    public void replace(final AccessLists replacement)
    {
        LISTS.setRelease(this, replacement);
    }
}
