package org.fibnuma.fibnic.acl;

/**
 * The access lists in force. One thread replaces all of them in one step. A worker reads them once for each batch, so
 * that no batch is judged by old and new lists. Lists have no memory outside the heap.
 */
public final class AccessTable
{
    private volatile AccessLists lists = AccessLists.NONE;

    /** Returns the lists in force; any thread. */
    public AccessLists current()
    {
        return lists;
    }

    /** Replaces all lists. */
    public void replace(final AccessLists replacement)
    {
        lists = replacement;
    }
}
