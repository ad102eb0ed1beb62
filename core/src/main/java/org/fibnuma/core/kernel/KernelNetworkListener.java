package org.fibnuma.core.kernel;

/** Receives the kernel's network tables and their changes, on the thread that polls {@link KernelNetwork}. */
public interface KernelNetworkListener
{
    /**
     * A full dump begins. Entries that are not reported again before {@link #onDumpEnd} no longer exist. Happens once
     * at the start, after notifications were lost, and if the kernel may have changed routes without one. Notifications
     * between the parts of a dump count as part of it.
     */
    void onDumpStart();

    /**
     * The whole dump was reported. Each call removes a part of the routes that were not reported again, in a time that
     * does not depend on their number.
     *
     * @return false to be called again; true if none is left, then {@link #onDumpEnd} follows.
     */
    default boolean onDumpSweep()
    {
        return true;
    }

    /** The dump is complete. Removes all entries that were not reported again. */
    void onDumpEnd();

    /**
     * A link appeared, changed or was removed.
     *
     * @param link    in its new state.
     * @param present false if it was removed.
     */
    void onLink(KernelLink link, boolean present);

    /** An address was added, or removed if {@code present} is false. */
    void onAddress(KernelAddress address, boolean present);

    /**
     * A neighbour was learned, changed or removed.
     *
     * @param neighbor in its new state.
     * @param present  false if it was removed.
     */
    void onNeighbor(KernelNeighbor neighbor, boolean present);

    /**
     * A route was added, replaced or removed. There is at most one for a prefix, table and metric; if the kernel has
     * several, this reports the one that it uses.
     *
     * @param route   valid during the call; prefix, table and metric identify it. A present route replaces the previous
     *                one. The other fields of a removed route are undefined.
     * @param present false if it was removed.
     */
    void onRoute(KernelRouteView route, boolean present);
}
