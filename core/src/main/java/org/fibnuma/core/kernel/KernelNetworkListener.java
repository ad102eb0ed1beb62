package org.fibnuma.core.kernel;

/** Receives what the kernel says, on the thread that polls {@link KernelNetwork}. */
public interface KernelNetworkListener
{
    /**
     * A full dump begins: what is not told again before {@link #onDumpEnd} no longer exists. Happens once at the start,
     * after notifications were lost, and where the kernel may have changed routes without one. Changes that the kernel
     * notifies are told between the parts of a dump; what they tell of counts as told again.
     */
    void onDumpStart();

    /**
     * The whole dump was told. Removes routes that were not told again: a part of them with each call, in a time that
     * does not depend on how many there are.
     *
     * @return false to be called again; true when none is left, then {@link #onDumpEnd} follows.
     */
    default boolean onDumpSweep()
    {
        return true;
    }

    /** The dump is complete. Removes whatever was not told again. */
    void onDumpEnd();

    /**
     * A link appeared, changed or went away.
     *
     * @param link    as it is now.
     * @param present false where it went away.
     */
    void onLink(KernelLink link, boolean present);

    /**
     * An address was added or removed.
     *
     * @param address which.
     * @param present false where it was removed.
     */
    void onAddress(KernelAddress address, boolean present);

    /**
     * A neighbour was learned, changed or removed.
     *
     * @param neighbor as it is now.
     * @param present  false where it was removed.
     */
    void onNeighbor(KernelNeighbor neighbor, boolean present);

    /**
     * A route was added, replaced or removed. There is at most one for a prefix, table and metric: where the kernel
     * has several, this tells of the one that it uses.
     *
     * @param route   which, valid during the call; prefix, table and metric identify it. One that is present takes the
     *                place of the one before it; of one that is removed the rest may not be what it was.
     * @param present false where it was removed.
     * @param replace true where the kernel says that it took another's place.
     */
    void onRoute(KernelRouteView route, boolean present, boolean replace);
}
