package org.fibnuma.core.kernel;

/** Receives the kernel's network tables and their changes, on the thread that polls {@link KernelNetwork}. */
public interface KernelNetworkListener
{
    /**
     * Begins a full dump: once at the start, after notifications were lost, and if the kernel may have changed routes
     * without one. Entries that are not reported again before {@link #onDumpEnd} no longer exist. Notifications between
     * the parts of a dump count as part of it.
     */
    void onDumpStart();

    /**
     * Removes a part of the routes that the dump has not reported again, in a time that does not depend on their
     * number. Called after the whole dump was reported.
     *
     * @return false to be called again; true if none is left, then {@link #onDumpEnd} follows.
     */
    default boolean onDumpSweep()
    {
        return true;
    }

    /** Ends the dump: removes all entries that were not reported again. */
    void onDumpEnd();

    /** Reports a link that was added or changed, in its new state, or removed if {@code present} is false. */
    void onLink(KernelLink link, boolean present);

    /** Reports an address that was added, or removed if {@code present} is false. */
    void onAddress(KernelAddress address, boolean present);

    /** Reports a neighbour that was added or changed, in its new state, or removed if {@code present} is false. */
    void onNeighbor(KernelNeighbor neighbor, boolean present);

    /**
     * Reports a route that was added or replaced, or removed if {@code present} is false. There is at most one for a
     * prefix, table and metric: of several, the kernel's used one is reported.
     *
     * @param route   valid during the call; prefix, table and metric identify it. The other fields of a removed route
     *                are undefined.
     * @param present true for a route that replaces the previous one, false for a removed one.
     */
    void onRoute(KernelRouteView route, boolean present);
}
